//! The moderation queue.

use super::chrome::Chrome;
use askama::Template;
use engine::time::Timestamp;

/// `GET /admin`.
#[derive(Template, Clone, Debug)]
#[template(path = "admin.html")]
pub struct AdminPage {
    /// The frame.
    pub chrome: Chrome,
    /// The time, for "3 minutes ago".
    pub now: Timestamp,
    /// Reports, open ones first, oldest first.
    pub reports: Vec<ReportRow>,
}

/// One report.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportRow {
    /// What resolving it names.
    pub id: String,
    /// When it was made.
    pub at: Timestamp,
    /// Who made it: an account's name, or empty for a visitor.
    pub by: String,
    /// Where.
    pub game_id: String,
    /// `name`, `speech` or `table`.
    pub about: &'static str,
    /// The name or the words in question.
    pub quote: String,
    /// Where to see it, as a path.
    pub link: String,
    /// Why, in the reporter's words.
    pub reason: String,
    /// Whether somebody has dealt with it.
    pub resolved: bool,
}

impl AdminPage {
    fn open(&self) -> usize {
        self.reports.iter().filter(|report| !report.resolved).count()
    }
}
