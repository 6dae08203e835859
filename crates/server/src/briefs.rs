//! A directory of one's own beside the content that ships with Moot: read once, when the server starts.

use anyhow::{Context as _, bail};
use std::path::Path;

/// Adds the content of a directory: cases from `trial/*.json` and `tribunal/*.json`. A bad file stops the start with its name and the reason.
pub fn add(directory: &Path) -> anyhow::Result<()> {
    if !directory.is_dir() {
        bail!("there is no directory {}; choose one with --briefs", directory.display());
    }
    let cases = files(&directory.join("trial"))?;
    games::trial::docket::add(&cases).map_err(|wrong| anyhow::anyhow!("cannot use {wrong}"))?;
    let cases = files(&directory.join("tribunal"))?;
    games::tribunal::docket::add(&cases).map_err(|wrong| anyhow::anyhow!("cannot use {wrong}"))
}

/// The JSON files of a folder with their texts, in the order of their names; none if there is no such folder.
fn files(folder: &Path) -> anyhow::Result<Vec<(String, String)>> {
    if !folder.is_dir() {
        return Ok(vec![]);
    }
    let listed = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<_> = listed.collect::<Result<Vec<_>, _>>()?.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path.display().to_string(), text))
    };
    paths.iter().map(read).collect()
}
