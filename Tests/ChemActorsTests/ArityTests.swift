import ChemActors
import TestSupport
import Testing

/// Reactions of one to nine inputs, slow, and with a fast one in each position.
///
/// Each input carries a different decimal digit, so that the result shows which value came in which place.
@Suite("Arity", .endsInTime)
struct ArityTests {
    /// `digits` as one number.
    private static func number(_ digits: Int...) -> Int { digits.reduce(0) { $0 * 10 + $1 } }

    /// Injects the digits 1…n in each rotation, and expects the number 12…n for every round.
    private func check(
        arity: Int,
        rounds: Int = 20,
        _ declare: (inout Join.Builder, [SlowMolecule<Int>], _ result: @escaping @Sendable (Int) -> Void) -> Void
    ) async throws {
        let results = Guarded<[Int]>([])
        let (names, definition) = Join.define("arity \(arity)") { join in
            let names = (1...arity).map { join.slow("m\($0)", of: Int.self) }
            declare(&join, names) { results.append($0) }
            return (names, join.definition)
        }
        for round in 0..<rounds {
            for offset in 0..<arity {
                let index = (round + offset) % arity
                names[index](index + 1)
                if offset < arity - 1 {
                    try await definition.quiescence()
                    #expect(results.now.isEmpty, "a reaction of \(arity) ran with \(offset + 1) inputs")
                }
            }
            try await definition.quiescence()
            let seen = results.withLock { results in
                defer { results = [] }
                return results
            }
            let expected = (1...arity).reduce(0) { $0 * 10 + $1 }
            #expect(seen == [expected])
        }
    }

    @Test("A synchronous reaction runs once all of its inputs are there, each value in its place", arguments: 1...9)
    func synchronous(arity: Int) async throws {
        try await check(arity: arity) { join, m, result in
            switch arity {
            case 1: join.when(m[0]) { a in result(Self.number(a)) }
            case 2: join.when(m[0], m[1]) { a, b in result(Self.number(a, b)) }
            case 3: join.when(m[0], m[1], m[2]) { a, b, c in result(Self.number(a, b, c)) }
            case 4: join.when(m[0], m[1], m[2], m[3]) { a, b, c, d in result(Self.number(a, b, c, d)) }
            case 5: join.when(m[0], m[1], m[2], m[3], m[4]) { a, b, c, d, e in result(Self.number(a, b, c, d, e)) }
            case 6:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5]) { a, b, c, d, e, f in
                    result(Self.number(a, b, c, d, e, f))
                }
            case 7:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6]) { a, b, c, d, e, f, g in
                    result(Self.number(a, b, c, d, e, f, g))
                }
            case 8:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]) { a, b, c, d, e, f, g, h in
                    result(Self.number(a, b, c, d, e, f, g, h))
                }
            default:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]) { a, b, c, d, e, f, g, h, i in
                    result(Self.number(a, b, c, d, e, f, g, h, i))
                }
            }
        }
    }

    @Test("An asynchronous reaction runs once all of its inputs are there, each value in its place", arguments: 1...9)
    func asynchronous(arity: Int) async throws {
        try await check(arity: arity) { join, m, result in
            switch arity {
            case 1:
                join.when(m[0]) { a in
                    await Task.yield()
                    result(Self.number(a))
                }
            case 2:
                join.when(m[0], m[1]) { a, b in
                    await Task.yield()
                    result(Self.number(a, b))
                }
            case 3:
                join.when(m[0], m[1], m[2]) { a, b, c in
                    await Task.yield()
                    result(Self.number(a, b, c))
                }
            case 4:
                join.when(m[0], m[1], m[2], m[3]) { a, b, c, d in
                    await Task.yield()
                    result(Self.number(a, b, c, d))
                }
            case 5:
                join.when(m[0], m[1], m[2], m[3], m[4]) { a, b, c, d, e in
                    await Task.yield()
                    result(Self.number(a, b, c, d, e))
                }
            case 6:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5]) { a, b, c, d, e, f in
                    await Task.yield()
                    result(Self.number(a, b, c, d, e, f))
                }
            case 7:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6]) { a, b, c, d, e, f, g in
                    await Task.yield()
                    result(Self.number(a, b, c, d, e, f, g))
                }
            case 8:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]) { a, b, c, d, e, f, g, h in
                    await Task.yield()
                    result(Self.number(a, b, c, d, e, f, g, h))
                }
            default:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]) { a, b, c, d, e, f, g, h, i in
                    await Task.yield()
                    result(Self.number(a, b, c, d, e, f, g, h, i))
                }
            }
        }
    }

    @Test("A main-actor reaction runs once all of its inputs are there, each value in its place", arguments: 1...9)
    func onMainActor(arity: Int) async throws {
        try await check(arity: arity, rounds: 3) { join, m, result in
            switch arity {
            case 1: join.when(m[0], on: MainActor.self) { a in result(Self.number(a)) }
            case 2: join.when(m[0], m[1], on: MainActor.self) { a, b in result(Self.number(a, b)) }
            case 3: join.when(m[0], m[1], m[2], on: MainActor.self) { a, b, c in result(Self.number(a, b, c)) }
            case 4:
                join.when(m[0], m[1], m[2], m[3], on: MainActor.self) { a, b, c, d in result(Self.number(a, b, c, d)) }
            case 5:
                join.when(m[0], m[1], m[2], m[3], m[4], on: MainActor.self) { a, b, c, d, e in
                    result(Self.number(a, b, c, d, e))
                }
            case 6:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], on: MainActor.self) { a, b, c, d, e, f in
                    result(Self.number(a, b, c, d, e, f))
                }
            case 7:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], on: MainActor.self) { a, b, c, d, e, f, g in
                    result(Self.number(a, b, c, d, e, f, g))
                }
            case 8:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], on: MainActor.self) {
                    a,
                    b,
                    c,
                    d,
                    e,
                    f,
                    g,
                    h in result(Self.number(a, b, c, d, e, f, g, h))
                }
            default:
                join.when(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], on: MainActor.self) {
                    a,
                    b,
                    c,
                    d,
                    e,
                    f,
                    g,
                    h,
                    i in result(Self.number(a, b, c, d, e, f, g, h, i))
                }
            }
        }
    }

    @Test("An answering reaction takes every other input, each value in its place", arguments: 0...8)
    func answering(others: Int) async throws {
        let (names, ask) = Join.define("answer with \(others)") { join in
            let m = (0..<others).map { join.slow("m\($0 + 1)", of: Int.self) }
            let ask = join.fast("ask", of: Int.self, returning: Int.self)
            switch others {
            case 0: join.answer(ask) { a in Self.number(a) }
            case 1: join.answer(ask, with: m[0]) { a, b in Self.number(a, b) }
            case 2: join.answer(ask, with: m[0], m[1]) { a, b, c in Self.number(a, b, c) }
            case 3: join.answer(ask, with: m[0], m[1], m[2]) { a, b, c, d in Self.number(a, b, c, d) }
            case 4: join.answer(ask, with: m[0], m[1], m[2], m[3]) { a, b, c, d, e in Self.number(a, b, c, d, e) }
            case 5:
                join.answer(ask, with: m[0], m[1], m[2], m[3], m[4]) { a, b, c, d, e, f in Self.number(a, b, c, d, e, f)
                }
            case 6:
                join.answer(ask, with: m[0], m[1], m[2], m[3], m[4], m[5]) { a, b, c, d, e, f, g in
                    Self.number(a, b, c, d, e, f, g)
                }
            case 7:
                join.answer(ask, with: m[0], m[1], m[2], m[3], m[4], m[5], m[6]) { a, b, c, d, e, f, g, h in
                    Self.number(a, b, c, d, e, f, g, h)
                }
            default:
                join.answer(ask, with: m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7]) { a, b, c, d, e, f, g, h, i in
                    Self.number(a, b, c, d, e, f, g, h, i)
                }
            }
            return (m, ask)
        }
        for round in 0..<20 {
            let expected = (1...others + 1).reduce(0) { $0 * 10 + $1 }
            // Alternately called with the partners there, and before them.
            if round.isMultiple(of: 2) {
                for (index, name) in names.enumerated() { name(index + 2) }
                #expect(try await ask(1) == expected)
            } else {
                async let answer = ask(1)
                for (index, name) in names.enumerated() { name(index + 2) }
                #expect(try await answer == expected)
            }
        }
    }

    @Test("A reaction of nine inputs with a fast one in any position answers it", arguments: 0..<9)
    func fastInPosition(position: Int) async throws {
        let (names, ask) = Join.define("fast at \(position)") { join in
            let s = (0..<8).map { join.slow("m\($0)", of: Int.self) }
            let f = join.fast("ask", of: Int.self, returning: Int.self)
            switch position {
            case 0:
                join.when(f, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    a(Self.number(a.value, b, c, d, e, f, g, h, i))
                }
            case 1:
                join.when(s[0], f, s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    b(Self.number(a, b.value, c, d, e, f, g, h, i))
                }
            case 2:
                join.when(s[0], s[1], f, s[2], s[3], s[4], s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    c(Self.number(a, b, c.value, d, e, f, g, h, i))
                }
            case 3:
                join.when(s[0], s[1], s[2], f, s[3], s[4], s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    d(Self.number(a, b, c, d.value, e, f, g, h, i))
                }
            case 4:
                join.when(s[0], s[1], s[2], s[3], f, s[4], s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    e(Self.number(a, b, c, d, e.value, f, g, h, i))
                }
            case 5:
                join.when(s[0], s[1], s[2], s[3], s[4], f, s[5], s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    f(Self.number(a, b, c, d, e, f.value, g, h, i))
                }
            case 6:
                join.when(s[0], s[1], s[2], s[3], s[4], s[5], f, s[6], s[7]) { a, b, c, d, e, f, g, h, i in
                    g(Self.number(a, b, c, d, e, f, g.value, h, i))
                }
            case 7:
                join.when(s[0], s[1], s[2], s[3], s[4], s[5], s[6], f, s[7]) { a, b, c, d, e, f, g, h, i in
                    h(Self.number(a, b, c, d, e, f, g, h.value, i))
                }
            default:
                join.when(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], f) { a, b, c, d, e, f, g, h, i in
                    i(Self.number(a, b, c, d, e, f, g, h, i.value))
                }
            }
            return (s, f)
        }
        for round in 0..<20 {
            async let answer = ask(position + 1)
            for (index, name) in names.enumerated() { name(index < position ? index + 1 : index + 2) }
            #expect(try await answer == 123_456_789, "round \(round)")
        }
    }

    @Test("A reaction of two to four inputs with a fast one in any position answers it")
    func fastInPositionOfFew() async throws {
        let (names, asks) = Join.define("few") { join in
            let s = (0..<3).map { join.slow("m\($0)", of: Int.self) }
            let f = (0..<9).map { join.fast("ask\($0)", of: Int.self, returning: Int.self) }
            join.when(f[0], s[0]) { a, b in a(Self.number(a.value, b)) }
            join.when(s[0], f[1]) { a, b in b(Self.number(a, b.value)) }
            join.when(f[2], s[0], s[1]) { a, b, c in a(Self.number(a.value, b, c)) }
            join.when(s[0], f[3], s[1]) { a, b, c in b(Self.number(a, b.value, c)) }
            join.when(s[0], s[1], f[4]) { a, b, c in c(Self.number(a, b, c.value)) }
            join.when(f[5], s[0], s[1], s[2]) { a, b, c, d in a(Self.number(a.value, b, c, d)) }
            join.when(s[0], f[6], s[1], s[2]) { a, b, c, d in b(Self.number(a, b.value, c, d)) }
            join.when(s[0], s[1], f[7], s[2]) { a, b, c, d in c(Self.number(a, b, c.value, d)) }
            join.when(s[0], s[1], s[2], f[8]) { a, b, c, d in d(Self.number(a, b, c, d.value)) }
            return (s, f)
        }
        let shapes = [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2), (4, 3)]
        for _ in 0..<20 {
            for (ask, (arity, position)) in zip(asks, shapes) {
                for index in 0..<arity - 1 { names[index](index < position ? index + 1 : index + 2) }
                #expect(try await ask(position + 1) == (1...arity).reduce(0) { $0 * 10 + $1 }, "\(arity), \(position)")
            }
        }
    }
}
