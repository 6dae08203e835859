//! Why a text waits for a moderator, with a sentence for its author.

use super::{DISTINCT_SYLLABLES_MIN, DISTINCT_WORDS_MIN, TEXT_LEN_MAX, TEXT_LEN_MIN};
use engine::roster::Lang;
use serde::{Deserialize, Serialize};

/// One thing that was found. Stored with what waits in the queue, so its tags must never change.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Reason {
    /// Shorter than an argument may be.
    TooShort {
        /// How many characters it has.
        found: usize,
    },
    /// Longer than an argument may be.
    TooLong {
        /// How many characters it has.
        found: usize,
    },
    /// Contempt for people for what they are.
    Hateful {
        passage: String,
    },
    /// Wishes or promises harm to the reader.
    Threat {
        passage: String,
    },
    Vulgar {
        passage: String,
    },
    /// Abuse of a person, from several signs that would each be let through.
    Insult {
        passage: String,
    },
    /// Tells a model what to do.
    Instructions {
        passage: String,
    },
    /// Marks a change of speaker in a model's conversation.
    RoleMarker {
        passage: String,
    },
    /// Fences and tags that a prompt is built with.
    Markup {
        passage: String,
    },
    /// An invisible character, or one that changes the direction of text.
    Hidden {
        /// Which, as in U+202E.
        character: String,
    },
    /// A word of letters from two alphabets that look the same.
    LookAlike {
        passage: String,
    },
    /// Something encoded, which nobody can read as it stands.
    Encoded {
        passage: String,
    },
    FewWords {
        /// How many different words, or syllables in scripts that need no spaces.
        found: usize,
    },
    /// Keys struck at random.
    Mash {
        passage: String,
    },
    /// The same over and over.
    Repetition {
        passage: String,
    },
    /// Neither English nor Korean, or no sentences: nobody can say what it means.
    Unread {
        passage: String,
    },
    /// Something to buy, follow or visit.
    Advertising {
        passage: String,
    },
    /// How to reach somebody outside the game.
    Contact {
        passage: String,
    },
    /// What identifies a private person.
    Personal {
        passage: String,
    },
    /// In its case, no point was heard in it for the side that it is meant for.
    Unheard,
    /// A moderation service objects, for reasons that cannot be checked here.
    Service {
        /// In its own words; empty if it gave no reason.
        said: String,
    },
    /// A moderation service has not looked at it, or could not.
    Unchecked,
}

impl Reason {
    /// Whether it is only about how long the text is: its author can fix that at once.
    pub fn is_about_length(&self) -> bool {
        self.is_brevity() || matches!(self, Reason::TooLong { .. })
    }

    /// Whether it is only about how short the text is.
    pub fn is_brevity(&self) -> bool {
        matches!(self, Reason::TooShort { .. } | Reason::FewWords { .. })
    }

    pub fn code(&self) -> &'static str {
        match self {
            Reason::TooShort { .. } => "too_short",
            Reason::TooLong { .. } => "too_long",
            Reason::Hateful { .. } => "hateful",
            Reason::Threat { .. } => "threat",
            Reason::Vulgar { .. } => "vulgar",
            Reason::Insult { .. } => "insult",
            Reason::Instructions { .. } => "instructions",
            Reason::RoleMarker { .. } => "role_marker",
            Reason::Markup { .. } => "markup",
            Reason::Hidden { .. } => "hidden",
            Reason::LookAlike { .. } => "look_alike",
            Reason::Encoded { .. } => "encoded",
            Reason::FewWords { .. } => "few_words",
            Reason::Mash { .. } => "mash",
            Reason::Repetition { .. } => "repetition",
            Reason::Unread { .. } => "unread",
            Reason::Advertising { .. } => "advertising",
            Reason::Contact { .. } => "contact",
            Reason::Personal { .. } => "personal",
            Reason::Unheard => "unheard",
            Reason::Service { .. } => "service",
            Reason::Unchecked => "unchecked",
        }
    }

    pub fn sentence(&self, lang: Lang) -> String {
        match lang {
            Lang::En => self.english(),
            Lang::Ko => self.korean(),
        }
    }

    fn english(&self) -> String {
        match self {
            Reason::TooShort { found } => {
                format!("It has {found} characters; an argument has {TEXT_LEN_MIN} to {TEXT_LEN_MAX}.")
            }
            Reason::TooLong { found } => {
                format!("It has {found} characters; an argument has at most {TEXT_LEN_MAX}.")
            }
            Reason::Hateful { passage } => {
                format!("\"{passage}\" scorns people for what they are. Attack the deed, not a people.")
            }
            Reason::Threat { passage } => format!("\"{passage}\" reads as a threat against whoever reads it."),
            Reason::Vulgar { passage } => format!("\"{passage}\" is obscene. Say it in words for a courtroom."),
            Reason::Insult { passage } => {
                format!("It abuses a person instead of arguing: \"{passage}\". Harsh is fine; say what was done.")
            }
            Reason::Instructions { passage } => {
                format!("\"{passage}\" reads as an instruction to a model. Arguments speak to the court.")
            }
            Reason::RoleMarker { passage } => {
                format!("\"{passage}\" marks a speaker in a model's conversation. Leave the marker out.")
            }
            Reason::Markup { passage } => {
                format!("\"{passage}\" is a fence or a tag such as prompts are built with. Write plain sentences.")
            }
            Reason::Hidden { character } => {
                format!(
                    "It contains {character}, a character that is invisible or changes direction; please remove it."
                )
            }
            Reason::LookAlike { passage } => {
                format!("\"{passage}\" mixes letters of two alphabets that look the same; please type it again.")
            }
            Reason::Encoded { passage } => {
                format!("\"{passage}\" looks encoded. Write what it means, so that everybody can read it.")
            }
            Reason::FewWords { found } => format!(
                "It has {found} different words or syllables; an argument needs {DISTINCT_WORDS_MIN} words, or \
                 {DISTINCT_SYLLABLES_MIN} syllables where words are not spaced."
            ),
            Reason::Mash { passage } => format!("\"{passage}\" looks like keys struck at random."),
            Reason::Repetition { passage } => format!("It says the same over and over: \"{passage}\"."),
            Reason::Unread { passage } => {
                format!("\"{passage}\" cannot be read with confidence: write sentences in English or Korean.")
            }
            Reason::Advertising { passage } => format!("\"{passage}\" advertises something outside the court."),
            Reason::Contact { passage } => {
                format!("\"{passage}\" is a way to reach somebody outside the game. Leave it out.")
            }
            Reason::Personal { passage } => format!("\"{passage}\" tells of a private person. Leave it out."),
            Reason::Unheard => {
                "No point of this case was heard in it, for the side that it is meant for. Speak of what is in the record.".to_owned()
            }
            Reason::Service { said } if said.is_empty() => "A moderation service objects to it.".to_owned(),
            Reason::Service { said } => format!("A moderation service objects to it: \"{said}\"."),
            Reason::Unchecked => "It could not be checked by the moderation service yet.".to_owned(),
        }
    }

    fn korean(&self) -> String {
        match self {
            Reason::TooShort { found } => {
                format!("글자 수가 {found}자입니다. 논거는 {TEXT_LEN_MIN}자에서 {TEXT_LEN_MAX}자까지 쓸 수 있습니다.")
            }
            Reason::TooLong { found } => {
                format!("글자 수가 {found}자입니다. 논거는 {TEXT_LEN_MAX}자까지 쓸 수 있습니다.")
            }
            Reason::Hateful { passage } => {
                format!("“{passage}” 부분은 특정 집단을 비하합니다. 사람이 아니라 행위를 공격해 주세요.")
            }
            Reason::Threat { passage } => format!("“{passage}” 부분은 읽는 사람을 위협하는 말로 보입니다."),
            Reason::Vulgar { passage } => {
                format!("“{passage}” 부분에 욕설이 있습니다. 법정에 어울리는 말로 바꿔 주세요.")
            }
            Reason::Insult { passage } => {
                format!(
                    "논증 대신 사람을 모욕하고 있습니다: “{passage}”. 거친 말은 괜찮지만 무엇을 했는지 말해 주세요."
                )
            }
            Reason::Instructions { passage } => {
                format!("“{passage}” 부분은 AI 모델에게 내리는 지시로 보입니다. 논거는 법정을 향해 써 주세요.")
            }
            Reason::RoleMarker { passage } => {
                format!("“{passage}” 부분은 AI 대화의 화자 표시로 보입니다. 그 표시를 빼 주세요.")
            }
            Reason::Markup { passage } => {
                format!("“{passage}” 부분은 프롬프트에 쓰는 구분 기호나 태그입니다. 평범한 문장으로 써 주세요.")
            }
            Reason::Hidden { character } => {
                format!("보이지 않거나 글의 방향을 바꾸는 문자 {character}가 들어 있습니다. 지워 주세요.")
            }
            Reason::LookAlike { passage } => {
                format!("“{passage}” 부분에 모양이 같은 다른 문자 체계의 글자가 섞여 있습니다. 다시 입력해 주세요.")
            }
            Reason::Encoded { passage } => {
                format!("“{passage}” 부분은 부호화된 내용으로 보입니다. 누구나 읽을 수 있게 뜻을 풀어 써 주세요.")
            }
            Reason::FewWords { found } => format!(
                "서로 다른 낱말이나 글자가 {found}개뿐입니다. 낱말은 {DISTINCT_WORDS_MIN}개, 띄어 쓰지 않는 글은 글자 \
                 {DISTINCT_SYLLABLES_MIN}개가 필요합니다."
            ),
            Reason::Mash { passage } => format!("“{passage}” 부분은 자판을 아무렇게나 친 것으로 보입니다."),
            Reason::Repetition { passage } => format!("같은 말을 되풀이하고 있습니다: “{passage}”."),
            Reason::Unread { passage } => {
                format!("“{passage}” 부분을 확실히 읽을 수 없습니다. 한국어나 영어 문장으로 써 주세요.")
            }
            Reason::Advertising { passage } => format!("“{passage}” 부분은 법정과 상관없는 것을 광고합니다."),
            Reason::Contact { passage } => {
                format!("“{passage}” 부분은 게임 밖의 연락처입니다. 빼 주세요.")
            }
            Reason::Personal { passage } => {
                format!("“{passage}” 부분은 사생활에 관한 정보입니다. 빼 주세요.")
            }
            Reason::Unheard => {
                "이 사건에서 그 편에 도움이 되는 논점을 듣지 못했습니다. 기록에 있는 사실을 말해 주세요.".to_owned()
            }
            Reason::Service { said } if said.is_empty() => "검수 서비스가 이 글을 걸렀습니다.".to_owned(),
            Reason::Service { said } => format!("검수 서비스가 이 글을 걸렀습니다: “{said}”."),
            Reason::Unchecked => "검수 서비스에서 아직 확인하지 못했습니다.".to_owned(),
        }
    }
}
