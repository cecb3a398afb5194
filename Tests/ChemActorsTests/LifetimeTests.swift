import ChemActors
import TestSupport
import Testing

/// When definitions end, and what they release.
@Suite("Lifetime", .serialized)
struct LifetimeTests {
    /// A structure of names, as a user writes one.
    struct Box: Exportable {
        let name: SlowMolecule<Int>
        var exported: Box { Box(name: name.exported) }
    }

    /// Values to sort, and where to send the result.
    struct Job: Exportable {
        let values: [Int]
        let result: SlowMolecule<[Int]>
        var exported: Job { Job(values: values, result: result.exported) }
    }

    // MARK: Many definitions

    @Test("Counters made and dropped leave nothing behind, and memory stays flat", .endsInTime)
    func madeAndDropped() async {
        await #expect(processExitsWith: .success) {
            let living = Living()
            var before = 0
            let rounds = heavy(100_000, debug: 10_000)
            for round in 0..<rounds {
                if round == rounds / 10 { before = residentBytes() }
                let payload = Payload(living)
                let (increment, value) = Join.define("counter") { join in
                    let count = join.slow("count", of: (Int, Payload).self)
                    let increment = join.slow("increment")
                    let value = join.fast("value", returning: Int.self)
                    join.when(increment, count) { [payload] _, n in count((n.0 + (payload === n.1 ? 1 : 2), n.1)) }
                    join.answer(value, with: count) { [payload] _, n in
                        count(n)
                        return n.0 + (payload === n.1 ? 0 : 1)
                    }
                    count((round, payload))
                    return (increment, value)
                }
                if round % 2 == 0 { increment() }
                // On one core, workers come when this task lets them.
                if round % 100 == 0 { await Task.yield() }
                if round % 3 == 0 {
                    let answer = try? await value()
                    guard answer == round || answer == round + 1 else { fatalError("\(round): \(answer ?? -1)") }
                }
            }
            await living.areGone()
            let growth = residentBytes() - before
            guard growth < 16 << 20 else { fatalError("grown by \(growth) bytes") }
        }
    }

    @Test("Merge sort of 10,000 numbers by recursive definitions", .endsInTime)
    func mergeSort() async throws {
        let living = Living()
        let numbers = (0..<heavy(10_000, debug: 3_000)).map { _ in Int.random(in: 0..<1_000_000) }
        do {
            let (sorted, result) = Join.define("result") { join in
                let sorted = join.slow("sorted", of: [Int].self)
                let result = join.fast("result", returning: [Int].self)
                join.answer(result, with: sorted) { _, values in values }
                return (sorted, result)
            }
            let sort = Join.define("sort") { join in
                let sort = join.slow("sort", of: Job.self)
                join.when(sort) { job in
                    guard job.values.count > 1 else { return job.result(job.values) }
                    let payload = Payload(living)
                    let (low, high) = Join.define("merge") { join in
                        let low = join.slow("low", of: [Int].self)
                        let high = join.slow("high", of: [Int].self)
                        join.when(low, high) { [payload] low, high in
                            withExtendedLifetime(payload) { job.result(merge(low, high)) }
                        }
                        return (low, high)
                    }
                    let middle = job.values.count / 2
                    sort(Job(values: Array(job.values[..<middle]), result: low))
                    sort(Job(values: Array(job.values[middle...]), result: high))
                }
                return sort
            }
            sort(Job(values: numbers, result: sorted))
            #expect(try await result() == numbers.sorted())
        }
        await living.areGone()
    }

    @Test("A binary tree of definitions, each made by a body of its parent", .endsInTime)
    func binaryTree() async throws {
        let living = Living()
        let depth = heavy(16, debug: 11)
        let (total, result) = Join.define("result") { join in
            let total = join.slow("total", of: Int.self)
            let result = join.fast("result", returning: Int.self)
            join.answer(result, with: total) { _, n in n }
            return (total, result)
        }
        grow(depth, total, living)
        #expect(try await result() == 1 << depth)
        await living.areGone()
    }

    private func grow(_ depth: Int, _ parent: SlowMolecule<Int>, _ living: Living) {
        guard depth > 0 else { return parent(1) }
        let payload = Payload(living)
        Join.define("node") { [self] join in
            let start = join.slow("start")
            let count = join.slow("count", of: Int.self)
            join.when(start) { _ in
                grow(depth - 1, count, living)
                grow(depth - 1, count, living)
            }
            join.when(count, count) { [payload] one, other in withExtendedLifetime(payload) { parent(one + other) } }
            start()
        }
    }

    @Test(
        "A chain of definitions is dropped without overflowing the stack",
        .endsInTime,
        arguments: Link.allCases
    )
    func chain(link: Link) async throws {
        await #expect(processExitsWith: .success) { [link] in
            let living = Living()
            let length = heavy(100_000, debug: 20_000)
            var last: SlowMolecule<Int>?
            for _ in 0..<length { last = link.define(living, holding: last) }
            guard living.count == length else { fatalError("one has ended early") }
            last = nil
            await living.areGone()
        }
    }

    /// How a definition of a chain holds the next one.
    enum Link: CaseIterable, Codable {
        case closure, molecule, array, state, stateThatWasRead

        func define(_ living: Living, holding next: SlowMolecule<Int>?) -> SlowMolecule<Int> {
            let payload = Payload(living)
            return Join.define("link") { join in
                let name = join.slow("name", of: Int.self)
                let other = join.slow("other")
                let kept = join.slow("kept", of: SlowMolecule<Int>?.self)
                let many = join.slow("many", of: [SlowMolecule<Int>?].self)
                let state = join.state("state", next)
                join.when(other, kept, many) { [payload] _, _, _ in withExtendedLifetime(payload) {} }
                switch self {
                case .closure: join.when(name) { n in next?(n) }
                default:
                    join.when(name, updating: state) { [payload] next, _ in withExtendedLifetime(payload) { next = nil }
                    }
                }
                join.when(other, updating: state) { next, _ in next = nil }
                if self == .molecule { kept(next) }
                if self == .array { many([nil, next]) }
                if self == .stateThatWasRead { #expect(state.reader.value == next) }
                return name
            }
        }
    }

    @Test(
        "A chain of definitions, each made in a body of the one before, is dropped without overflowing the stack",
        .endsInTime
    )
    func chainOfParents() async throws {
        await #expect(processExitsWith: .success) {
            let living = Living()
            let last = Shared<SlowMolecule<Int>?>(nil)
            let length = heavy(100_000, debug: 20_000)
            Self.extend(length, living, last)
            while last.value == nil { await Task.yield() }
            guard living.count == length else { fatalError("one has ended early") }
            last.update { $0 = nil }
            await living.areGone()
        }
    }

    private static func extend(_ left: Int, _ living: Living, _ last: Shared<SlowMolecule<Int>?>) {
        let payload = Payload(living)
        let name = Join.define("link") { join in
            let name = join.slow("name", of: Int.self)
            let start = join.slow("start")
            join.when(name) { [payload] _ in withExtendedLifetime(payload) {} }
            join.when(start) { _ in if left > 1 { extend(left - 1, living, last) } }
            start()
            return name
        }
        if left == 1 { last.update { $0 = name } }
    }

    // MARK: What lives on

    enum Carriage: CaseIterable {
        case alone, array, optional, existential, structure, nested, innerDefinition, childTask, exportedTask, argument
    }

    @Test(
        "A body hands its definition's local name on and ends: the value still arrives",
        .endsInTime,
        arguments: Carriage.allCases,
        [false, true]
    )
    func handedOn(carriage: Carriage, isAsync: Bool) async throws {
        let living = Living()
        let received = Shared<[Int]>([])
        do {
            let courier = Courier()
            let definition = Join.define("giver") { [payload = Payload(living)] join in
                let start = join.slow("start")
                let value = join.slow("value", of: Int.self)
                let giving: @Sendable () -> Void = {
                    switch carriage {
                    case .alone: courier.alone(value)
                    case .array: courier.array([value])
                    case .optional: courier.optional(value)
                    case .existential: courier.existential(value)
                    case .structure: courier.structure(Box(name: value))
                    case .nested: courier.nested([[nil, Box(name: value)], []])
                    case .argument: Task { [value = value.exported] in try await courier.call(value) }
                    case .childTask: break
                    case .exportedTask: Task { [value = value.exported] in courier.alone(value) }
                    case .innerDefinition:
                        let inner = Join.define("inner") { join in
                            let go = join.slow("go", of: Int.self)
                            join.when(go) { n in value(n) }
                            return go
                        }
                        courier.alone(inner)
                    }
                }
                if isAsync || carriage == .childTask {
                    join.when(start) { _ async throws in
                        await Task.yield()
                        giving()
                        if carriage == .childTask {
                            async let child: Void = courier.alone(value)
                            await child
                        }
                    }
                } else {
                    join.when(start) { _ in giving() }
                }
                join.when(value) { [payload] n in withExtendedLifetime(payload) { received.update { $0.append(n) } } }
                start()
                return join.definition
            }
            try await definition.quiescence()
            #expect(received.value.isEmpty)
            courier.deliver(7)
            #expect(try await received.first() == 7)
            try await definition.quiescence()
            #expect(received.value == [7])
        }
        await living.areGone()
    }

    /// Another definition, which keeps the names that it is given until it is told to use them.
    struct Courier: Sendable {
        let alone: SlowMolecule<SlowMolecule<Int>>
        let array: SlowMolecule<[SlowMolecule<Int>]>
        let optional: SlowMolecule<SlowMolecule<Int>?>
        let existential: SlowMolecule<any Exportable>
        let structure: SlowMolecule<Box>
        let nested: SlowMolecule<[[Box?]]>
        let call: FastMolecule<SlowMolecule<Int>, Void>
        let deliver: SlowMolecule<Int>

        init() {
            (alone, array, optional, existential, structure, nested, call, deliver) = Join.define("courier") { join in
                let alone = join.slow("alone", of: SlowMolecule<Int>.self)
                let array = join.slow("array", of: [SlowMolecule<Int>].self)
                let optional = join.slow("optional", of: SlowMolecule<Int>?.self)
                let existential = join.slow("existential", of: (any Exportable).self)
                let structure = join.slow("structure", of: Box.self)
                let nested = join.slow("nested", of: [[Box?]].self)
                let call = join.fast("call", of: SlowMolecule<Int>.self)
                let deliver = join.slow("deliver", of: Int.self)
                join.when(alone, deliver) { name, n in name(n) }
                join.when(array, deliver) { names, n in names[0](n) }
                join.when(optional, deliver) { name, n in name?(n) }
                join.when(existential, deliver) { name, n in (name as? SlowMolecule<Int>)?(n) }
                join.when(structure, deliver) { box, n in box.name(n) }
                join.when(nested, deliver) { boxes, n in boxes[0][1]?.name(n) }
                join.answer(call, with: deliver) { name, n in name(n) }
                return (alone, array, optional, existential, structure, nested, call, deliver)
            }
        }
    }

    @Test("Answers that carry names carry them exported", .endsInTime, arguments: Path.allCases)
    func answersWithNames(path: Path) async throws {
        let living = Living()
        let received = Shared<[Int]>([])
        do {
            let (one, many) = try await {
                let ask = ChemicalMachine(path.configuration()).define("asked") { [payload = Payload(living)] join in
                    let one = join.fast("one", returning: SlowMolecule<Int>.self)
                    let many = join.fast("many", returning: [Box?].self)
                    let value = join.slow("value", of: Int.self)
                    if path == .worker {
                        join.when(one) { $0(value) }
                        join.when(many) { $0([Box(name: value)]) }
                    } else if path == .suspending {
                        join.answer(one) { _ async throws in
                            await Task.yield(); return value
                        }
                        join.answer(many) { _ async throws in
                            await Task.yield(); return [Box(name: value)]
                        }
                    } else {
                        join.answer(one) { _ in value }
                        join.answer(many) { _ in [Box(name: value)] }
                    }
                    join.when(value) { [payload] n in withExtendedLifetime(payload) { received.update { $0.append(n) } }
                    }
                    return (one, many)
                }
                return (try await ask.0(), try await ask.1())
            }()
            one(1)
            #expect(try await received.first() == 1)
            many[0]?.name(2)
            try await until { received.value.count >= 2 }
            #expect(received.value == [1, 2])
        }
        await living.areGone()
    }

    // MARK: The control handle

    /// A counter of which somebody may hold the name.
    private func makeCounter(_ living: Living) -> (SlowMolecule<Int>, Join) {
        Join.define("counter") { [payload = Payload(living)] join in
            let add = join.slow("add", of: Int.self)
            let never = join.slow("never")
            let kept = join.slow("kept", of: Int.self)
            join.when(add) { [payload] n in withExtendedLifetime(payload) { kept(n) } }
            join.when(kept, never) { _, _ in }
            return (add, join.definition)
        }
    }

    @Test(
        "A control handle alone keeps nothing: after quiescence it shows a dissolved definition",
        .endsInTime
    )
    func handleAlone() async throws {
        let living = Living()
        /// The name is gone when it returns, also in a debug build.
        func make() -> Join {
            let (add, definition) = makeCounter(living)
            add(1)
            return definition
        }
        let definition = make()
        try await definition.quiescence()
        #expect(definition.snapshot().phase == .dissolved)
        #expect(definition.snapshot().molecules.isEmpty)
        let kept = try #require(definition.statistics.molecules["kept"])
        #expect(kept.injected == 1 && kept.dropped == 1 && kept.present == 0)
        await living.areGone()
    }

    @Test("A name that is held for as long as one looks keeps what the handle shows", .endsInTime)
    func handleWithName() async throws {
        let living = Living()
        do {
            let (add, definition) = makeCounter(living)
            add(1)
            try await definition.quiescence()
            #expect(definition.snapshot().phase == .running)
            #expect(definition.snapshot().molecules == ["kept": 1])
            #expect(definition.statistics.molecules["kept"]?.present == 1)
            extendLifetime(add)
        }
        await living.areGone()
    }

    @Test("Endless reactions with no names left neither leak nor crash", .endsInTime)
    func endless() async {
        await #expect(processExitsWith: .success) {
            let living = Living()
            let ticks = Shared(0)
            let stop = Shared(false)
            for isAsync in [false, true] {
                Join.define("clock") { [payload = Payload(living)] join in
                    let tick = join.slow("tick", of: [Int].self)
                    let body: @Sendable ([Int]) -> Void = { [payload] n in
                        withExtendedLifetime(payload) { ticks.update { $0 += 1 } }
                        if !stop.value { tick([n[0] + 1]) }
                    }
                    if isAsync {
                        join.when(tick) { n async throws in body(n) }
                    } else {
                        join.when(tick) { n in body(n) }
                    }
                    tick([0])
                }
            }
            let enough = heavy(1_000_000, debug: 50_000)
            while ticks.value < enough / 10 { await Task.yield() }
            let before = residentBytes()
            while ticks.value < enough { await Task.yield() }
            let growth = residentBytes() - before
            guard growth < 8 << 20 else { fatalError("grown by \(growth) bytes") }
            guard living.count == 2 else { fatalError("ended by itself") }
            stop.update { $0 = true }
            await living.areGone()
        }
    }
}

private func merge(_ one: [Int], _ other: [Int]) -> [Int] {
    var merged: [Int] = []
    merged.reserveCapacity(one.count + other.count)
    var (i, j) = (0, 0)
    while i < one.count && j < other.count {
        if one[i] <= other[j] { merged.append(one[i]); i += 1 } else { merged.append(other[j]); j += 1 }
    }
    return merged + one[i...] + other[j...]
}
