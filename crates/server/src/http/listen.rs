//! Accepting connections: how many there may be, and how long a client may keep one waiting.
//!
//! A connection takes a place until it is closed, as a socket for live streams too. When all places are taken, a few more are
//! kept so that monitors still learn how the server is.

use crate::play::House;
use crate::play::limits::network;
use crate::problem::Problem;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse as _, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use socket2::{SockRef, TcpKeepalive};
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::Sleep;

/// Places that are kept for asking about the server's health.
const RESERVE: usize = 32;
/// How many of those one address may take.
const RESERVE_OF_ONE: usize = 4;
/// How long such a connection may take.
const RESERVE_DEADLINE: Duration = Duration::from_secs(2);
/// File handles that are left to the database, its backups and outside services.
const FILES_KEPT: u64 = 128;
/// The longest head of a request, in bytes.
const HEAD_BYTES_MAX: usize = 64 * 1024;
/// When the system asks a silent peer whether it is still there, and how long one may leave data unacknowledged.
const PEER_ASKED: Duration = Duration::from_secs(60);
/// How often one and the same trouble is written into the log.
const SAID_EVERY: Duration = Duration::from_secs(10);

/// Serves until `stop` comes, then lets what is in flight finish.
pub async fn serve(house: &House, listener: TcpListener, app: Router, stop: impl Future<Output = ()>) {
    let hall = Arc::new(Hall::new(house));
    let (busy, mut all_gone) = mpsc::channel::<()>(1);
    let mut stop = pin!(stop);
    let mut log = Log::default();
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_the_clients(&error) => continue,
                Err(error) => {
                    // The usual reason is that no file handle is left; those in use come back.
                    log.say("accept", || tracing::error!(%error, "no connection can be accepted; is the limit of open files too low?"));
                    tokio::time::sleep(Duration::from_millis(200)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        match Hall::place(&hall, house, peer.ip()) {
            Ok(place) => {
                let served = converse(house.clone(), stream, peer, place, app.clone());
                let busy = busy.clone();
                tokio::spawn(async move {
                    served.await;
                    drop(busy);
                });
            }
            Err(why) => {
                metrics::counter!("moot_connections_refused_total", "why" => why).increment(1);
                log.say(why, || tracing::warn!(why, %peer, "a connection was refused; see --limits"));
            }
        }
    }
    drop(listener);
    drop(busy);
    let _ = all_gone.recv().await;
}

/// Whether accepting failed because the client went away.
fn is_the_clients(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(error.kind(), Kind::ConnectionAborted | Kind::ConnectionRefused | Kind::ConnectionReset)
}

/// Raises the limit of open files as far as the system lets this process.
pub fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

/// Who is connected.
struct Hall {
    places: usize,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    all: usize,
    by_network: HashMap<IpAddr, Here>,
}

/// What one network has taken.
#[derive(Default)]
struct Here {
    all: usize,
    /// How many of those are of the reserve.
    reserved: usize,
}

impl Hall {
    fn new(house: &House) -> Self {
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX);
        let files = usize::try_from(files.saturating_sub(FILES_KEPT)).unwrap_or(usize::MAX).saturating_sub(RESERVE);
        Hall { places: house.settings.limits.connections.min(files.max(1)), taken: Mutex::default() }
    }

    /// Takes a place for a connection, or says why there is none.
    fn place(hall: &Arc<Hall>, house: &House, peer: IpAddr) -> Result<Place, &'static str> {
        let network = network(peer);
        // A proxy brings the connections of all its clients.
        let limited = house.limits.applies_to(peer) && house.settings.trusted_proxy != Some(peer.to_canonical());
        // However few places there are, one address must not have them all.
        let of_one = house.settings.limits.address_connections.min(hall.places.div_ceil(2));
        let (most, most_reserved) = if limited { (of_one, RESERVE_OF_ONE) } else { (usize::MAX, RESERVE) };
        let mut taken = hall.taken.lock().expect("no holder panics");
        if taken.all >= hall.places + RESERVE {
            return Err("full");
        }
        let only_health = taken.all >= hall.places;
        let here = taken.by_network.entry(network).or_default();
        if here.all >= most {
            return Err("address");
        }
        if only_health && here.reserved >= most_reserved {
            return Err("full");
        }
        here.all += 1;
        here.reserved += usize::from(only_health);
        taken.all += 1;
        metrics::gauge!("moot_connections").set(taken.all as f64);
        Ok(Place { hall: hall.clone(), network, only_health })
    }
}

/// A connection's place, given back when it is dropped.
struct Place {
    hall: Arc<Hall>,
    network: IpAddr,
    /// Taken from the reserve.
    only_health: bool,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.hall.taken.lock().expect("no holder panics");
        taken.all -= 1;
        metrics::gauge!("moot_connections").set(taken.all as f64);
        if let Some(here) = taken.by_network.get_mut(&self.network) {
            here.all -= 1;
            here.reserved -= usize::from(self.only_health);
            if here.all == 0 {
                taken.by_network.remove(&self.network);
            }
        }
    }
}

/// Answers the requests of one connection until it closes or the server stops.
async fn converse(house: House, stream: TcpStream, peer: SocketAddr, place: Place, app: Router) {
    set_up(&stream);
    let limits = &house.settings.limits;
    let only_health = place.only_health;
    let stalled = if only_health { RESERVE_DEADLINE } else { Duration::from_secs(limits.stalled_s) };
    let head = if only_health { RESERVE_DEADLINE } else { Duration::from_secs(limits.head_s) };
    let stream = Guarded { stream, stalled, deadline: None, _place: place };
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let refused = only_health && !matches!(request.uri().path(), "/healthz" | "/readyz");
        let answer = (!refused).then(|| app.call(request.map(Body::new)));
        async move {
            match answer {
                Some(answer) => answer.await,
                None => Ok(full()),
            }
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .keep_alive(!only_health)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let mut stopping = house.stopping.subscribe();
    let stopped = async { stopping.wait_for(|stopping| *stopping).await.is_ok() };
    tokio::select! {
        // An error is the client's: it went away, was too slow or does not speak HTTP.
        _ = connection.as_mut() => return,
        _ = stopped => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

fn full() -> Response {
    let detail = "Every connection of this server is taken; try again in a moment.";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", detail).into_response()
}

/// Answers go out at once, and a peer that is gone is noticed.
fn set_up(stream: &TcpStream) {
    let socket = SockRef::from(stream);
    let keepalive = TcpKeepalive::new().with_time(PEER_ASKED).with_interval(PEER_ASKED / 4);
    // Where the system refuses one of these, the connection works without it.
    let _ = stream.set_nodelay(true);
    let _ = socket.set_tcp_keepalive(&keepalive);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_user_timeout(Some(PEER_ASKED));
}

/// A stream that holds its place, and fails when its reader leaves an answer unread for too long.
struct Guarded {
    stream: TcpStream,
    stalled: Duration,
    /// Runs while a write waits.
    deadline: Option<Pin<Box<Sleep>>>,
    _place: Place,
}

impl Guarded {
    /// Passes on what a write came to; one that has to wait does so until the deadline.
    fn within_deadline<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.stalled)));
        deadline.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Guarded {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Guarded {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.within_deadline(cx, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.within_deadline(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Says each trouble now and then, however often it happens.
#[derive(Default)]
struct Log(HashMap<&'static str, Instant>);

impl Log {
    fn say(&mut self, trouble: &'static str, say: impl FnOnce()) {
        if self.0.get(trouble).is_none_or(|last| last.elapsed() >= SAID_EVERY) {
            self.0.insert(trouble, Instant::now());
            say();
        }
    }
}
