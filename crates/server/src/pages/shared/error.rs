//! The error page: a sentence, and what to do next.

use crate::pages::shared::frame::Frame;
use askama::Template;

#[derive(Template, Clone, Debug)]
#[template(path = "shared/error.html")]
pub struct ErrorPage {
    pub frame: Frame,
    pub status: u16,
    /// What exactly went wrong, if there is more to say than the status does.
    pub detail: Option<String>,
}

impl ErrorPage {
    /// The status whose sentences fit this one.
    fn which(&self) -> &'static str {
        match self.status {
            401 => "401",
            403 => "403",
            404 | 405 => "404",
            413 => "413",
            429 => "429",
            503 => "503",
            400..=499 => "400",
            _ => "500",
        }
    }
}
