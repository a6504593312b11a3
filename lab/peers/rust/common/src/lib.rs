//! What the programs of all Rust runtimes have in common: arguments, the watch, and the report.

use std::collections::HashMap;
use std::env;
use std::fmt::Display;
use std::fs;
use std::process;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Which program to run, and its arguments `name=value`.
pub struct Arguments {
    pub experiment: String,
    values: HashMap<String, String>,
}

impl Arguments {
    pub fn read() -> Self {
        let mut words = env::args().skip(1);
        let experiment = words
            .next()
            .unwrap_or_else(|| bad_argument("say which experiment to run, such as ring"));
        let values = words
            .map(|word| match word.split_once('=') {
                Some((name, value)) => (name.to_string(), value.to_string()),
                None => bad_argument(format!("\"{word}\" is not of the form name=value")),
            })
            .collect();
        Arguments { experiment, values }
    }

    fn text<'a>(&'a self, name: &str, preset: &'a str) -> &'a str {
        self.values.get(name).map_or(preset, String::as_str)
    }

    /// A whole number of at least 1.
    pub fn count(&self, name: &str, preset: usize) -> usize {
        let text = self.text(name, "");
        if text.is_empty() {
            return preset;
        }
        positive(text).unwrap_or_else(|| {
            bad_argument(format!("{name}={text} is not a whole number of at least 1"))
        })
    }

    /// How long each task waits: `wait=10000ms`.
    pub fn wait(&self) -> Duration {
        let text = self.text("wait", "10000ms");
        text.strip_suffix("ms")
            .and_then(positive)
            .map(Duration::from_millis)
            .unwrap_or_else(|| bad_argument(format!("wait={text} is not a time such as 10000ms")))
    }

    pub fn busy(&self) -> bool {
        let text = self.text("busy", "false");
        text.parse()
            .unwrap_or_else(|_| bad_argument(format!("busy={text} is neither true nor false")))
    }

    /// Tasks and threads have neither links nor monitors.
    pub fn ensure_plain(&self) {
        let kind = self.text("kind", "plain");
        if kind != "plain" {
            bad_argument(format!(
                "there are no links and no monitors, so no kind={kind}"
            ));
        }
    }

    pub fn leaves(&self) -> usize {
        let leaves = self.count("leaves", 1_000_000);
        let mut n = leaves;
        while n > 1 {
            if n % 10 != 0 {
                bad_argument(format!("leaves={leaves} is not a power of ten"));
            }
            n /= 10;
        }
        leaves
    }
}

fn positive<T: FromStr + PartialOrd + Default>(text: &str) -> Option<T> {
    text.parse().ok().filter(|n| *n > T::default())
}

/// Ends the program: it was asked for what cannot be done.
pub fn bad_argument(sentence: impl Display) -> ! {
    eprintln!("{sentence}.");
    process::exit(2)
}

/// Ends the program because its result is wrong.
pub fn fail(sentence: impl Display) -> ! {
    eprintln!("{sentence}.");
    process::exit(1)
}

/// Ends the program if a count is not what it must be.
pub fn ensure(what: &str, actual: usize, expected: usize) {
    if actual != expected {
        fail(format!("{what}: {actual} instead of {expected}"));
    }
}

/// The libraries with their versions.
pub const TOKIO: &str = env!("TOKIO");
pub const ASYNC_STD: &str = env!("ASYNC_STD");

/// What was measured and counted.
#[derive(Default)]
pub struct Metrics(Vec<String>);

impl Metrics {
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.0.push(format!("\"{name}\":{value}"));
        self
    }

    /// Prints the report of a program that was built with such a library.
    pub fn print(self, library: &str) {
        let fields = self.0.join(",");
        let version = [library, env!("COMPILER")].join(", ");
        let version = version.trim_start_matches(", ");
        println!("{{\"metrics\":{{{fields}}},\"runtime_version\":\"{version}\"}}");
    }
}

pub fn nanos_each(time: Duration, n: usize) -> f64 {
    time.as_nanos() as f64 / n as f64
}

pub fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted[sorted.len() / 2]
}

/// The times of a first run and of those after it.
pub struct Repeats {
    pub cold: Duration,
    pub warm: Vec<Duration>,
    begin: Instant,
}

impl Repeats {
    pub fn after(cold: Duration) -> Self {
        Repeats {
            cold,
            warm: Vec::new(),
            begin: Instant::now(),
        }
    }

    pub fn add(&mut self, time: Duration) {
        self.warm.push(time);
    }

    /// For whole runs: at least three, and at least three seconds.
    pub fn few(&self) -> bool {
        self.warm.len() < 3 || self.begin.elapsed() < Duration::from_secs(3)
    }

    /// For rounds of spawning: at least five and at least one second, at most 101.
    pub fn few_rounds(&self) -> bool {
        let rounds = self.warm.len();
        rounds < 5 || (rounds < 101 && self.begin.elapsed() < Duration::from_secs(1))
    }

    pub fn median(&self) -> Duration {
        median(&self.warm)
    }

    pub fn pipeline(&self, items: usize) -> Metrics {
        Metrics::default()
            .with("wall_seconds", self.median().as_secs_f64())
            .with("wall_seconds_cold", self.cold.as_secs_f64())
            .with("completed", items)
    }

    pub fn pingpong(&self, rounds: usize) -> Metrics {
        Metrics::default()
            .with("ns_per_round", nanos_each(self.median(), rounds))
            .with("ns_per_round_cold", nanos_each(self.cold, rounds))
            .with("messages", 2 * rounds)
    }

    pub fn fanin(&self, messages: usize) -> Metrics {
        let rate = |time: Duration| messages as f64 / time.as_secs_f64();
        Metrics::default()
            .with("messages_per_second", rate(self.median()))
            .with("messages_per_second_cold", rate(self.cold))
            .with("messages", messages)
    }

    pub fn skynet(&self, leaves: usize) -> Metrics {
        Metrics::default()
            .with("ms", self.median().as_secs_f64() * 1e3)
            .with("ms_cold", self.cold.as_secs_f64() * 1e3)
            .with("sum", sum_below(leaves))
    }
}

/// The times of a ring of processes.
pub struct Ring {
    pub setup: Duration,
    pub run: Duration,
}

impl Ring {
    /// The report of a ring, after a cold one with a tenth of the rounds.
    pub fn metrics(&self, cold: &Ring, processes: usize, rounds: usize) -> Metrics {
        let messages = processes * rounds;
        Metrics::default()
            .with("us_per_spawn", nanos_each(self.setup, processes) / 1e3)
            .with("ns_per_message", nanos_each(self.run, messages))
            .with("messages", messages)
            .with("setup_seconds", self.setup.as_secs_f64())
            .with("run_seconds", self.run.as_secs_f64())
            .with("us_per_spawn_cold", nanos_each(cold.setup, processes) / 1e3)
            .with(
                "ns_per_message_cold",
                nanos_each(cold.run, processes * few_rounds(rounds)),
            )
    }
}

/// The rounds of the cold ring.
pub fn few_rounds(rounds: usize) -> usize {
    (rounds / 10).max(1)
}

/// The report of spawning: memory is what the resident memory grew by in the cold round.
pub fn spawn_metrics(n: usize, spawns: &Repeats, ends: &[Duration], grown: usize) -> Metrics {
    let rounds = 1 + spawns.warm.len();
    Metrics::default()
        .with("ns_per_spawn", nanos_each(spawns.median(), n))
        .with("bytes_per_process", grown as f64 / n as f64)
        .with("rss_bytes_per_process", grown as f64 / n as f64)
        .with("ns_per_spawn_cold", nanos_each(spawns.cold, n))
        .with("ns_per_end", nanos_each(median(ends), n))
        .with("rounds", rounds)
        .with("ended", rounds * n)
}

pub fn tasks_metrics(n: usize, started: Duration, wall: Duration) -> Metrics {
    Metrics::default()
        .with("wall_seconds", wall.as_secs_f64())
        .with("start_seconds", started.as_secs_f64())
        .with("completed", n)
}

pub fn startup_metrics() -> Metrics {
    Metrics::default().with("answers", 1)
}

/// The sum of 0, 1, … n - 1.
pub fn sum_below(n: usize) -> usize {
    n * (n - 1) / 2
}

/// The bytes that this process has resident; 0 where nobody tells.
pub fn resident() -> usize {
    fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| {
            let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
            line.split_whitespace().nth(1)?.parse::<usize>().ok()
        })
        .map_or(0, |kb| kb * 1024)
}

/// One stage's work: replaces the first occurrence of a word.
pub fn rewrite(text: &str, word: &str, by: &str) -> String {
    text.replacen(word, by, 1)
}

/// The last stage's work on its i-th string: replaces the word and checks what came of it.
pub fn write(text: &str, i: usize) {
    let wrote = rewrite(text, "Indexed", "Wrote");
    let number = wrote
        .strip_prefix("Wrote ")
        .and_then(|number| number.parse().ok());
    if number != Some(i) {
        fail(format!("the last stage wrote \"{wrote}\""));
    }
}
