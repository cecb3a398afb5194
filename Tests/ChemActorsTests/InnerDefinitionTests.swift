import ChemActors
import TestSupport
import Testing

/// What definitions keep alive that are made in closures and bodies of others.
@Suite("Inner definitions", .endsInTime)
struct InnerDefinitionTests {
    /// Runs what it gets, in a body that knows nothing of it.
    private static func runner() -> (SlowMolecule<@Sendable () -> Void>, Join) {
        Join.define("runner") { join in
            join.isNotKeptByInnerDefinitions()
            let job = join.slow("job", of: (@Sendable () -> Void).self)
            join.when(job) { job in job() }
            return (job, join.definition)
        }
    }

    /// Something to hold, made by the code around.
    private static func channel(_ name: String) -> (SlowMolecule<Int>, FastMolecule<Void, Int>) {
        Join.define(name) { join in
            let (put, take) = (join.slow("put", of: Int.self), join.fast("take", returning: Int.self))
            join.answer(take, with: put) { _, value in value }
            return (put, take)
        }
    }

    private func isOver(_ definition: Join) async -> Bool {
        await Patience.until { definition.snapshot().phase == .dissolved }
    }

    @Test func whoRunsTheClosuresOfOthersEndsThoughWhatTheyHaveMadeIsHeld() async throws {
        let made = Guarded<(SlowMolecule<Int>, FastMolecule<Void, Int>)?>(nil)
        let runner: Join
        do {
            let (run, definition) = Self.runner()
            run { made.withLock { $0 = Self.channel("made") } }
            runner = definition
        }
        #expect(await isOver(runner))
        let (put, take) = try #require(made.now)
        put(7)
        #expect(try await take() == 7)
    }

    @Test func whatTheyMakeKeepsAliveWhatTheRunnerDoes() async throws {
        // `outer` is reachable by nothing but a reaction of `inner`, which was made by a runner made in a body of it.
        let made = Guarded<SlowMolecule<Int>?>(nil)
        let (sums, runners) = (Guarded<[Int]>([]), Guarded<[Join]>([]))
        let outer: Join
        do {
            let (begin, definition) = Join.define("outer") { join in
                let (begin, add) = (join.slow("begin"), join.slow("add", of: Int.self))
                let sum = join.state("sum", 0)
                join.when(add, updating: sum) { sum, number in
                    sum += number
                    sums.append(sum)
                }
                join.when(begin) { _ in
                    let (run, runner) = Self.runner()
                    runners.append(runner)
                    run {
                        let inner = Join.define("inner") { join in
                            let put = join.slow("put", of: Int.self)
                            join.when(put) { add($0) }
                            return put
                        }
                        made.withLock { $0 = inner }
                    }
                }
                return (begin, join.definition)
            }
            begin()
            outer = definition
        }
        #expect(await Patience.until { made.now != nil })
        #expect(await isOver(runners.now[0]))
        for number in 1...3 {
            made.now?(number)
            #expect(await Patience.until { sums.now.count == number })
        }
        #expect(outer.snapshot().phase == .running)
        made.withLock { $0 = nil }
        #expect(await isOver(outer))
    }

    @Test func othersAreKeptByWhatIsMadeInTheirBodies() async throws {
        let made = Guarded<(SlowMolecule<Int>, FastMolecule<Void, Int>)?>(nil)
        let definition: Join
        do {
            let (run, own) = Join.define("runner") { join in
                let job = join.slow("job", of: (@Sendable () -> Void).self)
                join.when(job) { job in job() }
                return (job, join.definition)
            }
            run { made.withLock { $0 = Self.channel("made") } }
            definition = own
        }
        #expect(await Patience.until { made.now != nil })
        try await definition.quiescence()
        #expect(definition.snapshot().phase == .running)
        made.withLock { $0 = nil }
        #expect(await isOver(definition))
    }

    // MARK: Names in values

    private struct Tag: Hashable, Sendable {
        let name: SlowMolecule<Int>
    }

    @Test func namesInTheKeysAndValuesOfDictionariesAreExported() async throws {
        let got = Guarded<[Int]>([])
        func sinks<Names>(_ names: ([Int: Tag], [Tag: Int]) -> Names) -> Names {
            Join.define("sinks") { join in
                let (a, b) = (join.slow("a", of: Int.self), join.slow("b", of: Int.self))
                join.when(a) { got.append($0) }
                join.when(b) { got.append($0) }
                return names([1: Tag(name: a), 2: Tag(name: b)], [Tag(name: a): 1, Tag(name: b): 2])
            }
        }
        let values = sinks { values, _ in values.values }
        for tag in values { tag.name(1) }
        #expect(await Patience.until { got.now.count == 2 })
        let keys = sinks { _, keys in keys.keys }
        #expect(keys.count == 2)
        for tag in keys { tag.name(2) }
        #expect(await Patience.until { got.now.count == 4 })
        let reversed = sinks { values, _ in Array(values.values).reversed() as ReversedCollection<[Tag]> }
        for tag in reversed { tag.name(3) }
        #expect(await Patience.until { got.now.count == 6 })
        #expect(got.now.sorted() == [1, 1, 2, 2, 3, 3])
    }

    private struct Row<A: Sendable>: Sendable {
        struct Box<B: Sendable>: Sendable { var pair: (A, B) }

        var a: (Box<Int8>?, Box<Int16>?, Box<Int32>?) = (nil, nil, nil)
        var b: (Box<UInt8>?, Box<UInt16>?, Box<UInt32>?) = (nil, nil, nil)
        var c: (Box<Float>?, Box<Double>?, Box<Bool>?) = (nil, nil, nil)
    }

    /// A type of many types, with the names in the last one.
    private struct Wide: Sendable {
        let a = (Row<Int8>(), Row<Int16>(), Row<Int32>(), Row<UInt8>())
        let b = (Row<UInt16>(), Row<UInt32>(), Row<Float>(), Row<Double>())
        let c = (Row<Bool>(), Row<String>(), Row<Character>(), Row<[Int]>())
        let last: Tag
    }

    @Test func namesAreFoundHoweverManyOtherTypesThereAre() async throws {
        let got = Guarded<[Int]>([])
        let carrier = Join.define("carrier") { join in
            let wide = join.slow("wide", of: Wide.self)
            join.when(wide) { $0.last.name(7) }
            return wide
        }
        Join.define("sender") { join in
            let a = join.slow("a", of: Int.self)
            join.when(a) { got.append($0) }
            carrier(Wide(last: Tag(name: a)))
        }
        #expect(await Patience.until { got.now == [7] })
        extendLifetime(carrier)
    }

    /// A type that leads to ever new ones.
    private indirect enum Nested<Value: Sendable>: Sendable {
        case flat(Value)
        case nested(Nested<[Value]>)

        var depth: Int {
            switch self {
            case .flat: 0
            case .nested(let deeper): deeper.depth + 1
            }
        }
    }

    @Test func typesThatLeadToEverNewOnesAreLookedAtOnce() async throws {
        let depths = Guarded<[Int]>([])
        let (nested, first) = Join.define("nested") { join in
            let nested = join.slow("nested", of: Nested<String>.self)
            join.when(nested) { depths.append($0.depth) }
            return (nested, Nested<[String]>.flat([]))
        }
        nested(.flat("a"))
        nested(.nested(first))
        #expect(await Patience.until { depths.now.count == 2 })
        #expect(depths.now.sorted() == [0, 1])
    }

    @Test func namesInTypesThatLeadToEverNewOnesAreRefused() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Join.define("nested") { join in
                let nested = join.slow("nested", of: Nested<SlowMolecule<Int>>.self)
                join.when(nested) { _ in }
            }
        }
        let message = String(decoding: exit?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Nested<SlowMolecule<Int>>"), "\(message)")
    }
}
