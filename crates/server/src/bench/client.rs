//! A small HTTP/1.1 client for load: one kept-alive connection, no parsing beyond what is needed.

use anyhow::{Context as _, bail};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

pub(super) struct Client {
    stream: TcpStream,
    read: Vec<u8>,
    start: usize,
}

impl Client {
    pub(super) async fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Client { stream, read: Vec::with_capacity(16 * 1024), start: 0 })
    }

    /// Sends a request and returns the status and body of the answer.
    pub(super) async fn send(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.read.clear();
        self.start = 0;
        self.stream.write_all(request).await?;
        loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                let head = std::str::from_utf8(&self.read[..end])?.to_ascii_lowercase();
                let status: u16 = head.get(9..12).context("a status line")?.parse()?;
                let length: usize = match head.split("content-length: ").nth(1) {
                    Some(rest) => rest.split("\r\n").next().context("a length")?.parse()?,
                    None => 0,
                };
                let body = end + 4;
                while self.read.len() < body + length {
                    self.more().await?;
                }
                return Ok((status, &self.read[body..body + length]));
            }
            self.more().await?;
        }
    }

    async fn more(&mut self) -> anyhow::Result<()> {
        if self.stream.read_buf(&mut self.read).await? == 0 {
            bail!("the server hung up");
        }
        Ok(())
    }

    /// Becomes a WebSocket and returns once the server agreed.
    pub(super) async fn upgrade(&mut self, path: &str) -> anyhow::Result<()> {
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        self.stream.write_all(request.as_bytes()).await?;
        loop {
            if let Some(end) = find(&self.read, b"\r\n\r\n") {
                if !self.read.starts_with(b"HTTP/1.1 101") {
                    bail!("not upgraded: {}", String::from_utf8_lossy(&self.read));
                }
                self.start = end + 4;
                return Ok(());
            }
            self.more().await?;
        }
    }

    /// The length of the next text frame, once all of it is here.
    pub(super) async fn text_frame(&mut self) -> anyhow::Result<usize> {
        loop {
            let frame = &self.read[self.start..];
            if let [kind, short, rest @ ..] = frame {
                let (head, length) = match short & 0x7f {
                    126 if rest.len() >= 2 => (4, usize::from(u16::from_be_bytes([rest[0], rest[1]]))),
                    126 | 127 => (usize::MAX, 0),
                    short => (2, usize::from(short)),
                };
                if head != usize::MAX && frame.len() >= head + length {
                    let is_text = kind & 0x0f == 1;
                    self.start += head + length;
                    if self.start == self.read.len() {
                        self.read.clear();
                        self.start = 0;
                    }
                    if is_text {
                        return Ok(length);
                    }
                    continue;
                }
            }
            self.more().await?;
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

pub(super) fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").into_bytes()
}

/// A POST request with a JSON body.
pub(super) fn post(path: &str, body: &str) -> Vec<u8> {
    posted(path, "", body)
}

/// The same, with a credential.
pub(super) fn post_as(path: &str, key: &str, body: &str) -> Vec<u8> {
    posted(path, &format!("authorization: Bearer {key}\r\n"), body)
}

fn posted(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
