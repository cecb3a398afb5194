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
    /// The last answers, newest last. What is asked for too often gets one of them again.
    private var answers: [Answer] = []
    private static let answerLimit = 16
    /// For how long an answer is kept that nobody asks for, and how old one becomes before it's next to be made anew.
    private static let (interest, freshness): (UInt64, UInt64) = (10_000_000_000, 1_000_000_000)

    private struct Answer {
        let request: [UInt8]
        let bytes: [UInt8]
        let made: UInt64
        var asked: UInt64
    }

    init(_ machine: ChemicalMachine, name: String, program: String) {
        self.machine = machine
        self.name = name
        self.program = program
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    /// Whether there is nothing any more to tell of.
    var isOver: Bool { machine == nil }

    /// Answers a line with a line.
    func answer(_ request: [UInt8]) -> [UInt8] {
        let now = Platform.monotonicNanoseconds
        let left = budget.state(now: now, used: Platform.threadNanoseconds)
        answers.removeAll { $0.request != request && now &- $0.asked > Self.interest }
        let known = answers.firstIndex { $0.request == request }
        if let known, left != .isLeft {
            answers[known].asked = now
            // What is asked for most often would leave nothing for the others.
            let isNext = left == .isShort && known == 0 && now &- answers[known].made > Self.freshness
            if !isNext { return answers[known].bytes }
        }
        if left == .isSpent { return refusal }
        let answer = encode(request) + [UInt8(ascii: "\n")]
        if let known { answers.remove(at: known) } else if answers.count == Self.answerLimit { answers.removeFirst() }
        answers.append(Answer(request: request, bytes: answer, made: now, asked: now))
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
