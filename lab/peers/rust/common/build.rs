//! Tells the programs which compiler built them, and with which libraries.

use std::env;
use std::fs;
use std::process::Command;

fn main() {
    let compiler = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler)
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        .unwrap_or_default();
    println!("cargo:rustc-env=COMPILER={version}");

    println!("cargo:rerun-if-changed=../Cargo.lock");
    let lock = fs::read_to_string("../Cargo.lock").unwrap_or_default();
    for (variable, library) in [("TOKIO", "tokio"), ("ASYNC_STD", "async-std")] {
        let version = version_of(library, &lock).unwrap_or_default();
        println!("cargo:rustc-env={variable}={library} {version}");
    }
}

/// The line after the name of a package is that of its version.
fn version_of(library: &str, lock: &str) -> Option<String> {
    let name = format!("name = \"{library}\"");
    let line = lock.lines().skip_while(|line| *line != name).nth(1)?;
    line.split('"').nth(1).map(str::to_string)
}
