//! The `moot` program.

/// Answers are allocated on one thread and freed on another all the time; `moot bench actions` shows what this saves.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    moot::cli::run()
}
