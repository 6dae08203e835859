//! Accounts, sessions and API keys.

use crate::http::auth::{self, Address, Caller, KEY_PREFIX, SESSION_PREFIX, SESSION_S};
use crate::http::extract::{Json, OptionalJson, Path};
use crate::play::House;
use crate::problem::{Answer, Problem};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use commons::names::folded;
use engine::id::AccountId;
use engine::parts::text;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::sync::Arc;
use store::Account;
use store::ApiKey;
use store::ledger;
use store::ledger::packs;
use store::people::accounts;
use store::people::accounts::Scope;
use utoipa::ToSchema;
use uuid::Uuid;

const USERNAME_LEN_MAX: usize = 40;
const EMAIL_LEN_MAX: usize = 254;
const PASSWORD_LEN_MIN: usize = 8;
const PASSWORD_LEN_MAX: usize = 200;
const KEYS_MAX: usize = 50;
/// A hash that no password has, so that an unknown address takes as long as a known one.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$bW9vdG1vb3Rtb290bW9vdA$3qzq3v9s7m0m2m5l7Uq7X2dZ8w3J1cQf2v1bC7m0b1Y";

/// A new account.
#[derive(Deserialize, ToSchema)]
pub struct Register {
    /// How to sign in.
    pub email: String,
    /// How others see it; 1 to 40 characters.
    pub username: String,
    /// 8 to 200 characters.
    pub password: String,
}

/// An account as its owner sees it.
#[derive(Serialize, ToSchema)]
pub struct Me {
    id: String,
    email: String,
    username: String,
    is_admin: bool,
    created_at: String,
    /// What it has, in IA.
    balance: u64,
    /// What its intern carries: a tag for each pack it has bought.
    intern_tags: Vec<String>,
}

impl Me {
    async fn of(house: &House, account: &Account) -> Answer<Self> {
        let id = account.id;
        let read = move |db: &_| Ok((ledger::purse(db, id)?, packs::intern_tags(db, id)?));
        let (purse, intern_tags) = house.store.read(read).await?;
        Ok(Me {
            balance: purse.balance(),
            intern_tags,
            id: account.id.to_string(),
            email: account.email.clone(),
            username: account.username.clone(),
            is_admin: account.is_admin,
            created_at: account.created_at.to_string(),
        })
    }
}

/// Sign up with an address, a name and a password.
#[utoipa::path(post, path = "/api/auth/register", tag = "accounts", request_body = Register,
    responses((status = 201, body = Me), (status = 400, description = "A field is wrong"), (status = 409, description = "Taken")))]
pub async fn register(
    State(house): State<House>,
    Address(address): Address,
    Json(body): Json<Register>,
) -> Answer<impl IntoResponse> {
    house.limits.sign_in(address)?;
    let account = create(&house, &body, false).await?;
    Ok((StatusCode::CREATED, axum::Json(Me::of(&house, &account).await?)))
}

/// Names that pages and answers use for parties without an account, folded as names are compared.
const RESERVED: [&str; 8] =
    ["house", "the house", "deleted user", "the bench", "moot", "하우스", "재판부", "탈퇴한 사용자"];

pub async fn create(house: &House, body: &Register, is_admin: bool) -> Answer<Account> {
    let email = text::checked_line("email", &body.email, 3..=EMAIL_LEN_MAX).map_err(invalid)?.to_lowercase();
    let (name, host) = email
        .split_once('@')
        .ok_or_else(|| invalid("The field \"email\" must be an address such as you@example.org.".into()))?;
    if name.is_empty() || !host.contains('.') && host != "localhost" || email.contains(char::is_whitespace) {
        return Err(invalid("The field \"email\" must be an address such as you@example.org.".into()));
    }
    let username = text::checked_line("username", &body.username, 1..=USERNAME_LEN_MAX).map_err(invalid)?;
    if RESERVED.contains(&folded(&username).as_str()) {
        return Err(invalid(format!(
            "The field \"username\" is wrong: {username:?} would be taken for another account; choose another."
        )));
    }
    check_password(&body.password)?;
    let account = Account {
        id: AccountId(Uuid::now_v7()),
        email,
        username,
        password: auth::hash_password(body.password.clone()).await?,
        is_admin,
        created_at: house.now(),
    };
    let stored = account.clone();
    house.store.write(move |db| stored.insert(db)).await?;
    Ok(account)
}

fn invalid(detail: String) -> Problem {
    Problem::bad("INVALID_BODY", detail)
}

fn check_password(password: &str) -> Answer<()> {
    let found = password.chars().count();
    if (PASSWORD_LEN_MIN..=PASSWORD_LEN_MAX).contains(&found) {
        return Ok(());
    }
    Err(invalid(format!("The password has {found} characters; use {PASSWORD_LEN_MIN} to {PASSWORD_LEN_MAX}.")))
}

/// The account that signs in.
#[derive(Deserialize, ToSchema)]
pub struct Login {
    /// The address of the account.
    pub email: String,
    /// The password of the account.
    pub password: String,
}

/// A session that was just opened.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// Send it as `Authorization: Bearer ...`; it is shown once.
    access_token: String,
    token_type: &'static str,
    expires_in: u32,
}

/// Sign in with an address and a password.
#[utoipa::path(post, path = "/api/auth/login", tag = "accounts", request_body = Login,
    responses((status = 200, body = Session), (status = 401, description = "Wrong address or password")))]
pub async fn login(
    State(house): State<House>,
    Address(address): Address,
    Json(body): Json<Login>,
) -> Answer<impl IntoResponse> {
    let secret = sign_in(&house, address, body).await?;
    Ok(axum::Json(Session { access_token: secret, token_type: "bearer", expires_in: SESSION_S }))
}

/// Checks a password and opens a session; returns its secret.
pub async fn sign_in(house: &House, address: IpAddr, body: Login) -> Answer<String> {
    house.limits.sign_in(address)?;
    let email = body.email.trim().to_lowercase();
    let wanted = email.clone();
    let account = house.store.read(move |db| Account::by_email(db, &wanted)).await?;
    let hash = account.as_ref().map_or(NOBODY.to_owned(), |account| account.password.clone());
    let matches = try_password(house, address, &email, body.password, hash).await?;
    let account =
        account.filter(|_| matches).ok_or_else(|| Problem::unauthorized("Wrong email address or password."))?;
    open_session(house, account.id).await
}

/// Whether the password is right, unless wrong ones came too often for this address of an account or from this network.
async fn try_password(house: &House, from: IpAddr, email: &str, password: String, hash: String) -> Answer<bool> {
    house.limits.may_try(from, email)?;
    let right = auth::password_matches(password, hash).await?;
    house.limits.tried(from, email, right);
    Ok(right)
}

/// Opens a session for an account whose owner has just shown a password; returns its secret.
pub async fn open_session(house: &House, account: AccountId) -> Answer<String> {
    let secret = auth::new_secret(SESSION_PREFIX)?;
    let hash = auth::secret_hash(&secret);
    let now = house.now();
    house.store.write(move |db| accounts::open_session(db, &hash, account, now, now.plus_s(SESSION_S))).await?;
    Ok(secret)
}

/// Sign out: this session ends.
#[utoipa::path(post, path = "/api/auth/logout", tag = "accounts", responses((status = 204, description = "Signed out")))]
pub async fn logout(State(house): State<House>, caller: Caller) -> Answer<impl IntoResponse> {
    caller.account()?;
    close_session(&house, &caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the session of this caller, if it came with one.
pub async fn close_session(house: &House, caller: &Caller) -> Answer<()> {
    if let (Some(account), Some(hash), None) = (caller.account_id(), caller.secret, caller.key) {
        house.store.write(move |db| accounts::close_session(db, &hash)).await?;
        house.forget_credentials(account);
    }
    Ok(())
}

/// The account behind the credential.
#[utoipa::path(get, path = "/api/auth/me", tag = "accounts", responses((status = 200, body = Me)))]
pub async fn me(State(house): State<House>, caller: Caller) -> Answer<impl IntoResponse> {
    Ok(axum::Json(Me::of(&house, caller.account()?).await?))
}

/// A confirmation by password.
#[derive(Deserialize, ToSchema)]
pub struct Confirm {
    /// The account's password, to be sure.
    password: String,
}

/// Delete the account. Its games stay, under "deleted user".
#[utoipa::path(delete, path = "/api/auth/me", tag = "accounts", request_body = Confirm,
    responses((status = 204, description = "Deleted"), (status = 403, description = "Wrong password")))]
pub async fn delete_me(
    State(house): State<House>,
    caller: Caller,
    Json(body): Json<Confirm>,
) -> Answer<impl IntoResponse> {
    delete(&house, &caller, body.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes an account after checking its password.
pub async fn delete(house: &House, caller: &Caller, password: String) -> Answer<()> {
    let account = confirm(house, caller, password).await?;
    let (id, now) = (account.id, house.now());
    house.store.write(move |db| accounts::delete_account(db, id, now)).await?;
    house.forget_credentials(id);
    Ok(())
}

/// The caller's account, if this is its password.
async fn confirm(house: &House, caller: &Caller, password: String) -> Answer<Arc<Account>> {
    let account = caller.account()?.clone();
    // Counted apart from signing in: strangers who guess passwords must not keep the owner from changing it.
    let signed_in = format!("{} signed in", account.email);
    if try_password(house, caller.address, &signed_in, password, account.password.clone()).await? {
        return Ok(account);
    }
    Err(Problem::forbidden("The password is wrong."))
}

/// A new password, and the present one.
#[derive(Deserialize, ToSchema)]
pub struct NewPassword {
    /// The one until now.
    pub old_password: String,
    /// The one from now on.
    pub new_password: String,
    /// Whether API keys stop working too; by default they go on.
    #[serde(default)]
    pub revoke_keys: bool,
}

/// Change the password. Every session ends, and with `revoke_keys` every API key does.
#[utoipa::path(post, path = "/api/auth/password", tag = "accounts", request_body = NewPassword,
    responses((status = 204, description = "Changed"), (status = 403, description = "Wrong password")))]
pub async fn password(
    State(house): State<House>,
    caller: Caller,
    Json(body): Json<NewPassword>,
) -> Answer<impl IntoResponse> {
    change_password(&house, &caller, body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes a password after checking the old one.
pub async fn change_password(house: &House, caller: &Caller, body: NewPassword) -> Answer<()> {
    check_password(&body.new_password)?;
    let id = confirm(house, caller, body.old_password).await?.id;
    let hash = auth::hash_password(body.new_password).await?;
    let (revoke_keys, now) = (body.revoke_keys, house.now());
    let change = move |db: &_| {
        accounts::set_password(db, id, &hash)?;
        if revoke_keys { accounts::revoke_api_keys(db, id, now) } else { Ok(()) }
    };
    house.store.write(change).await?;
    house.forget_credentials(id);
    Ok(())
}

/// A key that was just made.
#[derive(Serialize, ToSchema)]
pub struct NewKey {
    id: String,
    /// The key itself, shown this once.
    api_key: String,
    /// What it may do: `play` or `corpus`.
    scope: &'static str,
}

/// What to call a key, and what it may do.
#[derive(Deserialize, ToSchema)]
pub struct KeyLabel {
    /// Up to 40 characters.
    #[serde(default)]
    label: Option<String>,
    /// `play`, or `corpus` for a key that also reports to the corpus what happened in games elsewhere.
    #[serde(default)]
    scope: Option<String>,
}

/// Make an API key. This needs a session: keys do not make keys.
#[utoipa::path(post, path = "/api/auth/api-key", tag = "accounts", request_body = KeyLabel, responses((status = 201, body = NewKey), (status = 403, description = "The caller is a key")))]
pub async fn new_key(
    State(house): State<House>,
    caller: Caller,
    OptionalJson(body): OptionalJson<KeyLabel>,
) -> Answer<impl IntoResponse> {
    let account = caller.person()?.id;
    let scope = scope(body.scope.as_deref())?;
    let (id, api_key) = make_key(&house, account, body.label.as_deref().unwrap_or("API key"), scope).await?;
    Ok((StatusCode::CREATED, axum::Json(NewKey { id: id.to_string(), api_key, scope: scope.word() })))
}

fn scope(word: Option<&str>) -> Answer<Scope> {
    let wrong = || invalid("The field \"scope\" must be \"play\" or \"corpus\".".into());
    word.map_or(Some(Scope::Play), Scope::named).ok_or_else(wrong)
}

/// Makes a key and returns its id and, this once, itself.
pub async fn make_key(house: &House, account: AccountId, label: &str, scope: Scope) -> Answer<(Uuid, String)> {
    let label = text::checked_line("label", label, 1..=USERNAME_LEN_MAX).map_err(invalid)?;
    let secret = auth::new_secret(KEY_PREFIX)?;
    let hash = auth::secret_hash(&secret);
    let hint = format!("…{}", &secret[secret.len() - 4..]);
    let key = ApiKey { id: Uuid::now_v7(), label, hint, created_at: house.now(), scope, trusted: false };
    let id = key.id;
    let added = house.store.write(move |db| {
        if accounts::api_keys(db, account)?.len() >= KEYS_MAX {
            return Ok(false);
        }
        accounts::add_api_key(db, &key, account, &hash).map(|()| true)
    });
    if !added.await? {
        return Err(Problem::bad("TOO_MANY_KEYS", format!("You have {KEYS_MAX} keys; revoke one first.")));
    }
    Ok((id, secret))
}

/// A key without its secret.
#[derive(Serialize, ToSchema)]
pub struct Key {
    id: String,
    label: String,
    hint: String,
    created_at: String,
    /// What it may do: `play` or `corpus`.
    scope: &'static str,
    /// Whether what it reports to the corpus counts; the operator decides that.
    trusted: bool,
}

/// The account's keys that still work.
#[utoipa::path(get, path = "/api/auth/api-keys", tag = "accounts", responses((status = 200, body = Vec<Key>)))]
pub async fn keys(State(house): State<House>, caller: Caller) -> Answer<impl IntoResponse> {
    let id = caller.account()?.id;
    let keys = house.store.read(move |db| accounts::api_keys(db, id)).await?;
    let key = |key: ApiKey| Key {
        id: key.id.to_string(),
        label: key.label,
        hint: key.hint,
        created_at: key.created_at.to_string(),
        scope: key.scope.word(),
        trusted: key.trusted,
    };
    Ok(axum::Json(keys.into_iter().map(key).collect::<Vec<_>>()))
}

/// Revoke a key of the account.
#[utoipa::path(delete, path = "/api/auth/api-keys/{id}", tag = "accounts", params(("id" = String, Path)),
    responses((status = 204, description = "Revoked"), (status = 404, description = "Unknown key")))]
pub async fn revoke_key(
    State(house): State<House>,
    caller: Caller,
    Path(id): Path<String>,
) -> Answer<impl IntoResponse> {
    revoke(&house, caller.account()?.id, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub async fn revoke(house: &House, account: AccountId, key: &str) -> Answer<()> {
    let unknown = || Problem::not_found("KEY_NOT_FOUND", "You have no such API key.");
    let key = Uuid::try_parse(key).map_err(|_| unknown())?;
    let now = house.now();
    if !house.store.write(move |db| accounts::revoke_api_key(db, account, key, now)).await? {
        return Err(unknown());
    }
    house.forget_credentials(account);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_names_are_in_the_form_in_which_names_are_compared() {
        assert_eq!(RESERVED.map(folded), RESERVED);
    }
}
