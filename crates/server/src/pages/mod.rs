//! The pages a person sees.
use crate::house::House;
use axum::Router;
/// x
pub fn routes() -> Router<House> {
    Router::new()
}
