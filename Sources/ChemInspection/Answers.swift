import ChemActors

// What the answers look like: see Docs/inspection-protocol.md. Times and waits are in seconds.

struct Request: Codable {
    let get: String
    let id: String?
}

struct Failure: Codable {
    let error: String
    var time: Double
}

struct LatencyQuantiles: Codable {
    let count: Int
    let half: Double
    let most: Double

    /// Nil if nothing was counted.
    init?(_ latencies: Latencies) {
        guard let half = latencies.quantile(0.5), let most = latencies.quantile(0.99) else { return nil }
        count = latencies.count
        self.half = half.seconds
        self.most = most.seconds
    }
}

struct Overview: Codable {
    struct Group: Codable {
        let id: String
        let name: String
        let location: String
        let definitions: Int
        let dissolved: Int
        let started: Int
        let failed: Int
        let running: Int
        let waitingCalls: Int
        let present: Int
        let retries: Int
        let longestWait: Double?
        let waits: LatencyQuantiles?
        let bodies: LatencyQuantiles?
    }

    struct OldCall: Codable {
        let call: String
        let location: String
        let wait: Double
        let group: String
        let definition: String
    }

    var format = 1
    let program: String
    let process: Int
    let machine: String
    let recorder: String
    let time: Double
    let definitions: Int
    let waitingCalls: Int
    let running: Int
    let started: Int
    let failed: Int
    let groups: [Group]
    let otherGroups: Int
    let oldestCalls: [OldCall]
}

struct GroupDetail: Codable {
    struct Molecule: Codable {
        let name: String
        let kind: String
        let present: Int
    }

    struct Reaction: Codable {
        let inputs: String
        let location: String
    }

    struct Member: Codable {
        let id: String
        let phase: String
        let running: Int
        let waitingCalls: Int
        let present: Int
        let started: Int
        let longestWait: Double?
    }

    let id: String
    let name: String
    let location: String
    let time: Double
    let definitions: Int
    let molecules: [Molecule]
    let reactions: [Reaction]
    let members: [Member]
    let otherMembers: Int
    let drawing: String
}

struct DefinitionDetail: Codable {
    struct Molecule: Codable {
        let name: String
        let kind: String
        let present: Int
        let injected: Int
        let consumed: Int
    }

    struct Reaction: Codable {
        let inputs: String
        let location: String
        let missing: [String]
    }

    struct Call: Codable {
        let call: String
        let location: String
        let wait: Double
    }

    let id: String
    let group: String
    let name: String
    let location: String
    let time: Double
    let phase: String
    let running: Int
    let started: Int
    let failed: Int
    let retries: Int
    let molecules: [Molecule]
    let reactions: [Reaction]
    let waitingCalls: [Call]
    let otherCalls: Int
    let drawing: String
    let events: [Happening]
}

struct Stuck: Codable {
    struct Cause: Codable {
        let text: String
        let causes: [Cause]
    }

    struct Call: Codable {
        let call: String
        let location: String
        let wait: Double
        let count: Int
        let see: String?
        let causes: [Cause]
    }

    let time: Double
    let lacksRecorder: Bool
    let calls: [Call]
    let otherCalls: Int
}

/// An event.
struct Happening: Codable {
    let time: Double
    let definition: String
    let lane: Int
    let kind: String
    let subject: String
    let location: String?
    let number: Int
    let count: Int
    let sender: String?
    let senderLane: Int?
}

struct Timeline: Codable {
    let time: Double
    let recorder: String
    let events: [Happening]
}
