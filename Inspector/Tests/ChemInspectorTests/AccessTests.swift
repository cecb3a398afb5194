import NIOCore
import NIOHTTP1
import SmallClient
import Testing

/// Who is answered: the page to everybody on this computer, and the programs to those who have the token.
@Suite(.timeLimit(.minutes(20)))
struct AccessTests {
    @Test func thePageComesWithAllThatItNames() async throws {
        try await Inspected.run { inspected in
            let page = try await HTTPClient.ask(port: inspected.port, "/")
            #expect(page.status == 200)
            let text = String(buffer: page.body)
            let files = text.matches(of: /(?:href|src)="(\/[^"]+)"/).map { String($0.output.1) }
            #expect(files.contains("/inspector.js") && files.contains("/inspector.css"))
            for file in files {
                let answer = try await HTTPClient.ask(port: inspected.port, file)
                #expect(answer.status == 200, "\(file)")
                #expect(answer.body.readableBytes > 100, "\(file)")
                #expect(answer.headers["X-Content-Type-Options"] == ["nosniff"])
                #expect(answer.headers["Cache-Control"] == ["no-store"])
                // Each module that a script imports is loaded with the page, and not one after the other.
                for module in String(buffer: answer.body).matches(of: /from "(\/[^"]+)"/) {
                    #expect(files.contains(String(module.output.1)), "\(file) imports \(module.output.1)")
                }
            }
            let policy = try #require(page.headers["Content-Security-Policy"].first)
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(!text.contains(inspected.token))
        }
    }

    @Test func withoutTheTokenNothingIsTold() async throws {
        try await Inspected.run { inspected in
            for headers in [
                [:], ["Authorization": "Bearer 00000000000000000000000000000000"], ["Authorization": inspected.token],
            ] as [HTTPHeaders] {
                for path in ["/api/programs", "/api/programs/x/overview", "/api/nothing"] {
                    let answer = try await HTTPClient.ask(port: inspected.port, path, headers: headers)
                    #expect(answer.status == 401)
                    #expect(String(buffer: answer.body).contains("the token is missing or wrong"))
                }
            }
            let answer = try await HTTPClient.ask(port: inspected.port, "/api/programs?token=\(inspected.token)")
            #expect(answer.status == 401)
        }
    }

    /// A page of another origin whose name leads here after all.
    @Test func otherNamesThanThoseOfThisComputerAreRefused() async throws {
        try await Inspected.run { inspected in
            for host in ["evil.example", "evil.example:\(inspected.port)", "127.0.0.1:1", "[::1]:\(inspected.port)"] {
                var headers = inspected.authorization
                headers.add(name: "Host", value: host)
                let answer = try await HTTPClient.ask(port: inspected.port, "/api/programs", headers: headers)
                #expect(answer.status == 403, "\(host)")
            }
            var headers = inspected.authorization
            headers.add(name: "Host", value: "localhost:\(inspected.port)")
            let answer = try await HTTPClient.ask(port: inspected.port, "/api/programs", headers: headers)
            #expect(answer.status == 200)
        }
    }

    @Test func thereIsNothingToChange() async throws {
        try await Inspected.run { inspected in
            for method in [HTTPMethod.POST, .PUT, .DELETE] {
                let answer = try await HTTPClient.ask(
                    method,
                    port: inspected.port,
                    "/api/programs",
                    headers: inspected.authorization
                )
                #expect(answer.status == 405)
            }
        }
    }

    @Test func whatIsNotThereIsNamed() async throws {
        try await Inspected.run { inspected in
            let nowhere = try await inspected.get("nowhere")
            #expect(nowhere.status == 404)
            #expect(nowhere.value["error"] as? String == "there is nothing at /api/nowhere")
            let nobody = try await inspected.get("programs", "nobody", "overview")
            #expect(nobody.status == 404)
            #expect(nobody.value["error"] as? String == "there is no program nobody")
        }
    }
}
