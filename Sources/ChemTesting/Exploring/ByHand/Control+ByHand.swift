import ChemActors

/// What a lab asks of its control.
enum LabRequest {
    case possible
    case perform(String)
    case step
    case run
    case advance(until: ContinuousClock.Instant)
    /// The reaction has been tried, and tasks go on until none can.
    case settle
}

/// What it gets.
struct LabAnswer {
    /// The reactions that have happened or are possible.
    var names: [String]
    var isRefused = false
}

extension Control {
    /// Has the driver do something as soon as no task can go on, and what was asked before is done.
    nonisolated(nonsending) func ask(_ request: LabRequest) async -> LabAnswer {
        await withCheckedContinuation { requests.append((request, $0)) }
    }

    /// Answers what is asked for when the test is over.
    func refuseRequests() {
        defer { requests = [] }
        for (_, continuation) in requests { continuation.resume(returning: LabAnswer(names: [], isRefused: true)) }
    }

    /// Takes the next step of a run by hand: a task that can go on, or else what the lab asks for.
    ///
    /// - Returns: why it hasn't.
    func driveByHand() -> Halt? {
        takeLooks()
        if let index = firstJob {
            take(index)
            return nil
        }
        guard let (request, continuation) = requests.first else { return .nothing }
        func answer(_ names: [String], isRefused: Bool = false) {
            requests.removeFirst()
            happened = []
            continuation.resume(returning: LabAnswer(names: names, isRefused: isRefused))
        }
        func goOn(_ next: LabRequest) { requests[0].0 = next }
        switch request {
        case .possible: answer(possible)
        case .perform(let name):
            let offers = offers
            let labels = Self.numbered(offers.map(\.name))
            let meant =
                labels.firstIndex(of: name).map { [offers[$0]] }
                ?? offers.filter { $0.inputs == name || $0.name == name }
            if meant.count == 1 {
                goOn(.settle)
                take(meant[0])
            } else {
                answer(labels, isRefused: true)
            }
        case .step:
            // One whose copies don't meet its condition hasn't happened.
            if happened.isEmpty, let offer = offers.first { take(offer) } else { answer(happened) }
        case .run: if let offer = offers.first { take(offer) } else { answer(happened) }
        case .advance(let time):
            if let deadline = nextDeadline, deadline <= time {
                pass(to: deadline)
            } else {
                pass(to: time)
                answer([])
            }
        case .settle:
            if happened.isEmpty {
                answer(Self.numbered(offers.map(\.name)), isRefused: true)
            } else {
                answer(happened)
            }
        }
        return nil
    }

    /// The reactions that are possible, in a lab. Where there is no doubt, the inputs say enough.
    var possible: [String] {
        let all = isByHand ? offers : []
        let names = Self.numbered(all.map(\.name))
        return all.indices.map { index in
            all.count { $0.inputs == all[index].inputs } > 1 ? names[index] : all[index].inputs
        }
    }

    /// The same names, with numbers where several are equal.
    private static func numbered(_ names: [String]) -> [String] {
        names.indices.map { index in
            let name = names[index]
            if names.count(where: { $0 == name }) == 1 { return name }
            return "\(name) #\(names[...index].count { $0 == name })"
        }
    }
}

extension Control.Offer {
    /// The inputs of the reaction, as messages name them.
    fileprivate var inputs: String { step?.inputs(ofReaction: reaction) ?? "another attempt" }

    /// The same, with the name of the definition.
    fileprivate var name: String { "\(step?.name ?? ""): \(inputs)" }
}
