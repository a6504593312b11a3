//! The programs of the lab on tokio, with its defaults: tasks on as many workers as there are cores.

use common::{Arguments, Metrics, Repeats, Ring};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, Notify, Semaphore};

/// The program runs in a task, since what the main thread itself awaits runs outside of the workers.
#[tokio::main]
async fn main() {
    let metrics = tokio::spawn(run(Arguments::read()))
        .await
        .unwrap_or_else(|e| common::fail(format!("the program crashed: {e}")));
    metrics.print(common::TOKIO);
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
    complete: Notify,
}

impl Gathering {
    fn of(n: usize) -> Arc<Self> {
        Arc::new(Gathering {
            missing: AtomicUsize::new(n),
            complete: Notify::new(),
        })
    }

    fn arrive(&self) {
        if self.missing.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.complete.notify_one();
        }
    }
}

/// One round of creating tasks that each wait for one message, or spin, and of ending them.
async fn spawn_round(n: usize, busy: bool) -> (Duration, usize, Duration) {
    let waiting = Gathering::of(n);
    let ended = Gathering::of(n);
    let spinning = Arc::new(AtomicBool::new(true));
    let mut mailboxes = Vec::with_capacity(n);
    let resident = common::resident();

    let start = Instant::now();
    for _ in 0..n {
        let ended = Arc::clone(&ended);
        if busy {
            let spinning = Arc::clone(&spinning);
            tokio::spawn(async move {
                while spinning.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
                ended.arrive();
            });
        } else {
            let waiting = Arc::clone(&waiting);
            let (mailbox, message) = oneshot::channel::<()>();
            mailboxes.push(mailbox);
            tokio::spawn(async move {
                waiting.arrive();
                if message.await.is_err() {
                    common::fail("a task lost its message");
                }
                ended.arrive();
            });
        }
    }
    if !busy {
        waiting.complete.notified().await;
    }
    let created = start.elapsed();
    let grown = common::resident().saturating_sub(resident);

    let start = Instant::now();
    spinning.store(false, Ordering::Relaxed);
    for mailbox in mailboxes {
        if mailbox.send(()).is_err() {
            common::fail("a task ended before its message");
        }
    }
    ended.complete.notified().await;
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
        running.push(tokio::spawn(tokio::time::sleep(wait)));
    }
    let started = start.elapsed();
    let mut completed = 0;
    for task in running {
        completed += usize::from(task.await.is_ok());
    }
    let wall = start.elapsed();
    common::ensure("completed tasks", completed, n);
    common::tasks_metrics(n, started, wall)
}

enum Lap {
    Token,
    Stop,
}

async fn member(
    mut inbox: mpsc::UnboundedReceiver<Lap>,
    next: mpsc::UnboundedSender<Lap>,
    counts: mpsc::UnboundedSender<usize>,
) {
    let mut count = 0;
    while let Some(Lap::Token) = inbox.recv().await {
        count += 1;
        let _ = next.send(Lap::Token);
    }
    let _ = counts.send(count);
    let _ = next.send(Lap::Stop);
}

async fn last_member(
    mut inbox: mpsc::UnboundedReceiver<Lap>,
    first: mpsc::UnboundedSender<Lap>,
    rounds: usize,
    ran_all_rounds: oneshot::Sender<()>,
    counts: mpsc::UnboundedSender<usize>,
) {
    let mut count = 0;
    let mut ran_all_rounds = Some(ran_all_rounds);
    while let Some(Lap::Token) = inbox.recv().await {
        count += 1;
        if count < rounds {
            let _ = first.send(Lap::Token);
        } else if let Some(done) = ran_all_rounds.take() {
            let _ = done.send(());
        }
    }
    let _ = counts.send(count);
}

async fn run_ring(processes: usize, rounds: usize) -> Ring {
    let (counts, mut counted) = mpsc::unbounded_channel();
    let (ran_all_rounds, done) = oneshot::channel();

    let start = Instant::now();
    let (first, mut inbox) = mpsc::unbounded_channel();
    for _ in 1..processes {
        let (next, inbox_of_next) = mpsc::unbounded_channel();
        tokio::spawn(member(inbox, next, counts.clone()));
        inbox = inbox_of_next;
    }
    tokio::spawn(last_member(
        inbox,
        first.clone(),
        rounds,
        ran_all_rounds,
        counts,
    ));
    let setup = start.elapsed();

    let start = Instant::now();
    let _ = first.send(Lap::Token);
    let ran = done.await;
    let run = start.elapsed();

    if ran.is_err() {
        common::fail("the ring broke");
    }
    let _ = first.send(Lap::Stop);
    let mut messages = 0;
    while let Some(count) = counted.recv().await {
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

async fn stage(
    mut inbox: mpsc::UnboundedReceiver<Item>,
    word: &'static str,
    by: &'static str,
    next: mpsc::UnboundedSender<Item>,
) {
    while let Some(Item::Text(text)) = inbox.recv().await {
        let _ = next.send(Item::Text(common::rewrite(&text, word, by)));
    }
    let _ = next.send(Item::Stop);
}

async fn writer(mut inbox: mpsc::UnboundedReceiver<Item>) -> usize {
    let mut count = 0;
    while let Some(Item::Text(text)) = inbox.recv().await {
        common::write(&text, count);
        count += 1;
    }
    count
}

async fn run_pipeline(items: usize) -> Duration {
    let start = Instant::now();
    let (requested, to_download) = mpsc::unbounded_channel();
    let (downloaded, to_index) = mpsc::unbounded_channel();
    let (indexed, to_write) = mpsc::unbounded_channel();
    tokio::spawn(stage(to_download, "Requested", "Downloaded", downloaded));
    tokio::spawn(stage(to_index, "Downloaded", "Indexed", indexed));
    let last = tokio::spawn(writer(to_write));
    for i in 0..items {
        let _ = requested.send(Item::Text(format!("Requested {i}")));
    }
    let _ = requested.send(Item::Stop);
    let written = last.await.unwrap_or(0);
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
    let (ping, mut pings) = mpsc::unbounded_channel();
    let (pong, mut pongs) = mpsc::unbounded_channel();
    let answering = tokio::spawn(async move {
        let mut count = 0;
        while let Some(i) = pings.recv().await {
            let _ = pong.send(i);
            count += 1;
        }
        count
    });
    let start = Instant::now();
    let asking = tokio::spawn(async move {
        for i in 0..rounds {
            let _ = ping.send(i);
            if pongs.recv().await != Some(i) {
                common::fail(format!("pong {i} did not come"));
            }
        }
    });
    let asked = asking.await;
    let wall = start.elapsed();
    if asked.is_err() {
        common::fail("the one who sends pings crashed");
    }
    common::ensure("pings", answering.await.unwrap_or(0), rounds);
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
    let (numbers, mut inbox) = mpsc::unbounded_channel::<usize>();
    let begin = Arc::new(Semaphore::new(0));
    let ready = Gathering::of(senders);
    for _ in 0..senders {
        let numbers = numbers.clone();
        let begin = Arc::clone(&begin);
        let ready = Arc::clone(&ready);
        tokio::spawn(async move {
            ready.arrive();
            if begin.acquire().await.is_ok() {
                common::fail("a sender began too early");
            }
            for i in 0..each {
                let _ = numbers.send(i);
            }
        });
    }
    drop(numbers);
    let receiving = tokio::spawn(async move {
        let mut sum = 0;
        let mut count = 0;
        while let Some(i) = inbox.recv().await {
            sum += i;
            count += 1;
        }
        (sum, count)
    });
    ready.complete.notified().await;

    let start = Instant::now();
    begin.close();
    let (sum, count) = receiving.await.unwrap_or((0, 0));
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
fn node(parent: mpsc::UnboundedSender<usize>, number: usize, leaves: usize) {
    tokio::spawn(async move {
        if leaves == 1 {
            let _ = parent.send(number);
            return;
        }
        let each = leaves / 10;
        let (report, mut reports) = mpsc::unbounded_channel();
        for i in 0..10 {
            node(report.clone(), number + i * each, each);
        }
        drop(report);
        let mut sum = 0;
        while let Some(part) = reports.recv().await {
            sum += part;
        }
        let _ = parent.send(sum);
    });
}

async fn run_skynet(leaves: usize) -> Duration {
    let start = Instant::now();
    let (report, mut result) = mpsc::unbounded_channel();
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
    let (ask, question) = oneshot::channel::<usize>();
    let answering = tokio::spawn(async move { question.await.map_or(0, |n| n + 1) });
    let _ = ask.send(41);
    common::ensure("the answer", answering.await.unwrap_or(0), 42);
    common::startup_metrics()
}
