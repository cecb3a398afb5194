import Foundation
import NIOCore
import NIOHTTP1
import SmallClient

/// A headless Chromium, driven by its WebDriver (https://www.w3.org/TR/webdriver2).
package final class Browser {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Where Debian has it. Not the script of that name in /usr/bin: its driver ends the script, and not the browser.
    package static let usualPath = "/usr/lib/chromium/chromium-headless-shell"
    package static let usualDriver = "/usr/bin/chromedriver"

    private let driver = Process()
    private let port: Int
    private var session = ""

    /// Starts one.
    package init(driver path: String, browser: String, port: Int) async throws {
        self.port = port
        driver.executableURL = URL(fileURLWithPath: path)
        driver.arguments = ["--port=\(port)", "--silent"]
        driver.standardOutput = FileHandle.nullDevice
        driver.standardError = FileHandle.nullDevice
        try driver.run()
        try await waitForDriver()
        let options: [String: Any] = [
            "binary": browser, "args": ["--no-sandbox", "--headless", "--window-size=1400,900", "--lang=en"],
        ]
        let capabilities: [String: Any] = [
            "alwaysMatch": ["goog:chromeOptions": options, "goog:loggingPrefs": ["browser": "ALL"]]
        ]
        let answer = try await ask(.POST, "/session", ["capabilities": capabilities]) as? [String: Any]
        guard let id = answer?["sessionId"] as? String else {
            throw Failure(description: "no session: \(answer ?? [:])")
        }
        session = "/session/\(id)"
    }

    package func quit() async {
        _ = try? await ask(.DELETE, session)
        // It blocks the signals that the thread blocks on which it was started, and threads of the pool block most.
        kill(driver.processIdentifier, SIGKILL)
        driver.waitUntilExit()
    }

    package func open(_ address: String) async throws { _ = try await ask(.POST, session + "/url", ["url": address]) }

    /// The value of a JavaScript expression.
    package func value(_ expression: String) async throws -> Any {
        try await ask(.POST, session + "/execute/sync", ["script": "return (\(expression))", "args": []])
    }

    package func text(_ expression: String) async throws -> String { "\(try await value(expression))" }

    /// Waits until a JavaScript expression is true, looking each time that the page is painted.
    package func wait(for expression: String) async throws {
        let script = """
            const [done] = arguments, end = performance.now() + 15000;
            const look = () => {
                try { if (\(expression)) return done(true); } catch {}
                performance.now() > end ? done(false) : setTimeout(look, 16);
            };
            look();
            """
        let result = try await ask(.POST, session + "/execute/async", ["script": script, "args": []])
        guard result as? Bool == true else {
            let page = try await text("document.body.innerText")
            throw Failure(description: "it didn't come to: \(expression)\nThe page:\n\(page)")
        }
    }

    /// Presses keys, one after the other; the special ones are in the private area of Unicode.
    package func press(_ keys: String) async throws {
        let actions = keys.flatMap { key in
            [["type": "keyDown", "value": String(key)], ["type": "keyUp", "value": String(key)]]
        }
        let keyboard: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        _ = try await ask(.POST, session + "/actions", ["actions": [keyboard]])
    }

    package func click(_ selector: String) async throws {
        let found = try await ask(.POST, session + "/element", ["using": "css selector", "value": selector])
        guard let element = (found as? [String: String])?.values.first else {
            throw Failure(description: "there is no \(selector)")
        }
        _ = try await ask(.POST, session + "/element/\(element)/click", [:])
    }

    package func resize(_ width: Int, _ height: Int) async throws {
        _ = try await ask(.POST, session + "/window/rect", ["width": width, "height": height])
    }

    /// A command of the browser's own (https://chromedevtools.github.io/devtools-protocol).
    package func command(_ name: String, _ parameters: [String: Any]) async throws {
        _ = try await ask(.POST, session + "/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    package func screenshot(_ path: String) async throws {
        let text = try await ask(.GET, session + "/screenshot") as? String
        guard let data = Data(base64Encoded: text ?? "") else { throw Failure(description: "no picture") }
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// What the page has complained about since the last time.
    package func complaints() async throws -> [String] {
        let entries = try await ask(.POST, session + "/se/log", ["type": "browser"]) as? [[String: Any]] ?? []
        return entries.map { "\($0["level"] ?? "") \($0["message"] ?? "")" }
    }

    private func waitForDriver() async throws {
        for _ in 0..<200 {
            if (try? await ask(.GET, "/status")) != nil { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Failure(description: "the driver doesn't start")
    }

    private func ask(_ method: HTTPMethod, _ path: String, _ body: [String: Any]? = nil) async throws -> Any {
        let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
        let headers: HTTPHeaders = ["Content-Type": "application/json"]
        let response = try await HTTPClient.ask(method, port: port, path, headers: headers, body: text)
        let answer = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any]
        guard response.status == 200, let value = answer?["value"] else {
            throw Failure(description: "\(method) \(path): \(answer?["value"] ?? "no answer")")
        }
        return value
    }
}
