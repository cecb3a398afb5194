import ChemActors
import ChemBase
import Foundation

/// Makes the answers. Belongs to the thread of the server.
final class Responder: @unchecked Sendable {
    // Checked by hand: everything that changes is touched by the thread of the server only.

    private weak var machine: ChemicalMachine?
    private let name: String
    private let program: String
    private var budget = Budget(now: Platform.monotonicNanoseconds)
    private let encoder = JSONEncoder()
    private var memory = AnswerMemory()

    init(_ machine: ChemicalMachine, name: String, program: String) {
        self.machine = machine
        self.name = name
        self.program = program
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    /// Whether there is nothing any more to tell of.
    var isOver: Bool { machine == nil }

    /// Whether so much was used that whoever asks has to wait.
    var isExhausted: Bool {
        budget.state(now: Platform.monotonicNanoseconds, used: Platform.threadNanoseconds) == .isSpent
    }

    /// Answers a line with a line.
    func answer(_ request: [UInt8]) -> [UInt8] {
        let now = Platform.monotonicNanoseconds
        let left = budget.state(now: now, used: Platform.threadNanoseconds)
        if let known = memory.answer(to: request, left, now: now) { return known }
        if left == .isSpent { return refusal }
        let answer = encode(request) + [UInt8(ascii: "\n")]
        memory.remember(answer, for: request, now: now)
        return answer
    }

    /// What is answered to something new when the budget is spent. It costs next to nothing.
    private var refusal: [UInt8] {
        let failure = Failure(error: "too much was asked: ask again later", time: Platform.monotonicSeconds)
        return ((try? bytes(failure)) ?? []) + [UInt8(ascii: "\n")]
    }

    private func encode(_ request: [UInt8]) -> [UInt8] {
        let time = Platform.monotonicSeconds
        do {
            guard let machine else { throw Refusal("the machine is gone") }
            guard let request = try? JSONDecoder().decode(Request.self, from: Data(request)) else {
                throw Refusal(#"a request is a JSON object such as {"get": "overview"}"#)
            }
            let view = MachineView(machine, time: time)
            func id() throws -> String {
                guard let id = request.id else { throw Refusal("\(request.get) needs an id") }
                return id
            }
            switch request.get {
            case "overview": return try bytes(view.overview(name: name, program: program))
            case "group": return try bytes(view.group(id()))
            case "definition": return try bytes(view.definition(id()))
            case "stuck": return try bytes(view.stuck())
            case "events": return try bytes(view.timeline())
            default: throw Refusal("there is no '\(request.get)': ask for overview, group, definition, stuck or events")
            }
        } catch {
            // Texts and finite numbers can always be encoded.
            let failure = Failure(error: (error as? Refusal)?.reason ?? "\(error)", time: time)
            return (try? bytes(failure)) ?? Array(#"{"error": "the answer can't be encoded"}"#.utf8)
        }
    }

    private func bytes(_ answer: some Encodable) throws -> [UInt8] { Array(try encoder.encode(answer)) }
}

/// Why something can't be answered.
struct Refusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
