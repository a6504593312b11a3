//! The programs of the lab on threads of the operating system, with the standard library alone.

use common::{Arguments, Metrics, Repeats, Ring};
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

fn main() {
    let args = Arguments::read();
    let metrics = match args.experiment.as_str() {
        "spawn" => spawn(&args),
        "tasks" => tasks(&args),
        "ring" => ring(&args),
        "pipeline" => pipeline(&args),
        "pingpong" => pingpong(&args),
        "fanin" => fanin(&args),
        "startup" => startup(),
        "skynet" => common::bad_argument("no machine holds a tree of a million threads"),
        other => common::bad_argument(format!("there is no experiment {other}")),
    };
    metrics.print("");
}

/// Starts a thread; says so if the machine holds no more of them.
fn start<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    thread::Builder::new()
        .spawn(body)
        .unwrap_or_else(|e| common::fail(format!("a thread could not be started: {e}")))
}

fn join<T>(thread: JoinHandle<T>) -> T {
    thread
        .join()
        .unwrap_or_else(|_| common::fail("a thread crashed"))
}

/// One round of creating threads that each wait for one message, or spin, and of ending them.
fn spawn_round(n: usize, busy: bool) -> (Duration, usize, Duration) {
    let missing = Arc::new(AtomicUsize::new(n));
    let spinning = Arc::new(AtomicBool::new(true));
    let (all_wait, waiting) = mpsc::channel();
    let mut mailboxes = Vec::with_capacity(n);
    let mut threads = Vec::with_capacity(n);
    let resident = common::resident();

    let begin = Instant::now();
    for _ in 0..n {
        if busy {
            let spinning = Arc::clone(&spinning);
            threads.push(start(move || {
                while spinning.load(Ordering::Relaxed) {
                    hint::spin_loop();
                }
            }));
        } else {
            let missing = Arc::clone(&missing);
            let all_wait = all_wait.clone();
            let (mailbox, message) = mpsc::channel::<()>();
            mailboxes.push(mailbox);
            threads.push(start(move || {
                if missing.fetch_sub(1, Ordering::AcqRel) == 1 {
                    let _ = all_wait.send(());
                }
                if message.recv().is_err() {
                    common::fail("a thread lost its message");
                }
            }));
        }
    }
    if !busy {
        let _ = waiting.recv();
    }
    let created = begin.elapsed();
    let grown = common::resident().saturating_sub(resident);

    let begin = Instant::now();
    spinning.store(false, Ordering::Relaxed);
    for mailbox in mailboxes {
        if mailbox.send(()).is_err() {
            common::fail("a thread ended before its message");
        }
    }
    threads.into_iter().for_each(join);
    (created, grown, begin.elapsed())
}

fn spawn(args: &Arguments) -> Metrics {
    args.ensure_plain();
    let n = args.count("processes", 100_000);
    let busy = args.busy();
    let (cold, grown, _) = spawn_round(n, busy);
    let mut spawns = Repeats::after(cold);
    let mut ends = Vec::new();
    while spawns.few_rounds() {
        let (created, _, ended) = spawn_round(n, busy);
        spawns.add(created);
        ends.push(ended);
    }
    common::spawn_metrics(n, &spawns, &ends, grown)
}

fn tasks(args: &Arguments) -> Metrics {
    let n = args.count("tasks", 1_000_000);
    let wait = args.wait();
    let begin = Instant::now();
    let running: Vec<_> = (0..n).map(|_| start(move || thread::sleep(wait))).collect();
    let started = begin.elapsed();
    let completed = running.into_iter().map(join).count();
    let wall = begin.elapsed();
    common::ensure("completed tasks", completed, n);
    common::tasks_metrics(n, started, wall)
}

enum Lap {
    Token,
    Stop,
}

fn member(inbox: Receiver<Lap>, next: Sender<Lap>) -> usize {
    let mut count = 0;
    while let Ok(Lap::Token) = inbox.recv() {
        count += 1;
        let _ = next.send(Lap::Token);
    }
    let _ = next.send(Lap::Stop);
    count
}

fn last_member(
    inbox: Receiver<Lap>,
    first: Sender<Lap>,
    rounds: usize,
    ran_all_rounds: Sender<()>,
) -> usize {
    let mut count = 0;
    while let Ok(Lap::Token) = inbox.recv() {
        count += 1;
        let _ = if count < rounds {
            first.send(Lap::Token).is_ok()
        } else {
            ran_all_rounds.send(()).is_ok()
        };
    }
    count
}

fn run_ring(processes: usize, rounds: usize) -> Ring {
    let (ran_all_rounds, done) = mpsc::channel();
    let mut threads = Vec::with_capacity(processes);

    let begin = Instant::now();
    let (first, mut inbox) = mpsc::channel();
    for _ in 1..processes {
        let (next, inbox_of_next) = mpsc::channel();
        threads.push(start(move || member(inbox, next)));
        inbox = inbox_of_next;
    }
    let to_first = first.clone();
    threads.push(start(move || {
        last_member(inbox, to_first, rounds, ran_all_rounds)
    }));
    let setup = begin.elapsed();

    let begin = Instant::now();
    let _ = first.send(Lap::Token);
    let ran = done.recv();
    let run = begin.elapsed();

    if ran.is_err() {
        common::fail("the ring broke");
    }
    let _ = first.send(Lap::Stop);
    let messages = threads.into_iter().map(join).sum();
    common::ensure("delivered messages", messages, processes * rounds);
    Ring { setup, run }
}

fn ring(args: &Arguments) -> Metrics {
    let processes = args.count("processes", 3000);
    let rounds = args.count("rounds", 1000);
    let cold = run_ring(processes, common::few_rounds(rounds));
    let ring = run_ring(processes, rounds);
    ring.metrics(&cold, processes, rounds)
}

enum Item {
    Text(String),
    Stop,
}

fn stage(inbox: Receiver<Item>, word: &str, by: &str, next: Sender<Item>) {
    while let Ok(Item::Text(text)) = inbox.recv() {
        let _ = next.send(Item::Text(common::rewrite(&text, word, by)));
    }
    let _ = next.send(Item::Stop);
}

fn writer(inbox: Receiver<Item>) -> usize {
    let mut count = 0;
    while let Ok(Item::Text(text)) = inbox.recv() {
        common::write(&text, count);
        count += 1;
    }
    count
}

fn run_pipeline(items: usize) -> Duration {
    let begin = Instant::now();
    let (requested, to_download) = mpsc::channel();
    let (downloaded, to_index) = mpsc::channel();
    let (indexed, to_write) = mpsc::channel();
    start(move || stage(to_download, "Requested", "Downloaded", downloaded));
    start(move || stage(to_index, "Downloaded", "Indexed", indexed));
    let last = start(move || writer(to_write));
    for i in 0..items {
        let _ = requested.send(Item::Text(format!("Requested {i}")));
    }
    let _ = requested.send(Item::Stop);
    let written = join(last);
    let wall = begin.elapsed();
    common::ensure("written strings", written, items);
    wall
}

fn pipeline(args: &Arguments) -> Metrics {
    let items = args.count("items", 1_000_000);
    let mut runs = Repeats::after(run_pipeline(items));
    while runs.few() {
        runs.add(run_pipeline(items));
    }
    runs.pipeline(items)
}

fn run_pingpong(rounds: usize) -> Duration {
    let (ping, pings) = mpsc::channel();
    let (pong, pongs) = mpsc::channel();
    let answering = start(move || pings.into_iter().map(|i| pong.send(i)).count());
    let begin = Instant::now();
    for i in 0..rounds {
        let _ = ping.send(i);
        if pongs.recv() != Ok(i) {
            common::fail(format!("pong {i} did not come"));
        }
    }
    let wall = begin.elapsed();
    drop(ping);
    common::ensure("pings", join(answering), rounds);
    wall
}

fn pingpong(args: &Arguments) -> Metrics {
    let rounds = args.count("rounds", 1_000_000);
    let mut runs = Repeats::after(run_pingpong(rounds));
    while runs.few() {
        runs.add(run_pingpong(rounds));
    }
    runs.pingpong(rounds)
}

fn run_fanin(senders: usize, each: usize) -> Duration {
    let (numbers, inbox) = mpsc::channel::<usize>();
    let begin = Arc::new(Barrier::new(senders + 1));
    let threads: Vec<_> = (0..senders)
        .map(|_| {
            let numbers = numbers.clone();
            let begin = Arc::clone(&begin);
            start(move || {
                begin.wait();
                for i in 0..each {
                    let _ = numbers.send(i);
                }
            })
        })
        .collect();
    drop(numbers);
    let receiving = start(move || {
        inbox
            .into_iter()
            .fold((0, 0), |(sum, count), i| (sum + i, count + 1))
    });

    begin.wait();
    let start = Instant::now();
    let (sum, count) = join(receiving);
    let wall = start.elapsed();
    threads.into_iter().for_each(join);
    common::ensure("received messages", count, senders * each);
    common::ensure("their sum", sum, senders * common::sum_below(each));
    wall
}

fn fanin(args: &Arguments) -> Metrics {
    let senders = args.count("senders", 1000);
    let each = args.count("messages", 1000);
    let mut runs = Repeats::after(run_fanin(senders, each));
    while runs.few() {
        runs.add(run_fanin(senders, each));
    }
    runs.fanin(senders * each)
}

/// One thread answers one question.
fn startup() -> Metrics {
    let (ask, question) = mpsc::channel::<usize>();
    let answering = start(move || question.recv().map_or(0, |n| n + 1));
    let _ = ask.send(41);
    common::ensure("the answer", join(answering), 42);
    common::startup_metrics()
}
