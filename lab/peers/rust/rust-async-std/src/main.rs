//! The programs of the lab on async-std, with its defaults: tasks on as many workers as there are cores.

use async_channel::{Receiver, Sender};
use async_std::task;
use common::{Arguments, Metrics, Repeats, Ring};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The program runs in a task, as those that it measures do.
fn main() {
    task::block_on(task::spawn(run(Arguments::read()))).print(common::ASYNC_STD);
}

async fn run(args: Arguments) -> Metrics {
    match args.experiment.as_str() {
        "spawn" => spawn(&args).await,
        "tasks" => tasks(&args).await,
        "ring" => ring(&args).await,
        "pipeline" => pipeline(&args).await,
        "pingpong" => pingpong(&args).await,
        "fanin" => fanin(&args).await,
        "skynet" => skynet(&args).await,
        "startup" => startup().await,
        other => common::bad_argument(format!("there is no experiment {other}")),
    }
}

/// Tells when as many have arrived as were expected.
struct Gathering {
    missing: AtomicUsize,
    complete: Sender<()>,
}

impl Gathering {
    fn of(n: usize) -> (Arc<Self>, Receiver<()>) {
        let (complete, completion) = async_channel::bounded(1);
        (
            Arc::new(Gathering {
                missing: AtomicUsize::new(n),
                complete,
            }),
            completion,
        )
    }

    fn arrive(&self) {
        if self.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _ = self.complete.try_send(());
        }
    }
}

/// One round of creating tasks that each wait for one message, or spin, and of ending them.
async fn spawn_round(n: usize, busy: bool) -> (Duration, usize, Duration) {
    let (waiting, all_wait) = Gathering::of(n);
    let (ended, all_ended) = Gathering::of(n);
    let spinning = Arc::new(AtomicBool::new(true));
    let mut mailboxes = Vec::with_capacity(n);
    let resident = common::resident();

    let start = Instant::now();
    for _ in 0..n {
        let ended = Arc::clone(&ended);
        if busy {
            let spinning = Arc::clone(&spinning);
            task::spawn(async move {
                while spinning.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
                ended.arrive();
            });
        } else {
            let waiting = Arc::clone(&waiting);
            let (mailbox, message) = async_channel::bounded::<()>(1);
            mailboxes.push(mailbox);
            task::spawn(async move {
                waiting.arrive();
                if message.recv().await.is_err() {
                    common::fail("a task lost its message");
                }
                ended.arrive();
            });
        }
    }
    if !busy {
        let _ = all_wait.recv().await;
    }
    let created = start.elapsed();
    let grown = common::resident().saturating_sub(resident);

    let start = Instant::now();
    spinning.store(false, Ordering::Relaxed);
    for mailbox in mailboxes {
        if mailbox.try_send(()).is_err() {
            common::fail("a task ended before its message");
        }
    }
    let _ = all_ended.recv().await;
    (created, grown, start.elapsed())
}

async fn spawn(args: &Arguments) -> Metrics {
    args.ensure_plain();
    let n = args.count("processes", 100_000);
    let busy = args.busy();
    let (cold, grown, _) = spawn_round(n, busy).await;
    let mut spawns = Repeats::after(cold);
    let mut ends = Vec::new();
    while spawns.few_rounds() {
        let (created, _, ended) = spawn_round(n, busy).await;
        spawns.add(created);
        ends.push(ended);
    }
    common::spawn_metrics(n, &spawns, &ends, grown)
}

async fn tasks(args: &Arguments) -> Metrics {
    let n = args.count("tasks", 1_000_000);
    let wait = args.wait();
    let start = Instant::now();
    let mut running = Vec::with_capacity(n);
    for _ in 0..n {
        running.push(task::spawn(task::sleep(wait)));
    }
    let started = start.elapsed();
    let mut completed = 0;
    for task in running {
        task.await;
        completed += 1;
    }
    let wall = start.elapsed();
    common::ensure("completed tasks", completed, n);
    common::tasks_metrics(n, started, wall)
}

enum Lap {
    Token,
    Stop,
}

async fn member(inbox: Receiver<Lap>, next: Sender<Lap>, counts: Sender<usize>) {
    let mut count = 0;
    while let Ok(Lap::Token) = inbox.recv().await {
        count += 1;
        let _ = next.try_send(Lap::Token);
    }
    let _ = counts.try_send(count);
    let _ = next.try_send(Lap::Stop);
}

async fn last_member(
    inbox: Receiver<Lap>,
    first: Sender<Lap>,
    rounds: usize,
    ran_all_rounds: Sender<()>,
    counts: Sender<usize>,
) {
    let mut count = 0;
    while let Ok(Lap::Token) = inbox.recv().await {
        count += 1;
        if count < rounds {
            let _ = first.try_send(Lap::Token);
        } else {
            let _ = ran_all_rounds.try_send(());
        }
    }
    let _ = counts.try_send(count);
}

async fn run_ring(processes: usize, rounds: usize) -> Ring {
    let (counts, counted) = async_channel::unbounded();
    let (ran_all_rounds, done) = async_channel::bounded(1);

    let start = Instant::now();
    let (first, mut inbox) = async_channel::unbounded();
    for _ in 1..processes {
        let (next, inbox_of_next) = async_channel::unbounded();
        task::spawn(member(inbox, next, counts.clone()));
        inbox = inbox_of_next;
    }
    task::spawn(last_member(
        inbox,
        first.clone(),
        rounds,
        ran_all_rounds,
        counts,
    ));
    let setup = start.elapsed();

    let start = Instant::now();
    let _ = first.try_send(Lap::Token);
    let ran = done.recv().await;
    let run = start.elapsed();

    if ran.is_err() {
        common::fail("the ring broke");
    }
    let _ = first.try_send(Lap::Stop);
    let mut messages = 0;
    while let Ok(count) = counted.recv().await {
        messages += count;
    }
    common::ensure("delivered messages", messages, processes * rounds);
    Ring { setup, run }
}

async fn ring(args: &Arguments) -> Metrics {
    let processes = args.count("processes", 3000);
    let rounds = args.count("rounds", 1000);
    let cold = run_ring(processes, common::few_rounds(rounds)).await;
    let ring = run_ring(processes, rounds).await;
    ring.metrics(&cold, processes, rounds)
}

enum Item {
    Text(String),
    Stop,
}

async fn stage(inbox: Receiver<Item>, word: &'static str, by: &'static str, next: Sender<Item>) {
    while let Ok(Item::Text(text)) = inbox.recv().await {
        let _ = next.try_send(Item::Text(common::rewrite(&text, word, by)));
    }
    let _ = next.try_send(Item::Stop);
}

async fn writer(inbox: Receiver<Item>) -> usize {
    let mut count = 0;
    while let Ok(Item::Text(text)) = inbox.recv().await {
        common::write(&text, count);
        count += 1;
    }
    count
}

async fn run_pipeline(items: usize) -> Duration {
    let start = Instant::now();
    let (requested, to_download) = async_channel::unbounded();
    let (downloaded, to_index) = async_channel::unbounded();
    let (indexed, to_write) = async_channel::unbounded();
    task::spawn(stage(to_download, "Requested", "Downloaded", downloaded));
    task::spawn(stage(to_index, "Downloaded", "Indexed", indexed));
    let last = task::spawn(writer(to_write));
    for i in 0..items {
        let _ = requested.try_send(Item::Text(format!("Requested {i}")));
    }
    let _ = requested.try_send(Item::Stop);
    let written = last.await;
    let wall = start.elapsed();
    common::ensure("written strings", written, items);
    wall
}

async fn pipeline(args: &Arguments) -> Metrics {
    let items = args.count("items", 1_000_000);
    let mut runs = Repeats::after(run_pipeline(items).await);
    while runs.few() {
        runs.add(run_pipeline(items).await);
    }
    runs.pipeline(items)
}

async fn run_pingpong(rounds: usize) -> Duration {
    let (ping, pings) = async_channel::unbounded();
    let (pong, pongs) = async_channel::unbounded();
    let answering = task::spawn(async move {
        let mut count = 0;
        while let Ok(i) = pings.recv().await {
            let _ = pong.try_send(i);
            count += 1;
        }
        count
    });
    let start = Instant::now();
    let asking = task::spawn(async move {
        for i in 0..rounds {
            let _ = ping.try_send(i);
            if pongs.recv().await != Ok(i) {
                common::fail(format!("pong {i} did not come"));
            }
        }
    });
    asking.await;
    let wall = start.elapsed();
    common::ensure("pings", answering.await, rounds);
    wall
}

async fn pingpong(args: &Arguments) -> Metrics {
    let rounds = args.count("rounds", 1_000_000);
    let mut runs = Repeats::after(run_pingpong(rounds).await);
    while runs.few() {
        runs.add(run_pingpong(rounds).await);
    }
    runs.pingpong(rounds)
}

async fn run_fanin(senders: usize, each: usize) -> Duration {
    let (numbers, inbox) = async_channel::unbounded::<usize>();
    let (begin, begun) = async_channel::bounded::<()>(1);
    let (ready, all_ready) = Gathering::of(senders);
    for _ in 0..senders {
        let numbers = numbers.clone();
        let begun = begun.clone();
        let ready = Arc::clone(&ready);
        task::spawn(async move {
            ready.arrive();
            if begun.recv().await.is_ok() {
                common::fail("a sender began too early");
            }
            for i in 0..each {
                let _ = numbers.try_send(i);
            }
        });
    }
    drop(numbers);
    let receiving = task::spawn(async move {
        let mut sum = 0;
        let mut count = 0;
        while let Ok(i) = inbox.recv().await {
            sum += i;
            count += 1;
        }
        (sum, count)
    });
    let _ = all_ready.recv().await;

    let start = Instant::now();
    begin.close();
    let (sum, count) = receiving.await;
    let wall = start.elapsed();
    common::ensure("received messages", count, senders * each);
    common::ensure("their sum", sum, senders * common::sum_below(each));
    wall
}

async fn fanin(args: &Arguments) -> Metrics {
    let senders = args.count("senders", 1000);
    let each = args.count("messages", 1000);
    let mut runs = Repeats::after(run_fanin(senders, each).await);
    while runs.few() {
        runs.add(run_fanin(senders, each).await);
    }
    runs.fanin(senders * each)
}

/// A leaf reports its number, any other task the sum of its ten children.
fn node(parent: Sender<usize>, number: usize, leaves: usize) {
    task::spawn(async move {
        if leaves == 1 {
            let _ = parent.try_send(number);
            return;
        }
        let each = leaves / 10;
        let (report, reports) = async_channel::unbounded();
        for i in 0..10 {
            node(report.clone(), number + i * each, each);
        }
        drop(report);
        let mut sum = 0;
        while let Ok(part) = reports.recv().await {
            sum += part;
        }
        let _ = parent.try_send(sum);
    });
}

async fn run_skynet(leaves: usize) -> Duration {
    let start = Instant::now();
    let (report, result) = async_channel::unbounded();
    node(report, 0, leaves);
    let sum = result.recv().await.unwrap_or(0);
    let wall = start.elapsed();
    common::ensure("the sum of the leaves", sum, common::sum_below(leaves));
    wall
}

async fn skynet(args: &Arguments) -> Metrics {
    let leaves = args.leaves();
    let mut runs = Repeats::after(run_skynet(leaves).await);
    while runs.few() {
        runs.add(run_skynet(leaves).await);
    }
    runs.skynet(leaves)
}

/// One task answers one question.
async fn startup() -> Metrics {
    let (ask, question) = async_channel::unbounded::<usize>();
    let answering = task::spawn(async move { question.recv().await.map_or(0, |n| n + 1) });
    let _ = ask.send(41).await;
    common::ensure("the answer", answering.await, 42);
    common::startup_metrics()
}
