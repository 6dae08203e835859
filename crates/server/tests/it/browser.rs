//! A real browser for each test, and what a person does with one: look, click, type, wait for something to change.

use crate::world::{TempDir, World};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

/// The longest that anything one waits for may take.
pub const PATIENCE: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(60);
/// How often Tab may be pressed on the way to one thing.
const TABS_MAX: usize = 80;
/// What a page and everything it asks for may weigh.
const PAGE_BYTES_MAX: u64 = 100 * 1024;
pub const PHONE: (u32, u32) = (390, 844);
pub const DESKTOP: (u32, u32) = (1280, 800);

/// The process that drives the browser; both end with the test.
struct Keeper(Child, u16);

impl Drop for Keeper {
    fn drop(&mut self) {
        // It closes its browsers itself if asked, and leaves them behind if killed.
        let _ = self.close();
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Keeper {
    fn close(&self) -> std::io::Result<()> {
        let mut line = TcpStream::connect((Ipv4Addr::LOCALHOST, self.1))?;
        line.set_read_timeout(Some(PATIENCE))?;
        write!(line, "GET /shutdown HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
        line.read_to_end(&mut Vec::new()).map(drop)
    }
}

/// Whether an element was gone before anything was done to it.
fn is_stale(error: &WebDriverError) -> bool {
    matches!(error.as_inner(), WebDriverErrorInner::StaleElementReference(_))
}

/// A browser with a profile of its own, at one server.
pub struct Browser {
    pub driver: WebDriver,
    _keeper: Keeper,
    _profile: TempDir,
    base: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The keeper closes the browser, without waiting for a runtime that may be unwinding.
        let _ = self.driver.clone().leak();
    }
}

impl Keeper {
    /// Starts a driver; nothing if it ended before it was ready.
    fn start() -> Option<Self> {
        let mut keeper = Command::new("/usr/bin/chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(|child| Keeper(child, 0))
            .expect("chromedriver is installed");
        let mut lines = BufReader::new(keeper.0.stdout.take().expect("it was piped"));
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).expect("it writes text") == 0 {
                return None;
            }
            if let Some((_, port)) = line.trim().trim_end_matches('.').split_once("successfully on port ") {
                keeper.1 = port.parse().expect("a port is a number");
                break;
            }
        }
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Some(keeper)
    }
}

impl Browser {
    /// As wide as a desk.
    pub async fn open(world: &World) -> Self {
        Self::at(world.address, "en", DESKTOP).await
    }

    /// In this language and of this size.
    pub async fn at(address: SocketAddr, lang: &str, size: (u32, u32)) -> Self {
        // The port it finds free for one family of addresses may be taken in the other; then it ends, and the next one finds another.
        let keeper = (0..5).find_map(|_| Keeper::start()).expect("chromedriver ended five times before it was ready");
        let port = keeper.1;
        let profile = TempDir::new();
        let mut wanted = DesiredCapabilities::chrome();
        wanted.set_binary("/usr/bin/chromium").expect("a path");
        for option in [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
            "--hide-scrollbars",
            &format!("--user-data-dir={}", profile.path().display()),
            &format!("--lang={lang}"),
            &format!("--accept-lang={lang}"),
        ] {
            wanted.add_arg(option).expect("an option");
        }
        let driver = WebDriver::new(format!("http://127.0.0.1:{port}"), wanted).await.expect("the browser opens");
        let browser = Browser { driver, _keeper: keeper, _profile: profile, base: format!("http://{address}") };
        browser.resize(size).await;
        // Every page is weighed as somebody meets it who was never here before.
        browser.ask("Network.enable", json!({})).await;
        browser.ask("Network.setCacheDisabled", json!({"cacheDisabled": true})).await;
        browser
    }

    /// Asks the browser itself for something pages cannot.
    pub async fn ask(&self, method: &str, parameters: Value) -> Value {
        self.driver.cdp().send_raw(method, parameters).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Another size; a narrow one is a phone's.
    pub async fn resize(&self, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.ask("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Light or dark.
    pub async fn scheme(&self, name: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": name}]});
        self.ask("Emulation.setEmulatedMedia", features).await;
    }

    /// Opens a page of the house.
    pub async fn goto(&self, path: &str) {
        self.driver.goto(format!("{}{path}", self.base)).await.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// The path and query it is at.
    pub async fn path(&self) -> String {
        let url = self.driver.current_url().await.expect("a page is open");
        let rest = url.as_str().strip_prefix(&self.base).unwrap_or_else(|| panic!("{url} is not of this house"));
        rest.to_owned()
    }

    /// What a script says.
    pub async fn js(&self, script: &str) -> Value {
        let said = self.driver.execute(script, vec![]).await;
        said.unwrap_or_else(|error| panic!("{script}: {error}")).json().clone()
    }

    /// Waits until a script's expression is true.
    pub async fn until(&self, what: &str) {
        let script = format!("return Boolean({what})");
        let look = move |html: WebElement| {
            let script = script.clone();
            async move { Ok(html.handle().execute(&script, vec![]).await?.json() == &Value::Bool(true)) }
        };
        let query = self.driver.query(By::Css("html")).with_filter(look).ignore_errors(true);
        if query.wait(PATIENCE, LOOK_EVERY).first_opt().await.ok().flatten().is_none() {
            panic!("never came: {what}\nat {}\n{}", self.path().await, self.shown().await);
        }
    }

    /// Waits for something to be there, and is it.
    pub async fn see(&self, css: &str) -> WebElement {
        // What is replaced while it is looked at is looked for again.
        let query = self.driver.query(By::Css(css)).ignore_errors(true).and_displayed().wait(PATIENCE, LOOK_EVERY);
        match query.first_opt().await {
            Ok(Some(found)) => found,
            other => panic!("{css} is not to be seen: {other:?}\nat {}\n{}", self.path().await, self.shown().await),
        }
    }

    /// Does something with it. A page that follows a game may put another in its place between look and act: then with that one.
    async fn with<T>(&self, css: &str, act: impl AsyncFn(&WebElement) -> WebDriverResult<T>) -> T {
        let began = Instant::now();
        loop {
            match act(&self.see(css).await).await {
                Ok(done) => return done,
                Err(error) if is_stale(&error) && began.elapsed() < PATIENCE => {}
                Err(error) => panic!("{css}: {error}\nat {}\n{}", self.path().await, self.shown().await),
            }
        }
    }

    /// Whether something is there now.
    pub async fn has(&self, css: &str) -> bool {
        self.count(css).await > 0
    }

    /// How many of them are there now.
    pub async fn count(&self, css: &str) -> usize {
        self.driver.find_all(By::Css(css)).await.expect("a selector").len()
    }

    /// The words of the first one.
    pub async fn text(&self, css: &str) -> String {
        self.with(css, async |found| found.text().await).await
    }

    /// What is typed in a field.
    pub async fn value(&self, css: &str) -> String {
        self.with(css, async |found| found.prop("value").await).await.unwrap_or_default()
    }

    /// Clicks it.
    pub async fn click(&self, css: &str) {
        self.with(css, async |found| found.click().await).await;
    }

    /// Clicks what leads to another page, and waits until that page is there.
    pub async fn follow(&self, css: &str) {
        self.js("window.here = true").await;
        self.click(css).await;
        self.until("!window.here && document.readyState === 'complete'").await;
    }

    /// The same where no script of ours can run: the old page's element goes away.
    pub async fn follow_plain(&self, css: &str) {
        let old = self.see("main").await;
        self.click(css).await;
        old.wait_until().wait(PATIENCE, LOOK_EVERY).stale().await.unwrap_or_else(|error| panic!("{css}: {error}"));
        self.see("main").await;
    }

    /// Types into a field.
    pub async fn fill(&self, css: &str, text: &str) {
        self.with(css, async |field| {
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
    }

    /// Everything that can be read on the page.
    pub async fn shown(&self) -> String {
        self.js("return document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// Presses keys wherever the focus is.
    pub async fn press(&self, keys: impl Into<TypingData>) {
        let keys = keys.into().to_string();
        let began = Instant::now();
        loop {
            let focused = self.driver.active_element().await.expect("something always has the focus");
            match focused.send_keys(&keys).await {
                Ok(()) => return,
                Err(error) if is_stale(&error) && began.elapsed() < PATIENCE => {}
                Err(error) => panic!("it takes no keys: {error}\nat {}", self.path().await),
            }
        }
    }

    /// Presses Tab until the focus is on this.
    pub async fn tab_to(&self, css: &str) {
        self.see(css).await;
        for _ in 0..TABS_MAX {
            if self.js(&format!("return document.activeElement.matches(`{css}`)")).await == true {
                return;
            }
            self.press(Key::Tab).await;
        }
        panic!("{TABS_MAX} Tabs do not lead to {css} at {}", self.path().await);
    }

    /// What the page asked for, by address, and how many bytes came of each.
    pub async fn requests(&self) -> Vec<(String, u64)> {
        // What a script fetches later is the game's news, not the page.
        let script = "return performance.getEntries().filter((one) => 'encodedBodySize' in one)
            .map((one) => [one.name, one.initiatorType === 'fetch' ? 0 : one.encodedBodySize])";
        serde_json::from_value(self.js(script).await).expect("pairs of an address and a size")
    }

    /// Holds every page to what holds of all: weight, hosts, no inline style or script, nothing wider than the screen.
    pub async fn inspect(&self) {
        let here = self.path().await;
        let asked = self.requests().await;
        let elsewhere: Vec<_> = asked.iter().filter(|(url, _)| !url.starts_with(&self.base)).collect();
        assert!(elsewhere.is_empty(), "{here} asks others: {elsewhere:?}");
        assert!(asked.iter().any(|(url, bytes)| url.ends_with("/moot.css") && *bytes > 0), "{here}: {asked:?}");
        let weight: u64 = asked.iter().map(|(_, bytes)| bytes).sum();
        assert!(weight < PAGE_BYTES_MAX, "{here} weighs {weight} bytes: {asked:?}");
        let script = "return [...document.querySelectorAll('*')].filter((el) => el.localName === 'style'
            || (el.localName === 'script' && !el.getAttribute('src')?.startsWith('/assets/'))
            || [...el.attributes].some(({name, value}) => name === 'style' || name.startsWith('on')
                || /^\\s*javascript:/i.test(value) && name !== 'value')).map((el) => el.outerHTML)";
        assert_eq!(self.js(script).await, json!([]), "{here} has inline style or script");
        let wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
        let wider = self.js(wide).await.as_f64().expect("a number");
        assert!(wider < 1.0, "{here} is {wider} px wider than the screen");
    }
}
