import ChemActors
import TestSupport
import Testing

/// Names that travel inside of other values, which needn't be `Exportable`.
@Suite("Carried names", .endsInTime)
struct CarriedNamesTests {
    typealias Name = SlowMolecule<Int>

    // MARK: What names are wrapped in

    enum Message {
        case number(Int)
        case tell(Name)
        case both(Name, String)
        case nothing
    }
    enum Single { case only(Name) }
    enum Generic<Content: Sendable>: Sendable {
        case content(Content)
        case number(Int)
        case nothing
    }
    /// Names in it are nobody's business but its own, as long as none is there.
    enum Numbers: Sendable {
        case end
        indirect case more(Int, Numbers)
    }
    /// Nobody knows whether names are in it, so it is not refused.
    enum Anything: Sendable {
        case end
        indirect case more(any Sendable, Anything)
    }
    final class Thing: Sendable {}
    struct Plain {
        let text: String
        let name: Name
        weak var thing: Thing?
        unowned let other: Thing
    }
    struct Node {
        var children: [Node]
        let name: Name?
    }
    protocol Letter: Sendable { var name: Name { get } }
    struct Ask: Letter {
        let pair: (String, Name)
        var name: Name { pair.1 }
    }
    struct Envelope {
        let letter: any Letter
        let text: String
    }
    private static let thing = Thing()

    /// A way to wrap a name, in which it travels.
    struct Wrapping: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let test: @Sendable (Route) async throws -> Void

        init<Value: Sendable>(
            _ text: String,
            _ wrap: @escaping @Sendable (Name) -> Value,
            _ unwrap: @escaping @Sendable (Value) -> Name?
        ) {
            testDescription = text
            test = { try await arrives(by: $0, wrap: wrap, unwrap: unwrap) }
        }
    }

    /// How a value leaves its definition.
    enum Route: CaseIterable { case injected, injectedMany, bounded, called, answered, answeredLater, read, streamed }

    static let wrappings = [
        Wrapping("alone", { $0 }, { $0 }),
        Wrapping("a tuple", { (1, $0) }, { $0.1 }),
        Wrapping("a tuple with labels", { (text: "a", pair: (name: $0, number: 1)) }, { $0.pair.name }),
        Wrapping("an array of tuples", { [("a", $0)] }, { $0[0].1 }),
        Wrapping("an optional tuple", { Optional(("a", $0)) }, { $0?.1 }),
        Wrapping("a tuple of optionals", { (Optional("a"), Optional($0)) }, { $0.1 }),
        Wrapping("a dictionary", { ["a": $0] }, { $0["a"] }),
        Wrapping("a dictionary of tuples", { ["a": (1, $0)] }, { $0["a"]?.1 }),
        Wrapping("the keys of a dictionary", { [$0: "a"] }, { $0.keys.first }),
        Wrapping("keys and values of a dictionary", { [$0: $0] }, { $0.values.first }),
        Wrapping("a set", { Set([$0]) }, { $0.first }),
        Wrapping("a slice", { [$0, $0].dropFirst() }, { $0.first }),
        Wrapping("a contiguous array", { ContiguousArray([(1, $0)]) }, { $0.first?.1 }),
        Wrapping("a collection of one", { CollectionOfOne((1, $0)) }, { $0.first?.1 }),
        Wrapping("a result", { Result<Name, any Error>.success($0) }, { try? $0.get() }),
        Wrapping("a result with a tuple", { Result<(Int, Name), CancellationError>.success((1, $0)) }) {
            try? $0.get().1
        },
        Wrapping(
            "a structure",
            { Plain(text: "a text that is too long to lie in place", name: $0, thing: thing, other: thing) }
        ) {
            $0.name
        },
        Wrapping("a structure that contains itself", { Node(children: [Node(children: [], name: $0)], name: nil) }) {
            $0.children[0].name
        },
        Wrapping("a case of an enumeration", { Message.tell($0) }) {
            if case .tell(let name) = $0 { name } else { nil }
        },
        Wrapping("a case with two values", { Message.both($0, "a text that is too long to lie in place") }) {
            if case .both(let name, _) = $0 { name } else { nil }
        },
        Wrapping("the only case", { Single.only($0) }) { if case .only(let name) = $0 { name } else { nil } },
        Wrapping("a generic enumeration", { Generic.content((1, $0)) }) {
            if case .content(let pair) = $0 { pair.1 } else { nil }
        },
        Wrapping("an optional enumeration", { Optional(Message.tell($0)) }) {
            if case .tell(let name)? = $0 { name } else { nil }
        },
        Wrapping("a value behind a protocol", { Ask(pair: ("a", $0)) as any Letter }, { $0.name }),
        Wrapping("an array of such", { [Ask(pair: ("a", $0)) as any Letter] }, { $0[0].name }),
        Wrapping("a structure with such", { Envelope(letter: Ask(pair: ("a", $0)), text: "b") }, { $0.letter.name }),
        Wrapping("any Sendable", { ("a", $0) as any Sendable }, { ($0 as? (String, Name))?.1 }),
        Wrapping("beside an indirect case without names", { (Numbers.more(1, .end), $0) }, { $0.1 }),
    ]

    @Test(
        "A name leaves its definition, which ends its body: what is sent later arrives",
        arguments: wrappings,
        Route.allCases
    )
    func leaves(wrapping: Wrapping, route: Route) async throws {
        try await wrapping.test(route)
    }

    /// A definition gives one of its own names away by `route`, wrapped, and keeps none. Then a value is sent to that
    /// name.
    private static func arrives<Value: Sendable>(
        by route: Route,
        wrap: @escaping @Sendable (Name) -> Value,
        unwrap: @escaping @Sendable (Value) -> Name?
    ) async throws {
        let log = EventLog()
        let machine = ChemicalMachine(.init(reporter: log.add, patience: nil))
        let (keep, bounded, call, deliver, courier) = machine.define("courier") { join in
            let keep = join.slow("keep", of: Value.self)
            let bounded = join.bounded("bounded", of: Value.self, capacity: 1)
            let call = join.fast("call", of: Value.self)
            let deliver = join.slow("deliver", of: Int.self)
            join.when(keep, deliver) { value, n in unwrap(value)?(n) }
            join.when(bounded, deliver) { value, n in unwrap(value)?(n) }
            join.answer(call) { value in keep(value) }
            return (keep, bounded, call, deliver, join.definition)
        }
        let received = Shared<[Int]>([])
        let giver: Join
        do {
            let names: Giver<Value>
            (names, giver) = machine.define("giver") { join in
                let value = join.slow("value", of: Int.self)
                let names = Giver<Value>(&join)
                join.when(value) { n in received.update { $0.append(n) } }
                if route == .called {
                    join.when(names.start) { _ in try await call(wrap(value)) }
                } else {
                    join.when(names.start, updating: names.state) { state, _ in
                        switch route {
                        case .injected: keep(wrap(value))
                        case .injectedMany: keep.inject(contentsOf: [wrap(value)])
                        case .bounded: _ = bounded.tryInject(wrap(value))
                        case .read: state = wrap(value)
                        case .streamed: names.give(wrap(value))
                        case .called, .answered, .answeredLater: break
                        }
                    }
                }
                if route == .answeredLater {
                    join.answer(names.ask) { _ async throws in
                        await Task.yield()
                        return wrap(value)
                    }
                } else {
                    join.answer(names.ask) { _ in wrap(value) }
                }
                return (names, join.definition)
            }
            names.start()
            try await giver.quiescence()
            switch route {
            case .answered, .answeredLater: keep(try await names.ask())
            case .read: keep(try #require(names.reader.value))
            case .streamed:
                var iterator = names.stream.makeAsyncIterator()
                keep(try #require(await iterator.next()))
            case .injected, .injectedMany, .bounded, .called: break
            }
        }
        // From here on the giver is only held by the name in the value.
        try await courier.quiescence()
        try await giver.quiescence()
        #expect(giver.snapshot().phase == .running)
        deliver(7)
        #expect(try await received.first() == 7)
        #expect(log.count { if case .ignoredInjection = $0.kind { true } else { false } } == 0)
    }

    /// The names of the definition that gives a name of its own away.
    private struct Giver<Value: Sendable>: Exportable {
        let start: SlowMolecule<Void>
        let ask: FastMolecule<Void, Value>
        let give: SlowMolecule<Value>
        let stream: MoleculeStream<Value>
        let state: StateMolecule<Value?>
        let reader: StateReader<Value?>

        init(_ join: inout Join.Builder) {
            start = join.slow("start")
            ask = join.fast("ask", returning: Value.self)
            give = join.slow("give", of: Value.self, order: .oldestFirst)
            stream = join.stream(of: give)
            state = join.state("state", nil)
            reader = state.reader
        }

        private init(exporting names: Giver) {
            start = names.start.exported
            ask = names.ask.exported
            give = names.give.exported
            stream = names.stream.exported
            state = names.state
            reader = names.reader.exported
        }

        var exported: Giver { Giver(exporting: self) }
    }

    @Test("On molecules of its own definition a name stays local, however it is wrapped: the definition dissolves")
    func staysLocal() async {
        let living = Living()
        for kind in 0..<4 {
            let payload = Payload(living)
            let start = Join.define("own") { join in
                let value = join.slow("value", of: Int.self)
                let start = join.slow("start")
                let tuple = join.slow("tuple", of: (Int, Name).self)
                let table = join.slow("table", of: [String: Name].self)
                let message = join.slow("message", of: Message.self)
                let anything = join.slow("anything", of: (any Sendable).self)
                let never = join.slow("never")
                join.when(never, tuple, table, message, anything) { _, _, _, _, _ in }
                join.when(value) { [payload] _ in withExtendedLifetime(payload) {} }
                join.when(start) { _ in
                    switch kind {
                    case 0: tuple((1, value))
                    case 1: table(["a": value])
                    case 2: message(.both(value, "a"))
                    default: anything((1, value))
                    }
                }
                return start
            }
            start()
        }
        await living.areGone()
    }

    @Test("A name that travels back to its own definition becomes local again: the definition dissolves")
    func comesHome() async throws {
        let living = Living()
        do {
            let home = Join.define("home") { [payload = Payload(living)] join in
                let value = join.slow("value", of: Int.self)
                let home = join.slow("home", of: (Int, Name).self)
                let never = join.slow("never")
                join.when(value) { [payload] _ in withExtendedLifetime(payload) {} }
                join.when(home, never) { _, _ in }
                return (value, home)
            }
            home.1((1, home.0))
        }
        await living.areGone()
    }

    @Test("Replies travel in such values, and are answered")
    func replies() async throws {
        let (ask, go) = Join.define("replying") { join in
            let ask = join.fast("ask", of: Int.self, returning: (Int, Name?).self)
            let kept = join.slow("kept", of: (reply: Reply<Int, (Int, Name?)>, name: Name).self)
            let go = join.slow("go", of: Int.self)
            join.when(ask) { reply in kept((reply, go)) }
            join.when(kept, go) { kept, n in kept.reply((kept.reply.value + n, kept.name)) }
            return (ask, go)
        }
        go(3)
        let (sum, name) = try await ask(4)
        #expect(sum == 7 && name == go)
    }

    @Test("Whoever holds nothing but a set of names that 'define' returned keeps the definition")
    func returnedSet() async throws {
        let received = Shared<[Int]>([])
        let names = Join.define("set") { join in
            let one = join.slow("one", of: Int.self), other = join.slow("other", of: Int.self)
            join.when(one, other) { one, other in received.update { $0.append(one + other) } }
            return Set([one, other])
        }
        for (index, name) in names.enumerated() { name(index + 1) }
        #expect(try await received.first() == 3)
    }

    @Test(
        "An indirect case that may hold anything is no reason to refuse a molecule, and its values travel as they are"
    )
    func anything() async throws {
        let ask = Join.define("anything") { join in
            let ask = join.fast("ask", of: Anything.self, returning: [Anything].self)
            join.answer(ask) { [$0] }
            return ask
        }
        let answer = try await ask(.more("a", .more(2, .end)))
        guard case .more(let text, .more(let number, .end)) = answer[0] else {
            Issue.record("changed")
            return
        }
        #expect(text as? String == "a" && number as? Int == 2)
    }

    @TaskLocal private static var caller: String?

    @Test("A call is answered in the context of its caller, whether or not it may carry names")
    func answeredInContext() async throws {
        let seen = Shared<[String?]>([])
        func ask<Value: Sendable>(_ value: Value) async throws {
            let ask = Join.define("plain") { join in
                let ask = join.fast("ask", of: Value.self, returning: Result<[Value], any Error>.self)
                join.answer(ask) { value in
                    seen.update { $0.append(Self.caller) }
                    return .success([value])
                }
                return ask
            }
            _ = try await Self.$caller.withValue("me") { try await ask(value) }
        }
        try await ask(1)
        try await ask(("a", ["b": 1 as Int?]))
        try await ask(Numbers.more(1, .end))
        try await ask([Self.thing])
        try await ask([{ @Sendable (_: Name) in }])
        let other = Join.define("other") { join in
            let name = join.slow("name", of: Int.self)
            join.when(name) { _ in }
            return name
        }
        try await ask(Message.tell(other))
        #expect(seen.value == Array(repeating: "me", count: 6))
    }
}
