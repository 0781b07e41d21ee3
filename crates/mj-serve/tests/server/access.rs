//! Who is let in, and heads of requests that are none.

use crate::support::serve;
use std::io::Write;
use std::time::{Duration, Instant};

#[test]
fn the_page_needs_host_and_token() {
    let served = serve(|_| ());
    let (host, token, port) = (served.host(), served.token(), served.server.address().port());
    let get = |host: &str, path: &str, fields: &str| {
        served.ask(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{fields}\r\n").as_bytes())
    };
    let with = format!("/?token={token}");
    let page = get(&host, &with, "");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("class View") && page.ends_with("</html>\n"));
    assert!(page.contains("Content-Security-Policy: default-src 'none'"));
    assert!(get(&format!("localhost:{port}"), &with, "").starts_with("HTTP/1.1 200"));
    for wrong in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1:1", "", "127.0.0.1"] {
        assert!(get(wrong, &with, "").starts_with("HTTP/1.1 403 this host"), "{wrong}");
    }
    assert!(served.ask(format!("GET {with} HTTP/1.1\r\n\r\n").as_bytes()).starts_with("HTTP/1.1 403 this host"));
    for path in ["/", "/?token=", "/?token=0123456789abcdef0123456789abcdef", &format!("/?tokens={token}"), &with[..30]]
    {
        assert!(get(&host, path, "").starts_with("HTTP/1.1 403 the token"), "{path}");
    }
    for origin in ["http://evil.example", "null", "https://localhost", &format!("http://localhost:{port}")] {
        let answer = get(&host, &with, &format!("Origin: {origin}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 403 pages of other origins"), "{origin}: {answer}");
    }
    assert!(get(&host, &with, &format!("Origin: http://{host}\r\n")).starts_with("HTTP/1.1 200"));
    assert!(get(&host, &format!("/etc/passwd?token={token}"), "").starts_with("HTTP/1.1 404"));
    assert!(get(&host, &format!("/stream?token={token}"), "").starts_with("HTTP/1.1 400"));
}

#[test]
fn messages_need_host_origin_and_token() {
    let served = serve(|_| ());
    let (host, token) = (served.host(), served.token());
    let first = |text: String| served.ask(text.as_bytes()).lines().next().unwrap_or_default().to_string();
    assert!(first(served.upgrade("evil.example", &token, "")).starts_with("HTTP/1.1 403 this host"));
    assert!(first(served.upgrade(&host, "", "")).starts_with("HTTP/1.1 403 the token"));
    let other = "Origin: http://evil.example\r\n";
    assert!(first(served.upgrade(&host, &token, other)).starts_with("HTTP/1.1 403 pages"));
    assert_eq!(served.server.watchers(), 0);
    assert!(served.watch().unwrap().frame().is_some());
}

#[test]
fn heads_that_are_none_are_refused() {
    let served = serve(|options| options.patience = Duration::from_millis(300));
    assert!(served.ask(b"POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(served.ask(b"\xff\xfe\x00\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(served.ask(&[b'a'; 20_000]).starts_with("HTTP/1.1 431"));
    // A head that never ends, a byte at a time.
    let start = Instant::now();
    let mut slow = served.connect();
    while slow.write_all(b"G").is_ok() && start.elapsed() < Duration::from_secs(15) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(start.elapsed() < Duration::from_secs(10), "a slow head was not given up");
    assert!(served.watch().unwrap().frame().is_some());
}
