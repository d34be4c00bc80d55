//! A browser without a window, driven through its debugging pipe: no port, no other program.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long an answer may take before the test fails.
const WATCHDOG: Duration = Duration::from_secs(60);

/// One page in a browser.
pub(crate) struct Browser {
    child: Child,
    input: File,
    messages: Receiver<Value>,
    /// Events that came while an answer was waited for.
    events: Vec<Value>,
    session: Option<String>,
    calls: u64,
    _place: tempfile::TempDir,
}

impl Browser {
    /// Starts one, where there is one.
    pub(crate) fn start() -> Option<Self> {
        let program = program()?;
        let place = tempfile::tempdir().expect("a place");
        // Its descriptors 3 and 4. A shell opens them, since the standard library passes on no others than the first three.
        let [input, output] = ["input", "output"].map(|name| pipe(&place.path().join(name)));
        let child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<\"$INPUT\" 4>\"$OUTPUT\"", "sh"])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--remote-debugging-pipe",
                "--no-first-run",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={}", place.path().join("profile").display()))
            .arg("about:blank")
            .env("INPUT", place.path().join("input"))
            .env("OUTPUT", place.path().join("output"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let (send, messages) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(output).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("a message in JSON");
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let (events, session, calls) = (Vec::new(), None, 0);
        let mut browser = Self { child, input, messages, events, session, calls, _place: place };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Network", "Log", "Runtime"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// One call of the protocol; its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut call = json!({"id": self.calls, "method": method, "params": params});
        if let Some(session) = &self.session {
            call["sessionId"] = session.clone().into();
        }
        self.input.write_all(format!("{call}\0").as_bytes()).expect("the browser listens");
        loop {
            let message = self.next();
            if message["id"] == self.calls {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn next(&self) -> Value {
        self.messages.recv_timeout(WATCHDOG).expect("the browser answers")
    }

    /// Shows a file and waits until it is there.
    pub(crate) fn open(&mut self, file: &Path) {
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.next();
            self.events.push(event);
        }
    }

    /// The size of the window and the scheme of colours; the page is laid out anew.
    pub(crate) fn look(&mut self, width: u32, height: u32, scheme: &str) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    /// The value of an expression in the page; a promise is waited for.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let outcome = self.call("Runtime.evaluate", params);
        assert!(outcome["exceptionDetails"].is_null(), "{expression}: {outcome}");
        outcome["result"]["value"].clone()
    }

    /// Presses a key, as a person does.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Tab" => (9, ""),
            "ArrowLeft" => (37, ""),
            "ArrowRight" => (39, ""),
            other => panic!("no code for {other}"),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let params =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// What the window shows, as PNG in base64.
    pub(crate) fn picture(&mut self) -> String {
        self.call("Page.captureScreenshot", json!({}))["data"].as_str().expect("a picture").to_owned()
    }

    /// Addresses that the page asked for so far, and what its console complains of.
    pub(crate) fn asked(&self) -> (Vec<String>, Vec<String>) {
        let of = |method: &'static str| self.events.iter().filter(move |event| event["method"] == method);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let addresses = of("Network.requestWillBeSent").map(|event| text(&event["params"]["request"]["url"]));
        let logged = of("Log.entryAdded").map(|event| text(&event["params"]["entry"]["text"]));
        let thrown = of("Runtime.exceptionThrown").map(|event| event["params"].to_string());
        (addresses.collect(), logged.chain(thrown).collect())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _gone_already = self.child.kill();
        let _gone_already = self.child.wait();
    }
}

/// A browser in the path.
fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name))).find(|file| file.is_file())
}

/// A named pipe, open at both ends, so that nobody waits for the other to open it.
fn pipe(path: &Path) -> File {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    File::options().read(true).write(true).open(path).expect("a pipe")
}
