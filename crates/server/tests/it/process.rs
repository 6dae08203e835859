//! The real program in separate processes: a server that ends with its test, and commands that run to their end.

use crate::world::Api;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A server in a separate process.
pub struct Program {
    pub api: Api,
    pub address: SocketAddr,
    journal: PathBuf,
    child: Running,
}

/// A process that is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Program {
    /// Serves this directory on a free port.
    pub fn serve(data: &Path, options: &[&str]) -> Self {
        Self::serve_with(data, options, &[])
    }

    /// The same, with these environment variables.
    pub fn serve_with(data: &Path, options: &[&str], variables: &[(&str, &str)]) -> Self {
        let journal = data.join("journal.log");
        let out = std::fs::File::create(&journal).expect("the directory takes a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_moot"))
            .args(["serve", "--listen", "127.0.0.1:0", "--demo", "off", "--data"])
            .arg(data)
            .args(options)
            .envs(variables.iter().copied())
            .stdout(out)
            .stderr(Stdio::piped())
            .spawn()
            .map(Running)
            .expect("the program starts");
        let mut lines = BufReader::new(child.0.stderr.take().expect("it was piped"));
        let mut said = String::new();
        let address = loop {
            let mut line = String::new();
            let read = lines.read_line(&mut line).expect("it writes text");
            assert!(read > 0, "the program ended before it was open: {said}");
            if let Some(address) = line.trim().strip_prefix("Moot is open at http://") {
                break address.parse().expect("it says where it listens");
            }
            said.push_str(&line);
        };
        // The rest of its output must not fill the pipe.
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        Program { api: Api::at(address), address, journal, child }
    }

    /// Every line it has written to its log so far.
    pub fn journal(&self) -> String {
        std::fs::read_to_string(&self.journal).expect("it was created with the program")
    }

    /// SIGTERM, and the code it exits with.
    pub fn terminate(&mut self) -> Option<i32> {
        let asked = Command::new("kill").arg(self.child.0.id().to_string()).status().expect("kill starts");
        assert!(asked.success());
        self.child.0.wait().expect("it can be waited for").code()
    }

    /// `kill -9` through a shared reference, without waiting.
    pub fn kill_by_id(&self) {
        let killed = Command::new("kill").args(["-9", &self.child.0.id().to_string()]).status().expect("kill starts");
        assert!(killed.success());
    }

    /// `kill -9`, and waits until it is dead.
    pub fn kill(&mut self) {
        self.child.0.kill().expect("it was running");
        self.child.0.wait().expect("it can be waited for");
    }
}

/// Runs a command of the program to its end: whether it succeeded, and what it printed.
pub fn moot(arguments: &[&str], data: &Path) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_moot"))
        .args(arguments)
        .arg("--data")
        .arg(data)
        .output()
        .expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}
