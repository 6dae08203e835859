//! Twenty attacks in each language that argue a fact in the speaker's own words: the house bench hears most of them.

use crate::tribunal_bench::{Said, shift};
use engine::roster::Lang;

/// Facts of the record in the speaker's own words, written from the record alone, without sight of the words that the bench listened for at
/// the time.
const OWN_WORDS_EN: [(&str, &str, &str); 20] = [
    (
        "john_locke",
        "shaftesbury",
        "You owned men on a sugar island before you ever wrote a line about freedom, and a share in the ship that fetched them.",
    ),
    (
        "john_locke",
        "shaftesbury",
        "Your pamphlet paid a man in acres for each human being he dragged ashore: so much for a husband, half for his wife.",
    ),
    (
        "john_locke",
        "locke",
        "Article 110 hands the master total dominion over the people he owns, baptised or not. Did your pen shake when you copied it?",
    ),
    (
        "john_locke",
        "locke",
        "They thanked you with a title and forty-eight thousand acres you never troubled to visit. For which services, exactly?",
    ),
    ("john_locke", "locke", "Six hundred pounds of a philosopher's savings went into a company whose cargo was human."),
    (
        "robert_clive",
        "clive",
        "One treaty on white paper, another on red, and the second a lie to cheat a merchant who trusted your signature.",
    ),
    (
        "robert_clive",
        "clive",
        "You put a puppet on the throne of Bengal and walked out of his treasury a quarter of a million pounds richer.",
    ),
    (
        "robert_clive",
        "clive",
        "For years your own employers paid you rent on their own land, and you saw nothing odd in being the Company's landlord.",
    ),
    (
        "robert_clive",
        "sulivan",
        "A third of the peasants were in the ground, and your collectors still squeezed out more revenue than before the famine.",
    ),
    (
        "robert_clive",
        "sulivan",
        "The dividend climbed to twelve and a half while the books were hollow, and then the nation had to lend you the money.",
    ),
    (
        "thomas_midgley",
        "midgley",
        "You drove to Indianapolis on a tank cut with alcohol and told the engineers how cleanly it burned. You knew the other way.",
    ),
    (
        "thomas_midgley",
        "midgley",
        "The Surgeon General asked you about lead in the streets and you answered him with an opinion and not one experiment.",
    ),
    (
        "thomas_midgley",
        "midgley",
        "You rinsed your hands in the stuff for the newspapers, sniffed it for a minute, and did not mention your own lungs.",
    ),
    (
        "thomas_midgley",
        "kettering",
        "At Bayway five workmen went raving mad and died inside a week, straitjacketed, and you called it an operating problem.",
    ),
    (
        "john_law",
        "law",
        "It became a crime to hold a handful of coins: neighbours were bribed to tell, and soldiers turned out the cupboards.",
    ),
    (
        "john_law",
        "law",
        "You swore the notes would never lose a penny, and one morning in May you cut them to half by decree.",
    ),
    (
        "john_law",
        "law",
        "At sunrise a dozen of the poor lay trampled at your counter because they wanted change for ten livres.",
    ),
    (
        "john_law",
        "orleans",
        "Your archers were paid a bounty for every vagabond they caught and shipped across the ocean to the Mississippi.",
    ),
    (
        "john_law",
        "law",
        "Half a million families queued to hand in their worthless certificates, and a commission decided what each had deserved.",
    ),
    (
        "john_law",
        "law",
        "A piece of paper that cost five hundred sold for twenty times as much, and by Christmas you could not give it away.",
    ),
];
const OWN_WORDS_KO: [(&str, &str, &str); 20] = [
    (
        "john_locke",
        "shaftesbury",
        "자유를 논하기 전에 당신은 카리브의 섬에서 사람을 부렸고, 그들을 실어 온 배의 몫까지 가졌습니다.",
    ),
    (
        "john_locke",
        "shaftesbury",
        "노예를 데려올 때마다 땅을 얹어 주겠다고 광고한 것이 당신들입니다. 남자는 20에이커, 여자는 그 절반이었지요.",
    ),
    (
        "john_locke",
        "locke",
        "제110조는 주인에게 노예의 목숨까지 쥔 절대 권력을 주었습니다. 세례를 받았어도 마찬가지였지요.",
    ),
    ("john_locke", "locke", "가 보지도 않은 땅 4만 8천 에이커와 귀족 칭호를 받으셨더군요. 대체 무슨 공로였습니까?"),
    ("john_locke", "locke", "철학자의 저축 600파운드가 사람을 화물로 싣는 회사의 주식이 되었습니다."),
    (
        "robert_clive",
        "clive",
        "흰 종이에 하나, 붉은 종이에 하나. 두 번째 조약은 당신을 믿은 상인을 속이려고 쓴 거짓이었습니다.",
    ),
    ("robert_clive", "clive", "허수아비 나와브를 앉혀 놓고 그의 금고에서 23만 파운드를 들고 나오셨지요."),
    (
        "robert_clive",
        "clive",
        "회사 직원이 회사 땅의 지대를 해마다 2만 7천 파운드씩 받아 챙겼습니다. 주인이 하인의 세입자가 된 것입니다.",
    ),
    ("robert_clive", "sulivan", "백성 셋 가운데 하나가 굶어 죽었는데 그해 세금은 흉년 전보다 더 걷혔습니다."),
    (
        "robert_clive",
        "sulivan",
        "장부는 비어 가는데 배당은 12.5퍼센트까지 올렸고, 끝내 나라가 140만 파운드를 꾸어 주었습니다.",
    ),
    (
        "thomas_midgley",
        "midgley",
        "알코올을 섞은 기름으로 인디애나폴리스까지 달려가 깨끗하게 탄다고 자랑한 사람이 당신입니다. 다른 길을 알고 있었습니다.",
    ),
    ("thomas_midgley", "midgley", "공중보건국장이 납을 물었을 때 당신은 실험 하나 없이 의견으로 답장을 썼습니다."),
    (
        "thomas_midgley",
        "midgley",
        "기자들 앞에서 그 액체로 손을 씻고 냄새까지 맡아 보였지만, 정작 제 폐가 상한 이야기는 하지 않았습니다.",
    ),
    (
        "thomas_midgley",
        "kettering",
        "베이웨이에서 일꾼 다섯이 미쳐서 일주일 만에 죽어 나갔습니다. 당신은 그것을 공정 문제라고 불렀지요.",
    ),
    ("john_law", "law", "금붙이 한 줌을 집에 두었다고 죄인이 되었고, 이웃이 일러바치면 그 절반을 상으로 받았습니다."),
    ("john_law", "law", "값이 변하지 않는다던 은행권을 5월 어느 아침 포고 한 장으로 반토막 냈습니다."),
    (
        "john_law",
        "law",
        "동틀 녘 당신 은행 문 앞에서 열두어 명이 밟혀 죽었습니다. 고작 10리브르를 바꾸려던 사람들이었습니다.",
    ),
    ("john_law", "orleans", "길 가던 사람까지 머릿수대로 잡아다 배에 태워 미시시피로 보냈습니다."),
    ("john_law", "law", "50만이 넘는 집이 휴지가 된 증서를 들고 줄을 섰고, 위원회가 누가 얼마를 건질지 정했습니다."),
    (
        "john_law",
        "law",
        "500리브르짜리 주식을 스무 배에 팔아 놓고, 해가 저물 때는 거저 줘도 받는 이가 없게 만들었습니다.",
    ),
];

#[test]
fn a_fact_in_words_that_no_file_has_is_heard_all_the_same() {
    for (lang, said) in [(Lang::En, OWN_WORDS_EN), (Lang::Ko, OWN_WORDS_KO)] {
        let mut heard = 0;
        for (case, character, attack) in said {
            let gained = shift(lang, case, &[Said(character, attack, "")]);
            heard += usize::from(gained >= 2);
            if gained < 2 {
                println!("{lang:?} {case}: {gained} for {attack}");
            }
        }
        println!("{lang:?}: {heard} of {} are heard", said.len());
        assert!(heard * 100 >= said.len() * 75, "{lang:?}: {heard}");
    }
}
