import ChemActors
import TestSupport
import Testing

/// Molecules that are injected or called in the closure of `define`, before guards begin to look.
@Suite("Before guards begin to look", .endsInTime)
struct EarlyGuardTests {
    @Test("What the closure of 'define' injects behind a guard reacts, with any recorder", arguments: [false, true])
    func injectedEarly(isRecorded: Bool) async throws {
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: isRecorded ? .flight : .off)
        )
        let (next, definition) = machine.define("shop") { join in
            let order = join.slow("order", of: (id: String, item: Int).self)
            let payment = join.slow("payment", of: String.self)
            let shipped = join.slow("shipped", of: Int.self)
            let next = join.fast("next", returning: Int.self)
            join.when(order, payment, matching: \.id, \.self) { order, _ in shipped(order.item) }
            join.answer(next, with: shipped) { _, item in item }
            order((id: "a", item: 1))
            payment("a")
            return (next, join.definition)
        }
        #expect(try await next(within: .seconds(600)) == 1)
        #expect(definition.statistics.isBalanced)
    }

    @Test("So does what carries names, and what is injected into bounded molecules", arguments: [false, true])
    func injectedEarlyWithNames(isRecorded: Bool) async throws {
        let machine = ChemicalMachine(
            ChemicalMachine.Configuration(reporter: { _ in }, patience: nil, recorder: isRecorded ? .flight : .off)
        )
        let answers = Shared<[Int]>([])
        let answer = machine.define("answers") { join in
            let answer = join.slow("answer", of: Int.self)
            join.when(answer) { number in answers.update { $0.append(number) } }
            return answer
        }
        let definition = machine.define("shop") { join in
            let order = join.slow("order", of: (id: String, reply: SlowMolecule<Int>).self)
            let payment = join.slow("payment", of: String.self)
            let (left, right) = (join.bounded("left", of: Int.self, capacity: 2), join.slow("right", of: Int.self))
            join.when(order, payment, matching: \.id, \.self) { order, _ in order.reply(1) }
            join.when(left, right, matching: \.self, \.self) { number, _ in answer(number) }
            order((id: "a", reply: answer))
            payment("a")
            #expect(left.tryInject(2))
            right(2)
            return join.definition
        }
        try await definition.quiescence()
        try await until { answers.value.sorted() == [1, 2] }
        definition.clear()
        #expect(definition.statistics.isBalanced)
    }

    @Test("Calls that come while the closure runs are looked at by their callers and by the closure")
    func calledEarly() async throws {
        for _ in 0..<200 {
            let tasks = Shared<[Task<String, any Error>]>([])
            let put = Join.define("early") { join in
                let put = join.slow("put", of: String.self)
                let get = join.fast("get", of: String.self, returning: String.self)
                join.answer(get, with: put, matching: \.self, \.self) { _, text in text }
                for number in 0..<8 { tasks.update { $0.append(Task { try await get("\(number)") }) } }
                return put
            }
            for number in 0..<8 { put("\(number)") }
            for (number, task) in tasks.value.enumerated() { #expect(try await task.value == "\(number)") }
        }
    }
}
