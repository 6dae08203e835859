//! Credential to caller to seat. A body never names its own seat unless the seat is open.

use crate::play::House;
use crate::play::credentials::Known;
use crate::problem::{Answer, Problem};
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use engine::chain::Hash;
use engine::erased::AnyGame;
use engine::game::Progress;
use engine::id::{AccountId, GameId, Seat};
use engine::roster::{Holder, Roster};
use engine::rules::Viewer;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use store::Account;
use store::people::accounts::{KeyUsed, Scope};
use tokio::sync::{Semaphore, SemaphorePermit};

/// How an API key begins.
pub const KEY_PREFIX: &str = "moot_key_";
/// How a session token begins.
pub const SESSION_PREFIX: &str = "moot_session_";
pub const SESSION_COOKIE: &str = "moot_session";
/// Holds the browser's own seat token, for players without an account.
pub const GUEST_COOKIE: &str = "moot_guest";
/// How long a session lasts.
pub const SESSION_S: u32 = 30 * 24 * 60 * 60;
/// How the seat token of a browser begins.
pub const GUEST_PREFIX: &str = "guest_";
const TOKEN_LEN_MIN: usize = 8;
const TOKEN_LEN_MAX: usize = 200;

#[derive(Clone, Debug)]
pub struct Caller {
    /// The account, if a key or session named one.
    pub account: Option<Arc<Account>>,
    /// The key that named it, unless a session did.
    pub key: Option<KeyUsed>,
    /// The hash of that key or session.
    pub secret: Option<[u8; 32]>,
    /// A seat token, which counts only in its own game.
    pub token: Option<String>,
    pub address: IpAddr,
    /// Whether the credential came in a cookie.
    pub by_cookie: bool,
}

/// The hash under which a secret is stored.
pub fn secret_hash(secret: &str) -> [u8; 32] {
    Hash::of(secret.as_bytes()).0
}

/// A new secret with this prefix: 256 random bits.
pub fn new_secret(prefix: &str) -> Answer<String> {
    let mut bits = [0; 32];
    getrandom::fill(&mut bits).map_err(Problem::ours)?;
    Ok(format!("{prefix}{}", Hash(bits)))
}

/// Whether a seat token can be sent in a header and cannot be taken for a key or a session, or why not.
pub fn check_token(token: &str) -> Result<(), String> {
    let reserved = [KEY_PREFIX, SESSION_PREFIX].iter().any(|prefix| token.starts_with(prefix));
    let sendable = token.bytes().all(|byte| byte.is_ascii_graphic());
    if (TOKEN_LEN_MIN..=TOKEN_LEN_MAX).contains(&token.len()) && sendable && !reserved {
        return Ok(());
    }
    Err(format!(
        "The field \"token\" must be {TOKEN_LEN_MIN} to {TOKEN_LEN_MAX} plain ASCII characters without spaces, and no API key."
    ))
}

/// The hash of a seat token, which counts in this game only.
pub fn token_hash(game: GameId, token: &str) -> Hash {
    let mut bytes = game.0.as_bytes().to_vec();
    bytes.extend_from_slice(token.as_bytes());
    Hash::of(&bytes)
}

/// How many passwords are hashed at once: each takes 19 MiB and a whole core.
static HASHING: Semaphore = Semaphore::const_new(2);
/// How many may wait for that, with those being hashed.
static WAITING: Semaphore = Semaphore::const_new(256);

/// The turn to hash a password, or a 429 if the queue is full.
async fn turn_to_hash() -> Answer<[SemaphorePermit<'static>; 2]> {
    let busy = || Problem::too_many(Duration::from_secs(5), "Very many people are signing in");
    let waiting = WAITING.try_acquire().map_err(|_| busy())?;
    Ok([waiting, HASHING.acquire().await.map_err(Problem::ours)?])
}

/// The hash of a password, slow on purpose.
pub async fn hash_password(password: String) -> Answer<String> {
    let _turn = turn_to_hash().await?;
    let hashed = tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password(password.as_bytes()).map(|hash| hash.to_string())
    });
    hashed.await.map_err(Problem::ours)?.map_err(Problem::ours)
}

pub async fn password_matches(password: String, hash: String) -> Answer<bool> {
    let _turn = turn_to_hash().await?;
    let checked = tokio::task::spawn_blocking(move || {
        PasswordHash::new(&hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    });
    checked.await.map_err(Problem::ours)
}

impl FromRequestParts<House> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Problem> {
        let known = parts.extensions.get::<Answer<Caller>>();
        known.cloned().unwrap_or_else(|| Err(Problem::ours("a request came past the edge")))
    }
}

/// Who sent a request. The edge asks once, and handlers are given its answer.
pub async fn caller(headers: &HeaderMap, address: IpAddr, house: &House) -> Answer<Caller> {
    match presented(headers)? {
        None => Ok(Caller { account: None, key: None, secret: None, token: None, address, by_cookie: false }),
        Some((secret, by_cookie)) => identify(house, secret, by_cookie, address).await,
    }
}

/// Where a request comes from, whoever sent it.
pub struct Address(pub IpAddr);

impl FromRequestParts<House> for Address {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        Ok(Address(address(parts, house)))
    }
}

/// Where a request comes from: the peer, or what the configured proxy says in the last header it added.
pub fn address(parts: &Parts, house: &House) -> IpAddr {
    let peer =
        parts.extensions.get::<ConnectInfo<SocketAddr>>().map_or(IpAddr::from([127, 0, 0, 1]), |info| info.0.ip());
    if house.settings.trusted_proxy != Some(peer.to_canonical()) {
        return peer;
    }
    let mut lists = parts.headers.get_all("x-forwarded-for").iter();
    // What cannot be read must not pass for the proxy's own machine, which may not be limited at all.
    let read = |list: &HeaderValue| list.to_str().ok().and_then(last_hop).unwrap_or(IpAddr::from([0, 0, 0, 0]));
    lists.next_back().map_or(peer, read)
}

/// The last address of an `X-Forwarded-For`: what the proxy itself saw. Proxies write it with and without a port, brackets and quotes.
fn last_hop(list: &str) -> Option<IpAddr> {
    let hop = list.rsplit(',').next()?.trim().trim_matches('"');
    let bare = hop.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(hop, |(address, _)| address);
    bare.parse().ok().or_else(|| hop.parse().map(|socket: SocketAddr| socket.ip()).ok())
}

/// The secret that came with a request, and whether in a cookie.
fn presented(headers: &HeaderMap) -> Answer<Option<(String, bool)>> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let text = value.to_str().map_err(|_| Problem::unauthorized("The Authorization header cannot be read."))?;
        let (scheme, secret) = text.split_once(' ').unwrap_or((text, ""));
        if !scheme.eq_ignore_ascii_case("bearer") || secret.trim().is_empty() {
            return Err(Problem::unauthorized("Use \"Authorization: Bearer YOUR_KEY\"."));
        }
        return Ok(Some((secret.trim().to_owned(), false)));
    }
    if let Some(value) = headers.get("x-api-key") {
        let text = value.to_str().map_err(|_| Problem::unauthorized("The X-API-Key header cannot be read."))?;
        return Ok(Some((text.trim().to_owned(), false)));
    }
    let session = cookie(headers, SESSION_COOKIE).filter(|secret| secret.starts_with(SESSION_PREFIX));
    let guest = || {
        cookie(headers, GUEST_COOKIE).filter(|secret| secret.starts_with(GUEST_PREFIX) && check_token(secret).is_ok())
    };
    Ok(session.or_else(guest).map(|secret| (secret, true)))
}

pub fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value.to_owned())
}

async fn identify(house: &House, secret: String, by_cookie: bool, address: IpAddr) -> Answer<Caller> {
    let is_session = secret.starts_with(SESSION_PREFIX);
    let nobody = Caller { account: None, key: None, secret: None, token: None, address, by_cookie };
    if !is_session && !secret.starts_with(KEY_PREFIX) {
        return Ok(Caller { token: Some(secret), ..nobody });
    }
    let hash = secret_hash(&secret);
    match known(house, hash, is_session).await? {
        Some((account, key)) => Ok(Caller { account: Some(account), key, secret: Some(hash), ..nobody }),
        // A browser whose session ran out is simply signed out.
        None if by_cookie => Ok(nobody),
        None if is_session => Err(Problem::unauthorized("This session is unknown or has ended; sign in again.")),
        None => Err(Problem::unauthorized("This API key is unknown or was revoked.")),
    }
}

/// The account behind a session or a key, if it is still valid.
async fn known(house: &House, hash: [u8; 32], is_session: bool) -> Answer<Option<Known>> {
    let now = house.now();
    let (known, generation) = house.credentials.get(&hash);
    if known.is_some() {
        return Ok(known);
    }
    let found = house.store.read(move |db| {
        if is_session {
            Ok(Account::by_session(db, &hash, now)?.map(|account| (account, None)))
        } else {
            Ok(Account::by_api_key(db, &hash)?.map(|(account, key)| (account, Some(key))))
        }
    });
    let found = found.await?.map(|(account, key)| (Arc::new(account), key));
    if let Some(found) = &found {
        house.credentials.keep(hash, found.clone(), generation);
    }
    Ok(found)
}

/// What the player of a seat sees: nothing more than a spectator after leaving it for good, as everyone does who leaves a rated game.
fn sight(game: &dyn AnyGame, seat: Seat) -> Viewer {
    let for_good = game.terms().rated || !game.roster().may_be_taken_back(seat);
    let left = for_good && game.progress() == Progress::Playing && game.roster().is_house(seat);
    if left { Viewer::Spectator } else { Viewer::Seat(seat) }
}

impl Caller {
    /// The account, or a 401.
    pub fn account(&self) -> Answer<&Arc<Account>> {
        self.account.as_ref().ok_or_else(|| {
            Problem::unauthorized("This needs an account: send \"Authorization: Bearer YOUR_KEY\" or sign in first.")
        })
    }

    /// The same caller now: without its account if its session has ended in the meantime; a 401 if its key was revoked.
    pub async fn again(&self, house: &House) -> Answer<Caller> {
        let Some(hash) = self.secret else { return Ok(self.clone()) };
        match known(house, hash, self.key.is_none()).await? {
            Some((account, key)) => Ok(Caller { account: Some(account), key, ..self.clone() }),
            None if self.by_cookie => Ok(Caller { account: None, key: None, secret: None, ..self.clone() }),
            None => Err(Problem::unauthorized("This credential is not valid any more.")),
        }
    }

    /// The key with which outside games report, or a refusal: a session belongs to a person at a page.
    pub fn reporter(&self) -> Answer<KeyUsed> {
        self.account()?;
        self.key.filter(|key| key.scope == Scope::Corpus).ok_or_else(|| {
            let detail = "This needs an API key with the scope \"corpus\"; make one with {\"scope\": \"corpus\"}.";
            Problem::new(StatusCode::FORBIDDEN, "SCOPE_MISSING", detail)
        })
    }

    /// The account of a person who signed in, or a refusal: a key that leaked must not make further keys.
    pub fn person(&self) -> Answer<&Arc<Account>> {
        let account = self.account()?;
        if self.key.is_none() {
            return Ok(account);
        }
        let detail = "An API key cannot do this; sign in with POST /api/auth/login or at /login and use that session.";
        Err(Problem::new(StatusCode::FORBIDDEN, "SESSION_NEEDED", detail))
    }

    pub fn account_id(&self) -> Option<AccountId> {
        self.account.as_ref().map(|account| account.id)
    }

    /// Whether any credential came with the request.
    pub fn has_credential(&self) -> bool {
        self.account.is_some() || self.token.is_some()
    }

    /// A stable name for the caller, to tell idempotency keys of different callers apart.
    pub fn fingerprint(&self) -> [u8; 32] {
        match (&self.account, &self.token) {
            (Some(account), _) => Hash::of(format!("account {}", account.id).as_bytes()).0,
            (None, Some(token)) => Hash::of(format!("token {token}").as_bytes()).0,
            (None, None) => Hash::of(b"nobody").0,
        }
    }

    /// The seats that are this caller's by credential: one, unless several of its agents play at an unrated table.
    pub fn own_seats(&self, game: GameId, roster: &Roster) -> Vec<Seat> {
        match (self.account_id(), &self.token) {
            (Some(account), _) => roster.seats_of(account).collect(),
            (None, Some(token)) => roster.seat_held_by(Holder::Token(token_hash(game, token))).into_iter().collect(),
            (None, None) => vec![],
        }
    }

    pub fn own_seat(&self, game: GameId, roster: &Roster) -> Option<Seat> {
        self.own_seats(game, roster).first().copied()
    }

    /// The seat that this id names. The id of an agent in this game is for every caller; that of an account or a registered agent is for
    /// its owner alone, since nobody else may learn who is behind a name.
    pub fn seat_named(&self, game: &dyn AnyGame, id: &str) -> Option<Seat> {
        let roster = game.roster();
        let registered = |seat: &Seat| match roster.get(*seat).map(|occupied| occupied.holder) {
            Some(Holder::Agent { agent, .. }) => agent.to_string() == id,
            Some(Holder::Account(account)) => account.to_string() == id,
            Some(Holder::Open | Holder::Token(_) | Holder::House) | None => false,
        };
        let own = || self.own_seats(game.id(), roster).into_iter().find(registered);
        roster.seat_of(game.id(), id).or_else(own)
    }

    /// The caller's own seat, or a spectator.
    pub fn viewer(&self, game: &dyn AnyGame) -> Viewer {
        self.own_seat(game.id(), game.roster()).map_or(Viewer::Spectator, |seat| sight(game, seat))
    }

    /// The same when the caller names a seat, which must be open or its own.
    pub fn viewer_as(&self, game: &dyn AnyGame, agent_id: Option<&str>) -> Answer<Viewer> {
        let Some(id) = agent_id else { return Ok(self.viewer(game)) };
        let unknown = || Problem::not_found("UNKNOWN_AGENT", "No such agent in this game");
        let seat = self.seat_named(game, id).ok_or_else(unknown)?;
        let open = game.roster().get(seat).is_some_and(|occupied| occupied.holder == Holder::Open);
        if open || self.own_seats(game.id(), game.roster()).contains(&seat) {
            Ok(sight(game, seat))
        } else if self.has_credential() {
            Err(Problem::forbidden("This seat belongs to another player."))
        } else {
            Err(Problem::unauthorized("This seat is protected: send the credential it was registered with."))
        }
    }

    /// The seat this caller acts for: the one it names, if it may, or its own.
    pub fn seat(&self, game: &dyn AnyGame, agent_id: Option<&str>) -> Answer<Seat> {
        let roster = game.roster();
        let own = self.own_seats(game.id(), roster);
        let seat = match (agent_id, own.as_slice()) {
            (Some(id), _) => match self.seat_named(game, id) {
                Some(seat) => seat,
                // Some rules refuse strangers in their own words.
                None if game.meta().strangers => return Ok(Seat(u16::MAX)),
                None => return Err(Problem::not_found("UNKNOWN_AGENT", "No such agent in this game")),
            },
            (None, []) => return Err(self.no_seat()),
            (None, [seat]) => *seat,
            (None, _) => {
                let detail = "Several of your agents sit here; say with \"agent_id\" which of them acts.";
                return Err(Problem::bad("WHICH_SEAT", detail));
            }
        };
        let occupied = roster.get(seat).ok_or_else(|| self.no_seat())?;
        match occupied.holder {
            Holder::House => return Err(Problem::forbidden("A house mind plays this seat.")),
            Holder::Open => {}
            Holder::Token(_) | Holder::Account(_) | Holder::Agent { .. } if own.contains(&seat) => {}
            Holder::Token(_) | Holder::Account(_) | Holder::Agent { .. } if self.has_credential() => {
                return Err(Problem::forbidden("This seat belongs to another player."));
            }
            Holder::Token(_) | Holder::Account(_) | Holder::Agent { .. } => {
                return Err(Problem::unauthorized(
                    "This seat is protected: send the credential it was registered with.",
                ));
            }
        }
        if occupied.house {
            return Err(Problem::new(
                StatusCode::CONFLICT,
                "SEAT_HANDED",
                "A house mind plays this seat for you; take it back first (POST .../seats/{agent_id}/take-back).",
            ));
        }
        Ok(seat)
    }

    fn no_seat(&self) -> Problem {
        if self.has_credential() {
            Problem::forbidden("You have no seat in this game; name an open seat with \"agent_id\" or register first.")
        } else {
            Problem::unauthorized("Say who acts: send your credential, or \"agent_id\" for an open seat.")
        }
    }

    /// Whether this caller may run the table: its host; without one, anyone seated; at an open table where no seat is
    /// protected, anyone.
    pub fn may_host(&self, game: &dyn AnyGame) -> Answer<()> {
        let terms = game.terms();
        let roster = game.roster();
        if let Some(host) = terms.host {
            return match self.account_id() {
                Some(account) if account == host => Ok(()),
                Some(_) => Err(Problem::forbidden("Only the host of this table may do that.")),
                None if self.has_credential() => Err(Problem::forbidden("Only the host of this table may do that.")),
                None => Err(Problem::unauthorized("Only the host of this table may do that; send its credential.")),
            };
        }
        let protected = |holder| matches!(holder, Holder::Token(_) | Holder::Account(_) | Holder::Agent { .. });
        let anyone = terms.open && !roster.iter().any(|(_, seat)| protected(seat.holder));
        if anyone || self.own_seat(game.id(), roster).is_some() {
            Ok(())
        } else if self.has_credential() {
            Err(Problem::forbidden("Only someone seated at this table may do that."))
        } else {
            Err(Problem::unauthorized("Only someone seated at this table may do that; send a seat's credential."))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::last_hop;

    #[test]
    fn the_last_hop_is_read_in_any_spelling() {
        let cases = [
            ("192.0.2.1", "192.0.2.1"),
            ("10.0.0.1, 192.0.2.1", "192.0.2.1"),
            ("spoofed, 192.0.2.1:4711", "192.0.2.1"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("\"[2001:db8::1]:4711\"", "2001:db8::1"),
        ];
        for (list, address) in cases {
            assert_eq!(last_hop(list), address.parse().ok(), "{list}");
        }
        for list in ["", "unknown", "192.0.2.1, ", "host:80"] {
            assert_eq!(last_hop(list), None, "{list}");
        }
    }
}
