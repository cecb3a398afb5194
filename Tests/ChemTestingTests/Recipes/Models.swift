import ChemTesting

/// Permits that clients take and give back.
struct PermitModel: SequentialModel {
    enum Operation { case acquire, tryAcquire, release }
    var free: Int

    mutating func apply(_ operation: Operation) -> Bool? {
        switch operation {
        case .acquire where free == 0: return nil
        case .tryAcquire where free == 0: return false
        case .acquire, .tryAcquire: free -= 1
        case .release: free += 1
        }
        return true
    }
}

/// A cell of memory.
struct RegisterModel: SequentialModel {
    enum Operation { case read, write(Int), add(Int) }
    var value = 0

    /// The value before.
    mutating func apply(_ operation: Operation) -> Int? {
        defer {
            switch operation {
            case .read: break
            case .write(let new): value = new
            case .add(let more): value += more
            }
        }
        return value
    }
}

/// Elements in the order in which they were sent.
struct QueueModel: SequentialModel {
    enum Operation { case send(Int), trySend(Int), receive, tryReceive }
    enum Result: Equatable { case sent(Bool), received(Int?) }
    var elements: [Int] = []
    let capacity: Int

    mutating func apply(_ operation: Operation) -> Result? {
        switch operation {
        case .send(let element):
            guard elements.count < capacity else { return nil }
            elements.append(element)
            return .sent(true)
        case .trySend(let element):
            guard elements.count < capacity else { return .sent(false) }
            elements.append(element)
            return .sent(true)
        case .receive: return elements.isEmpty ? nil : .received(elements.removeFirst())
        case .tryReceive: return .received(elements.isEmpty ? nil : elements.removeFirst())
        }
    }
}
