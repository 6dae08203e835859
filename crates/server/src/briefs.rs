//! Adds the operator's own directory of content to what ships with Moot; read once, when the program starts.

use anyhow::{Context as _, bail};
use engine::classify::model::Model;
use engine::roster::Lang;
use games::listening::{Bytes, OwnModels};
use games::mercury::reference::{self, Table};
use std::path::{Path, PathBuf};

/// Adds the content of a directory: cases from `trial/*.json` and `tribunal/*.json`, each with the models that `moot hear train` made for
/// it, `trial/CASE_ID/ear.en` and `ear.ko`; and reference tables from `mercury/`, each in place of the shipped one. A bad file stops the program with the file's name and the reason.
pub fn add(directory: &Path) -> anyhow::Result<()> {
    add_with(directory, models)
}

/// The same without models, for training: a case that is being trained has none yet, or a bad one to be replaced.
pub fn add_untaught(directory: &Path) -> anyhow::Result<()> {
    add_with(directory, |_| Ok(OwnModels::new()))
}

fn add_with(directory: &Path, models: impl Fn(&Path) -> anyhow::Result<OwnModels>) -> anyhow::Result<()> {
    if !directory.is_dir() {
        bail!("there is no directory {}; choose one with --briefs", directory.display());
    }
    let trial = directory.join("trial");
    let wrong = |wrong: String| anyhow::anyhow!("cannot use {wrong}");
    games::trial::docket::add(&files(&trial)?, &models(&trial)?).map_err(wrong)?;
    let tribunal = directory.join("tribunal");
    games::tribunal::docket::add(&files(&tribunal)?, &models(&tribunal)?).map_err(wrong)?;
    tables(&directory.join("mercury"))
}

/// Reference tables, such as `japan_scripts.en.json`.
fn tables(folder: &Path) -> anyhow::Result<()> {
    let mut own = Vec::new();
    for (path, text) in files(folder)? {
        let name = Path::new(&path).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let named = name.rsplit_once('.').and_then(|(table, lang)| {
            let table = Table::ALL.into_iter().find(|known| known.word() == table)?;
            let lang = [(Lang::En, "en"), (Lang::Ko, "ko")].into_iter().find(|(_, word)| *word == lang)?.0;
            Some((table, lang))
        });
        let Some((table, lang)) = named else {
            let names = Table::ALL.map(|table| format!("{}.en.json", table.word())).join(", ");
            bail!("cannot use {path}: a table is named {names}, or the same with ko");
        };
        own.push(reference::read(table, lang, &text).map_err(|wrong| anyhow::anyhow!("cannot use {path}: {wrong}"))?);
    }
    if own.is_empty() {
        return Ok(());
    }
    let folder = folder.display();
    reference::replace(&own).map_err(|wrong| anyhow::anyhow!("cannot use the tables in {folder}: {wrong}"))
}

/// The JSON files of a folder with their texts, sorted by name; none if there is no such folder.
fn files(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path.display().to_string(), text))
    };
    paths.iter().map(read).collect()
}

/// The models of a folder's cases by case id: each case has its own subfolder, named after it.
fn models(folder: &Path) -> anyhow::Result<OwnModels> {
    let mut models = OwnModels::new();
    for case in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
        let bytes = Bytes { english: model(&case, "en")?, korean: model(&case, "ko")? };
        if let Some(id) = case.file_name().filter(|_| !bytes.is_empty()) {
            models.insert(id.to_string_lossy().into_owned(), bytes);
        }
    }
    Ok(models)
}

/// The model for one language, leaked so that it lives as long as the program; empty if there is none.
fn model(case: &Path, lang: &str) -> anyhow::Result<&'static [u8]> {
    let path = case.join(format!("ear.{lang}"));
    if !path.exists() {
        if case.join(format!("examples.{lang}.jsonl")).exists() {
            tracing::warn!(case = %case.display(), lang, "a case has examples but no ear: run moot hear train --briefs DIRECTORY");
        }
        return Ok(&[]);
    }
    let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    if Model::from_bytes(&bytes).is_none() {
        bail!("cannot use {}: it is no model; make it anew with moot hear train", path.display());
    }
    Ok(bytes.leak())
}

/// The entries of a folder, sorted by name; none if there is no such folder.
fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(vec![]);
    }
    let listed = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = listed.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}
