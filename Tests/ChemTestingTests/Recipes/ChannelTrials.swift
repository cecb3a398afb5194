import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization

// Senders and receivers.

extension Trial {
    static func channel(capacity: Int?) -> @Sendable () -> Queue {
        {
            let channel = capacity.map { JoinChannel<Int>(capacity: $0) } ?? .unbounded()
            return { operation in
                switch operation {
                case .send(let element):
                    try await channel.send(element)
                    return .sent(true)
                case .trySend(let element): return .sent(channel.trySend(element))
                case .receive: return .received(try await channel.receive())
                case .tryReceive: return .received(channel.tryReceive())
                }
            }
        }
    }

    /// Where there is always room, whoever tries to send succeeds.
    static func trying(of make: @escaping @Sendable () -> Queue) -> Trial {
        Trial(
            "a channel without bounds to which one only tries to send",
            as: QueueModel(capacity: .max),
            [
                [.send(1), .send(2), .send(3)], [.trySend(4), .trySend(5), .trySend(6)],
                [.receive, .receive, .receive],
            ],
            of: make
        )
    }

    /// What is sent before a channel closes arrives once, in the order of each sender, and nothing else does.
    static func closing(
        _ name: String,
        _ make:
            @escaping @Sendable () -> (
                send: @Sendable (Int) async throws -> Void, receive: @Sendable () async throws -> Int?,
                close: @Sendable () -> Void
            )
    ) -> Trial {
        Trial("\(name) is closed while two send and one receives") {
            let channel = make()
            let (sent, received) = (Log<Int>(), Log<Int>())
            try await together(0..<3) { client in
                guard client < 2 else {
                    while let element = try await channel.receive() { received.add(element) }
                    return
                }
                for number in 0..<2 {
                    do { try await channel.send(client * 10 + number) } catch is ChannelClosed { return }
                    sent.add(client * 10 + number)
                }
                if client == 0 { channel.close() }
            }
            try insist(sent.all.sorted() == received.all.sorted(), "sent \(sent.all), received \(received.all)")
            for client in 0..<2 {
                let own = received.all.filter { $0 / 10 == client }
                try insist(own == own.sorted(), "\(own)")
            }
        }
    }

    /// Cancelling is exact.
    static func cancelling(
        _ name: String,
        _ make:
            @escaping @Sendable () -> (
                send: @Sendable (Int) async throws -> Void, receive: @Sendable () async throws -> Int?
            )
    ) -> Trial {
        Trial("\(name) whose receiver gives up") {
            let channel = make()
            let received = Log<Int>()
            let first = Task {
                if let element = try? await channel.receive() { received.add(element) }
            }
            let sender = Task {
                try await channel.send(1)
                try await channel.send(2)
            }
            await Task.yield()
            ChemicalMachine.tellOfCancellation(.cancels)
            first.cancel()
            await first.value
            while received.all.count < 2, let element = try await channel.receive() { received.add(element) }
            try await sender.value
            try insist(received.all == [1, 2], "\(received.all)")
        }
    }

    struct PriorityModel: SequentialModel {
        enum Operation { case put(Int), take }
        var elements: Set<Int> = []

        mutating func apply(_ operation: Operation) -> Int? {
            switch operation {
            case .put(let element):
                elements.insert(element)
                return element
            case .take:
                guard let highest = elements.max() else { return nil }
                elements.remove(highest)
                return highest
            }
        }
    }

    typealias Priorities = @Sendable (PriorityModel.Operation) async throws -> Int

    static func priorities(of make: @escaping @Sendable () -> Priorities) -> Trial {
        Trial(
            "a queue by priority",
            as: PriorityModel(),
            [[.put(1), .put(5), .put(3)], [.put(4), .take, .put(2)], [.take, .take, .take]],
            of: make
        )
    }

    static let priorityQueue: @Sendable () -> Priorities = {
        let queue = PriorityQueue<Int, Int>()
        return { operation in
            switch operation {
            case .put(let element):
                queue.put(element, priority: element)
                return element
            case .take: return try await queue.take()
            }
        }
    }

    /// Each value of several channels arrives once, in the order of its channel.
    static func selecting(
        receivers: Int = 2,
        values: Int = 2,
        _ make: @escaping @Sendable (JoinChannel<Int>, JoinChannel<Int>) -> @Sendable () async throws -> Int?
    ) -> Trial {
        Trial(
            "\(receivers) who receive from two channels with \(values) each",
            isLarge: receivers > 1
        ) {
            let channels = [JoinChannel<Int>(capacity: 1), .unbounded()]
            let receive = make(channels[0], channels[1])
            let received = Log<Int>()
            try await together(0..<2 + receivers) { client in
                guard client < 2 else {
                    while let element = try await receive() { received.add(element) }
                    return
                }
                for number in 0..<values { try await channels[client].send(client * 10 + number) }
                channels[client].close()
            }
            let all = (0..<2).flatMap { client in (0..<values).map { client * 10 + $0 } }
            try insist(received.all.sorted() == all, "\(received.all)")
        }
    }
}
