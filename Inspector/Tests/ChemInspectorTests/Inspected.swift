import ChemActors
import ChemInspection
import ChemInspector
import Foundation
import NIOCore
import NIOHTTP1
import SmallClient
import Testing

extension Limits {
    /// For programs that answer, on a machine that is busy with other tests.
    static var patient: Limits {
        var limits = Limits()
        limits.timeout = .seconds(600)
        limits.introduction = .seconds(600)
        return limits
    }
}

/// A server with a folder of its own, for the length of a test.
struct Inspected {
    let folder: String
    let port: Int
    let token: String

    /// Runs `body` beside a server. The files that `sources` returns are named on its command line.
    static func run(
        limits: Limits = .patient,
        sources: (_ folder: String) async throws -> [String] = { _ in [] },
        _ body: (Inspected) async throws -> Void
    ) async throws {
        // Short, since the path of a socket has at most 103 bytes.
        let folder = NSTemporaryDirectory() + "/ci-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let named = try await sources(folder).map { try Source(path: $0) }
        let server = InspectorServer(port: 0, folder: SocketFolder(path: folder), sources: named, limits: limits)
        let (ports, running) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { running.finish() }
                try? await server.run(endsOnSignals: false) { running.yield($0) }
            }
            let port = try #require(await ports.first { _ in true })
            try await body(Inspected(folder: folder, port: port, token: "\(server.token)"))
            group.cancelAll()
        }
    }

    /// What is answered to somebody who has the token.
    func get(_ path: String...) async throws -> (status: Int, value: [String: Any]) {
        let answer = try await HTTPClient.ask(port: port, "/api/" + path.joined(separator: "/"), headers: authorization)
        let value = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
        return (answer.status, try #require(value as? [String: Any]))
    }

    var authorization: HTTPHeaders { ["Authorization": "Bearer \(token)"] }

    /// The programs that are listed.
    func programs() async throws -> [[String: Any]] {
        try #require(try await get("programs").value["programs"] as? [[String: Any]])
    }

    /// The identifier of the only program.
    func onlyProgram() async throws -> String {
        let programs = try await programs()
        try #require(programs.count == 1)
        return try #require(programs[0]["id"] as? String)
    }
}

/// As much of a chemistry as there is to see: a call that waits for what nobody sends.
func makeBox(on machine: ChemicalMachine) -> (put: SlowMolecule<Int>, take: FastMolecule<Void, Int>) {
    let (put, take) = machine.define("box") { join in
        let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
        join.answer(take, with: put) { _, value in value }
        return (put, take)
    }
    return (put, take)
}

func quietMachine() -> ChemicalMachine {
    ChemicalMachine(ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: .full()))
}

/// Waits until a call waits on `machine`.
func untilSomebodyWaits(on machine: ChemicalMachine) async {
    while machine.census().waitingCalls == 0 { await Task.yield() }
}
