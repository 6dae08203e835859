//! `moot hear`: teaching the ear, judging it, asking it what it hears, and playing games to see what that leads to.

mod play;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand, ValueEnum};
use engine::roster::Lang;
use games::listening::lessons::{Example, Split};
use games::listening::school::{self, GRAMMAR, Report, Share};
use games::listening::{Bytes, Ear, GRAMMAR_MODELS, Language, Side, Subject, ear_from};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::Store;
use store::games::misheard;

const LANGS: [(Lang, &str); 2] = [(Lang::En, "en"), (Lang::Ko, "ko")];
/// How many pieces of a text are shown with what they add.
const PIECES_MAX: usize = 12;
/// How many confusions are listed.
const CONFUSIONS_MAX: usize = 12;

#[derive(Subcommand)]
pub(super) enum Hear {
    /// Learn every model from the examples and write it beside them
    Train {
        /// Only models that belong below this folder: tribunal, trial/case_005, ... What they share with others is not learned again
        #[arg(long)]
        only: Option<String>,
        #[command(flatten)]
        content: Content,
    },
    /// Judge the models by examples that nothing was learned from
    Eval {
        /// By which examples
        #[arg(long, value_enum, default_value = "held")]
        split: Part,
        /// Only what lies below this folder, with its points and confusions: trolley, trial/case_005, ...
        #[arg(long)]
        only: Option<String>,
        #[command(flatten)]
        content: Content,
    },
    /// Play whole games over HTTP, saying texts of one sort, and count what comes of it
    Play(play::Play),
    /// List the speeches whose authors say that they were misheard, with how they were heard
    Misheard,
    /// Say what is heard in a text, and which pieces of it that rests on
    Explain {
        /// The text
        text: String,
        /// In which case: case_005, john_law, trolley, options, offers
        #[arg(long)]
        case: String,
        /// Who speaks: first (prosecution, the many) or second (defense, the few)
        #[arg(long, value_enum)]
        side: Option<Speaker>,
        #[command(flatten)]
        content: Content,
    },
}

/// Where examples and models are.
#[derive(Args)]
pub(super) struct Content {
    /// The directory of the content: that of Moot's own sources, or one with cases of your own
    #[arg(long, default_value = "briefs")]
    briefs: PathBuf,
}

/// A part of the examples.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// What thresholds are chosen by
    Tune,
    /// What nothing was chosen by
    Held,
    /// The lines of house minds, which are learned from: which of them are misheard all the same
    House,
}

impl Part {
    fn split(self) -> Split {
        match self {
            Part::Tune => Split::Tune,
            Part::Held => Split::Held,
            Part::House => Split::Train,
        }
    }
}

/// A side of the argument.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Speaker {
    /// Prosecution, to condemn, the many
    First,
    /// Defense, to acquit, the few
    Second,
}

pub(super) fn run(hear: &Hear, data: &Path) -> anyhow::Result<()> {
    match hear {
        Hear::Train { only, content } => train(&content.briefs, only.as_deref()),
        Hear::Eval { split, only, content } => eval(&content.briefs, *split, only.as_deref()),
        Hear::Play(play) => play::run(play),
        Hear::Misheard => list_misheard(data),
        Hear::Explain { text, case, side, content } => explain(&content.briefs, text, case, *side),
    }
}

/// A directory with examples and models: the content that ships with Moot, or the operator's own cases, which are heard with the shipped
/// models of language and kind.
struct School {
    briefs: PathBuf,
    is_shipped: bool,
    subjects: Vec<Subject>,
}

impl School {
    fn open(briefs: &Path) -> anyhow::Result<Self> {
        // Only what ships has models of language.
        let is_shipped = briefs.join(GRAMMAR).is_dir();
        if !is_shipped {
            crate::briefs::add_untaught(briefs)?;
        }
        Ok(School { briefs: briefs.to_owned(), is_shipped, subjects: games::catalog::subjects() })
    }

    /// Whether the directory teaches this subject in a language.
    fn teaches(&self, folder: &str, lang: &str) -> bool {
        self.is_shipped || self.examples_file(folder, lang).exists()
    }

    fn examples_file(&self, folder: &str, lang: &str) -> PathBuf {
        self.briefs.join(folder).join(format!("examples.{lang}.jsonl"))
    }

    fn ear_file(&self, folder: &str, lang: &str) -> PathBuf {
        self.briefs.join(folder).join(format!("ear.{lang}"))
    }

    /// The examples of a subject: those in its folder, then those in `more/`, which keeps every file below a megabyte.
    fn examples(&self, folder: &str, lang: &str) -> anyhow::Result<Vec<Example>> {
        if !self.teaches(folder, lang) {
            return Ok(vec![]);
        }
        let more = self.examples_file(&format!("{folder}/more"), lang);
        let mut examples = examples_in(&self.examples_file(folder, lang))?;
        if more.exists() {
            examples.extend(examples_in(&more)?);
        }
        Ok(examples)
    }

    /// The ear of a subject from the models in the directory.
    fn ear(&self, subject: &Subject) -> anyhow::Result<Ear> {
        let both = |folder: &str| -> anyhow::Result<[Vec<u8>; 2]> {
            let read = |lang: &str| {
                if !self.teaches(folder, lang) {
                    return Ok(vec![]);
                }
                let path = self.ear_file(folder, lang);
                std::fs::read(&path)
                    .with_context(|| format!("cannot read {}; run moot hear train first", path.display()))
            };
            Ok([read("en")?, read("ko")?])
        };
        let shared = |shipped: Bytes, folder: &str| match self.is_shipped {
            true => both(folder),
            false => Ok([shipped.english.to_vec(), shipped.korean.to_vec()]),
        };
        let grammar = shared(GRAMMAR_MODELS, GRAMMAR)?;
        let kind = shared(subject.kind_models, &subject.kind_folder())?;
        let case = both(&subject.folder)?;
        Ok(ear_from(&subject.syllabus, [&grammar[0], &grammar[1]], [&kind[0], &kind[1]], [&case[0], &case[1]]))
    }
}

fn examples_in(path: &Path) -> anyhow::Result<Vec<Example>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).with_context(|| format!("{}, line {}", path.display(), number + 1))
    };
    text.lines().enumerate().map(read).collect()
}

fn train(briefs: &Path, only: Option<&str>) -> anyhow::Result<()> {
    let at = School::open(briefs)?;
    let mut folders = school::folders(&at.subjects);
    folders.retain(|folder| only.is_none_or(|only| folder.starts_with(only)));
    let wanted = |word: &str| folders.iter().filter(|folder| at.teaches(folder, word)).collect::<Vec<_>>();
    let models = LANGS.map(|(_, word)| wanted(word).len());
    if models == [0; 2] {
        bail!("there is nothing to learn from: examples belong into {}", briefs.join("KIND/CASE_ID").display());
    }
    let bar = ProgressBar::new(models.iter().sum::<usize>() as u64);
    let learn = |(lang, word): (Lang, &str)| -> anyhow::Result<usize> {
        let read = at.subjects.iter().map(|subject| at.examples(&subject.folder, word));
        let read: Vec<Vec<Example>> = read.collect::<anyhow::Result<_>>()?;
        let all = school::with_house_lines(lang, &at.subjects, read);
        for folder in wanted(word) {
            let path = at.ear_file(folder, word);
            std::fs::write(&path, school::train(lang, &at.subjects, &all, folder))
                .with_context(|| format!("cannot write {}", path.display()))?;
            bar.inc(1);
        }
        Ok(all.iter().map(Vec::len).sum())
    };
    let counted = std::thread::scope(|scope| {
        let running = LANGS.map(|lang| scope.spawn(move || learn(lang)));
        running.map(|running| running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    bar.finish_and_clear();
    for (((_, word), count), models) in LANGS.into_iter().zip(counted).zip(models) {
        println!("{word}: {models} models from {} examples", count?);
    }
    Ok(())
}

fn list_misheard(directory: &Path) -> anyhow::Result<()> {
    let all = misheard::all(&Store::open_to_read(directory)?)?;
    for one in &all {
        println!("{} {} event {}\n  said:  {}\n  heard: {}", one.kind, one.game_id, one.seq.0, one.text, one.heard);
    }
    println!("{} in all", all.len());
    Ok(())
}

fn eval(briefs: &Path, part: Part, only: Option<&str>) -> anyhow::Result<()> {
    let split = part.split();
    let mut reports: BTreeMap<(String, &str), Report> = BTreeMap::new();
    let at = School::open(briefs)?;
    let taught = |subject: &Subject| LANGS.iter().any(|(_, word)| at.teaches(&subject.folder, word));
    let wanted = |subject: &&Subject| only.is_none_or(|only| subject.folder.starts_with(only)) && taught(subject);
    for subject in at.subjects.iter().filter(wanted) {
        let ear = at.ear(subject)?;
        // Where the texts of a kind answer several questions, each is judged by itself as well.
        let asks_more =
            at.subjects.iter().any(|other| other.kind == subject.kind && other.question != subject.question);
        let rows: &[&str] = match (only, asks_more) {
            (Some(_), _) => &[&subject.folder],
            (None, true) => &[subject.kind, &subject.folder],
            (None, false) => &[subject.kind],
        };
        for (lang, word) in LANGS {
            let examples = match part {
                Part::House => subject.house_examples(lang).collect(),
                Part::Tune | Part::Held => at.examples(&subject.folder, word)?,
            };
            let report = school::evaluate(lang, subject, &ear, &examples, split);
            if only.is_some() {
                print_points(&subject.folder, word, &report);
            }
            for row in rows {
                reports.entry(((*row).to_owned(), word)).or_default().join(report.clone());
            }
        }
    }
    if reports.is_empty() {
        bail!("there is nothing below {}", only.unwrap_or_default());
    }
    println!(
        "{:<18} {:>6} {:>8} {:>6} {:>7} {:>7} {:>8} {:>8} {:>7} {:>7}",
        "", "plain", "oblique", "right", "stance", "admits", "unturned", "through", "hard", "false"
    );
    for ((row, word), report) in &reports {
        println!(
            "{:<18} {:>6} {:>8} {:>6} {:>7} {:>7} {:>8} {:>8} {:>7} {:>7}",
            format!("{row} {word}"),
            percent(report.plain),
            percent(report.oblique),
            percent(report.right),
            percent(report.stance),
            percent(report.admissions),
            percent(report.not_turned),
            percent(report.let_through),
            percent(report.let_through_hard),
            percent(report.false_alarms_all()),
        );
    }
    println!("heard though they make no point:");
    for ((row, word), report) in &reports {
        let alarms = report.false_alarms.iter().map(|(what, share)| format!("{what} {}", percent(*share)));
        println!("  {row} {word}: {}", alarms.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn percent(share: Share) -> String {
    share.permille().map_or("-".into(), |permille| format!("{}.{}%", permille / 10, permille % 10))
}

fn print_points(folder: &str, word: &str, report: &Report) {
    println!("{folder} {word}");
    for (point, share) in &report.by_point {
        println!("  {point:<24} {:>7} of {}", percent(*share), share.all);
    }
    let mut confusions: Vec<_> = report.confusions.iter().collect();
    confusions.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
    for ((meant, heard), times) in confusions.into_iter().take(CONFUSIONS_MAX) {
        println!("  {meant} heard as {heard}: {times}");
    }
}

fn explain(briefs: &Path, text: &str, case: &str, side: Option<Speaker>) -> anyhow::Result<()> {
    let at = School::open(briefs)?;
    let named = |subject: &&Subject| subject.folder.rsplit('/').next() == Some(case);
    let Some(subject) = at.subjects.iter().find(named) else {
        let known: Vec<&str> = at.subjects.iter().filter_map(|subject| subject.folder.rsplit('/').next()).collect();
        bail!("there is no case {case:?}; there is: {}", known.join(", "));
    };
    let side = side.map(|side| match side {
        Speaker::First => Side::First,
        Speaker::Second => Side::Second,
    });
    let ear = at.ear(subject)?;
    let reading = ear.read(Lang::En, side, text);
    match reading.language {
        Language::Speech => println!("speech"),
        Language::Salad => println!("words in no order"),
        Language::Nothing => println!("hardly any words"),
    }
    if let Some(manner) = reading.manner {
        println!("no point; most like {manner:?}");
    }
    for heard in &reading.points {
        let helps = heard.helps.map_or(String::new(), |side| format!(", helps the {side:?} side"));
        println!(
            "{} {}, {} ahead{helps}: {}",
            heard.point,
            heard.stance.word(),
            heard.sure,
            &text[heard.said.0..heard.said.1]
        );
        for (piece, worth) in ear.explain(Lang::En, heard, text).into_iter().take(PIECES_MAX) {
            println!("  {worth:>6}  {piece}");
        }
    }
    Ok(())
}
