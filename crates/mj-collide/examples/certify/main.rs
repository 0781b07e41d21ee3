//! Certifies the signed distances of random pairs of every two convex kinds, and prints how many failed.
//!
//!     cargo run --release -p mj-collide --example certify -- 1000000
//!
//! takes an hour of one core; a second number is how many threads share the work. Words after the numbers choose: `free`
//! or `aligned` placements, and kinds of shapes (`sphere`, `capsule`, …), of which both of a pair must be named. The pairs
//! are the same every time.

mod certificate;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use certificate::{KINDS, Placing, Tally, certify};

/// Pairs that one thread takes at a time.
const PORTION: usize = 10_000;

fn main() {
    let (numbers, words): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let mut numbers = numbers.iter().map(|word| word.parse::<usize>().unwrap_or_else(|_| usage()));
    let count = numbers.next().unwrap_or(PORTION);
    let threads = numbers.next().unwrap_or(1).max(1);
    let chosen = |name: String| words.iter().any(|word| name.eq_ignore_ascii_case(word));
    let mut placings = vec![Placing::Free, Placing::Aligned];
    if placings.iter().any(|p| chosen(format!("{p:?}"))) {
        placings.retain(|p| chosen(format!("{p:?}")));
    }
    let mut kinds = KINDS.to_vec();
    if kinds.iter().any(|k| chosen(format!("{k:?}"))) {
        kinds.retain(|k| chosen(format!("{k:?}")));
    }
    let known = |word: &&String| {
        let is = |name: String| name.eq_ignore_ascii_case(word);
        placings.iter().any(|p| is(format!("{p:?}"))) || kinds.iter().any(|k| is(format!("{k:?}")))
    };
    if !words.iter().all(|word| known(&word)) {
        usage();
    }

    let mut failures = 0;
    for placing in placings {
        println!("{placing:?}: {count} pairs of each two kinds\n");
        println!("| kinds | apart | overlapping | largest error, sizes | failed |");
        println!("| --- | --- | --- | --- | --- |");
        for (i, &first) in kinds.iter().enumerate() {
            for &second in &kinds[i..] {
                let total = shared(count, threads, |portion, seed| certify([first, second], placing, portion, seed));
                let over = total.pairs - total.apart;
                println!(
                    "| {first:?}, {second:?} | {} | {over} | {:.1e} | {} |",
                    total.apart, total.worst, total.failed
                );
                if !total.example.is_empty() {
                    eprintln!("{first:?}, {second:?}: {}", total.example);
                }
                failures += total.failed;
            }
        }
        println!();
    }
    println!("{failures} failed");
    std::process::exit(i32::from(failures > 0));
}

fn usage() -> usize {
    eprintln!("usage: certify [PAIRS [THREADS]] [free | aligned] [KIND...]");
    std::process::exit(2);
}

/// Splits `count` pairs among threads; what comes out doesn't depend on how many there are.
fn shared(count: usize, threads: usize, work: impl Fn(usize, u64) -> Tally + Sync) -> Tally {
    let portions = count.div_ceil(PORTION);
    let (next, work) = (AtomicUsize::new(0), &work);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(portions) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let portion = next.fetch_add(1, Ordering::Relaxed);
                    if portion >= portions {
                        break;
                    }
                    let pairs = PORTION.min(count - portion * PORTION);
                    // The receiver outlives the threads.
                    let _ = sender.send((portion, work(pairs, portion as u64)));
                }
            });
        }
    });
    drop(sender);
    let mut parts: Vec<(usize, Tally)> = receiver.into_iter().collect();
    parts.sort_by_key(|&(portion, _)| portion);
    parts.into_iter().fold(Tally::default(), |mut total, (_, part)| {
        total.pairs += part.pairs;
        total.apart += part.apart;
        total.failed += part.failed;
        total.worst = total.worst.max(part.worst);
        if total.example.is_empty() {
            total.example = part.example;
        }
        total
    })
}
