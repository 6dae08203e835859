//! A real browser for each test, and what a person does with one: look, click, type, wait for something to change.

use crate::world::{TempDir, World};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

/// The longest that a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(60);
/// How often Tab may be pressed on the way to one element.
const TABS_MAX: usize = 80;
/// The most bytes that a page and everything it loads may have.
const PAGE_BYTES_MAX: u64 = 100 * 1024;
pub const PHONE: (u32, u32) = (390, 844);
pub const DESKTOP: (u32, u32) = (1280, 800);

/// The chromedriver process and its port; it and its browser end with the test.
struct Keeper(Child, u16);

impl Drop for Keeper {
    fn drop(&mut self) {
        // Chromedriver closes its browsers when asked to shut down, and leaves them behind when killed.
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

/// Whether the element was replaced before it could be used.
fn is_stale(error: &WebDriverError) -> bool {
    matches!(error.as_inner(), WebDriverErrorInner::StaleElementReference(_))
}

/// A browser with its own profile, for one server.
pub struct Browser {
    pub driver: WebDriver,
    _keeper: Keeper,
    _profile: TempDir,
    base: String,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The keeper closes the browser; the driver's own drop would wait for a runtime that may be unwinding.
        let _ = self.driver.clone().leak();
    }
}

impl Keeper {
    /// Starts a driver; `None` if it ended before it was ready.
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
    /// In English and of desktop size.
    pub async fn open(world: &World) -> Self {
        Self::at(world.address, "en", DESKTOP).await
    }

    pub async fn at(address: SocketAddr, lang: &str, size: (u32, u32)) -> Self {
        // A port that is free for IPv4 may be taken for IPv6, or the reverse; then chromedriver ends, and the next one finds another port.
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
        // Pages are weighed as a first-time visitor loads them.
        browser.ask("Network.enable", json!({})).await;
        browser.ask("Network.setCacheDisabled", json!({"cacheDisabled": true})).await;
        browser
    }

    /// Sends a DevTools command, for what a page's script cannot do.
    pub async fn ask(&self, method: &str, parameters: Value) -> Value {
        self.driver.cdp().send_raw(method, parameters).await.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sets the window size; one narrower than 600 px is a phone's.
    pub async fn resize(&self, (width, height): (u32, u32)) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.ask("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Sets the color scheme: `light` or `dark`.
    pub async fn scheme(&self, name: &str) {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": name}]});
        self.ask("Emulation.setEmulatedMedia", features).await;
    }

    /// Opens a page of the house.
    pub async fn goto(&self, path: &str) {
        self.driver.goto(format!("{}{path}", self.base)).await.unwrap_or_else(|error| panic!("{path}: {error}"));
    }

    /// The path and query of the open page.
    pub async fn path(&self) -> String {
        let url = self.driver.current_url().await.expect("a page is open");
        let rest = url.as_str().strip_prefix(&self.base).unwrap_or_else(|| panic!("{url} is not of this house"));
        rest.to_owned()
    }

    /// The value that a script returns.
    pub async fn js(&self, script: &str) -> Value {
        let said = self.driver.execute(script, vec![]).await;
        said.unwrap_or_else(|error| panic!("{script}: {error}")).json().clone()
    }

    /// Waits until a JavaScript expression is true.
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

    /// Waits for an element to be displayed, and returns it.
    pub async fn see(&self, css: &str) -> WebElement {
        // An element that is replaced during the look is looked for again.
        let query = self.driver.query(By::Css(css)).ignore_errors(true).and_displayed().wait(PATIENCE, LOOK_EVERY);
        match query.first_opt().await {
            Ok(Some(found)) => found,
            other => panic!("{css} is not to be seen: {other:?}\nat {}\n{}", self.path().await, self.shown().await),
        }
    }

    /// Does something with an element. A page that follows a game may replace it between look and act; then the new one is used.
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

    /// Whether such an element exists now, displayed or not.
    pub async fn has(&self, css: &str) -> bool {
        self.count(css).await > 0
    }

    /// How many such elements exist now, displayed or not.
    pub async fn count(&self, css: &str) -> usize {
        self.driver.find_all(By::Css(css)).await.expect("a selector").len()
    }

    /// The text of the first such element.
    pub async fn text(&self, css: &str) -> String {
        self.with(css, async |found| found.text().await).await
    }

    pub async fn value(&self, css: &str) -> String {
        self.with(css, async |found| found.prop("value").await).await.unwrap_or_default()
    }

    pub async fn click(&self, css: &str) {
        self.with(css, async |found| found.click().await).await;
    }

    /// Clicks a link or button that leads to another page, and waits until that page is loaded.
    pub async fn follow(&self, css: &str) {
        self.js("window.here = true").await;
        self.click(css).await;
        self.until("!window.here && document.readyState === 'complete'").await;
    }

    /// The same where scripts are off: waits until the old page's `main` is gone.
    pub async fn follow_plain(&self, css: &str) {
        let old = self.see("main").await;
        self.click(css).await;
        old.wait_until().wait(PATIENCE, LOOK_EVERY).stale().await.unwrap_or_else(|error| panic!("{css}: {error}"));
        self.see("main").await;
    }

    /// Replaces the content of a field.
    pub async fn fill(&self, css: &str, text: &str) {
        self.with(css, async |field| {
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
    }

    /// The visible text of the page.
    pub async fn shown(&self) -> String {
        self.js("return document.body.innerText").await.as_str().unwrap_or_default().to_owned()
    }

    /// Sends keys to the focused element.
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

    /// Presses Tab until this element has the focus.
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

    /// Every address the page loaded, with the bytes that came.
    pub async fn requests(&self) -> Vec<(String, u64)> {
        // A script's later fetches bring the game's news and do not count as the page: 0 bytes.
        let script = "return performance.getEntries().filter((one) => 'encodedBodySize' in one)
            .map((one) => [one.name, one.initiatorType === 'fetch' ? 0 : one.encodedBodySize])";
        serde_json::from_value(self.js(script).await).expect("pairs of an address and a size")
    }

    /// Checks what must hold for every page: weight, hosts, no inline style or script, nothing wider than the screen.
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
