// What the protocol calls these things; see Docs/inspection-protocol.md. What a recording doesn't know is left out.

struct OverviewAnswer: Codable, Sendable {
    struct Group: Codable, Sendable {
        let id: String
        let name: String
        let location: String
        var definitions = 0
        var started = 0
        var failed = 0
        var running = 0
        var waitingCalls = 0
        var longestWait: Double?
    }

    struct Call: Codable, Sendable {
        let call: String
        let wait: Double
        let group: String
        let definition: String
    }

    let format: Int
    let program: String
    let recording: Bool
    let time: Double
    let definitions: Int
    let waitingCalls: Int
    let running: Int
    let started: Int
    let failed: Int
    /// How many events there are, and how many have been dropped.
    let events: Int
    let lost: Int
    let groups: [Group]
    let otherGroups: Int
    let oldestCalls: [Call]
}

struct EventsAnswer: Codable, Sendable {
    struct Event: Codable, Sendable {
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
        let value: String?
    }

    let time: Double
    /// The place of the first event, and how many there are on the whole.
    let from: Int
    let total: Int
    let events: [Event]
}

struct GroupAnswer: Codable, Sendable {
    struct Molecule: Codable, Sendable {
        let name: String
        var injected = 0
    }

    struct Reaction: Codable, Sendable {
        let inputs: String
        let location: String
        var started = 0
    }

    struct Member: Codable, Sendable {
        let id: String
        let running: Int
        let waitingCalls: Int
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
    let drawing: String?
}

struct DefinitionAnswer: Codable, Sendable {
    struct Call: Codable, Sendable {
        let call: String
        let wait: Double
    }

    let id: String
    let group: String
    let name: String
    let location: String
    let time: Double
    let running: Int
    let started: Int
    let failed: Int
    let molecules: [GroupAnswer.Molecule]
    let reactions: [GroupAnswer.Reaction]
    let waitingCalls: [Call]
    let otherCalls: Int
    let drawing: String?
    let events: [EventsAnswer.Event]
}
