import ChemActors
import ChemLibrary
import ChemTesting
import Synchronization

// Clients of locks, of semaphores and of conditions.

extension Trial {
    typealias Permits = @Sendable (PermitModel.Operation) async throws -> Bool

    static func permits(_ free: Int, of make: @escaping @Sendable (Int) -> Permits) -> [Trial] {
        [
            Trial(
                "a semaphore of \(free + 1) whose clients share it",
                as: PermitModel(free: free + 1),
                Array(repeating: [.acquire, .release, .release], count: 3),
                of: { make(free + 1) }
            ),
            Trial(
                "a semaphore of \(free) that gets its permits from outside",
                as: PermitModel(free: free),
                [[.acquire, .release, .acquire], [.acquire, .release, .acquire], [.release, .release, .release]],
                of: { make(free) }
            ),
            Trial(
                "a semaphore of \(free + 1) that all only try",
                as: PermitModel(free: free + 1),
                [
                    [.tryAcquire, .release, .tryAcquire], [.tryAcquire, .release, .tryAcquire],
                    [.release, .tryAcquire, .release],
                ],
                of: { make(free + 1) }
            ),
        ]
    }

    static let semaphore: @Sendable (Int) -> Permits = { count in
        let semaphore = AsyncSemaphore(permits: count)
        return { try await operate(semaphore, $0) }
    }

    typealias Register = @Sendable (RegisterModel.Operation) async throws -> Int

    static func register(
        _ name: String,
        _ programs: [[RegisterModel.Operation]] = [
            [.add(1), .read, .add(2)], [.add(4), .write(8), .read], [.read, .add(16), .read],
        ],
        of make: @escaping @Sendable () -> Register
    ) -> Trial {
        Trial("\(name) around a number", as: RegisterModel(), programs, of: make)
    }

    static let mutex: @Sendable () -> Register = {
        let mutex = AsyncMutex(0)
        return { operation in
            try await mutex.withLock { value in
                let before = value
                await Task.yield()
                operation.change(&value)
                return before
            }
        }
    }

    static let readWriteLock: @Sendable () -> Register = {
        let lock = ReadWriteLock()
        let value = Cell(0)
        return { operation in
            if case .read = operation {
                return try await lock.withReadLock {
                    await Task.yield()
                    return value.value
                }
            }
            return try await lock.withWriteLock {
                var number = value.value
                let before = number
                await Task.yield()
                operation.change(&number)
                value.change { [number] in $0 = number }
                return before
            }
        }
    }

    /// A queue of one element at most.
    typealias Queue = @Sendable (QueueModel.Operation) async throws -> QueueModel.Result

    static func queue(
        _ name: String,
        capacity: Int,
        isLarge: Bool = false,
        of make: @escaping @Sendable () -> Queue
    ) -> [Trial] {
        [
            Trial(
                "\(name) between three",
                as: QueueModel(capacity: capacity),
                [[.send(1), .send(2), .send(3)], [.send(4), .receive, .send(5)], [.receive, .receive, .receive]],
                isLarge: isLarge,
                of: make
            ),
            Trial(
                "\(name) that all only try",
                as: QueueModel(capacity: capacity),
                [
                    [.trySend(1), .tryReceive, .trySend(2)], [.trySend(3), .tryReceive, .trySend(4)],
                    [.tryReceive, .trySend(5), .tryReceive],
                ],
                of: make
            ),
        ]
    }

    static let condition: @Sendable () -> Queue = {
        let condition = Condition([Int]())
        return { operation in
            switch operation {
            case .send(let element):
                try await condition.update(when: \.isEmpty) { elements in
                    await Task.yield()
                    elements.append(element)
                }
                return .sent(true)
            case .trySend(let element):
                return try await condition.update { elements in
                    guard elements.isEmpty else { return .sent(false) }
                    elements.append(element)
                    return .sent(true)
                }
            case .receive:
                let element = try await condition.update(when: { !$0.isEmpty }) { elements in
                    await Task.yield()
                    return elements.removeFirst()
                }
                return .received(element)
            case .tryReceive: return .received(try await condition.update { $0.isEmpty ? nil : $0.removeFirst() })
            }
        }
    }
}

extension RegisterModel.Operation {
    /// Applies it to a number.
    func change(_ value: inout Int) {
        switch self {
        case .read: break
        case .write(let new): value = new
        case .add(let more): value += more
        }
    }
}
