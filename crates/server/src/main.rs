//! The `moot` program.

fn main() -> anyhow::Result<()> {
    moot::cli::run()
}
