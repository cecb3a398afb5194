// The guide for users of SimpleSwiftFRP: its samples, and what is new.

// snippet.import
import ChemLibrary
// snippet.end

import Foundation
import Synchronization

let printed = Mutex<[String]>([])
@Sendable func show(_ text: String) { printed.withLock { $0.append(text) } }
@Sendable func print(_ text: String) { show(text) }

do {
    // snippet.hello
    let srcMessage = EventSource<String>()
    let cMessage = Cell<String>(initialValue: "")
    let oMessage = Outlet<String>()

    srcMessage
        --^ cMessage  // the lift operator:   --^
        --< (oMessage, { print($0) })  // the output operator: --<

    srcMessage.send("Hello World!")  // Output: "Hello World!"
    srcMessage.send("Goodbye for now.")  // Output: "Goodbye for now."
    // snippet.end
    try await srcMessage.graph.quiescence()
    precondition(printed.withLock { $0 } == ["Hello World!", "Goodbye for now."])
}

do {
    let transformAToB: @Sendable (Int) -> Double = { Double($0) / 2 }
    let transformBToC: @Sendable (Double) -> String = { "\($0)" }
    let source = EventSource<Int>()
    let streamA = EventStream<Int>()
    let streamB = EventStream<Double>()
    let streamC = EventStream<String>()
    source >-- streamA
    // snippet.map
    streamA
        >-- (streamB, transformAToB)
        >-- (streamC, transformBToC)
    // snippet.end
    let result = streamC --^ Cell(initialValue: "")
    try await source.sendAndWait(5)
    precondition(result.value == "2.5")
}

do {
    let source = EventSource<Int>()
    let streamA = EventStream<Int>()
    let streamB = EventStream<Int>()
    let streamC = EventStream<Int>()
    source >-- streamA
    // snippet.filter
    streamA
        --| (streamB, { $0 >= 0 })
        >-- (streamC, { $0 * 10 })
    // snippet.end
    let result = streamC --^ Cell(initialValue: 0)
    try await source.sendAndWait(5)
    try await source.sendAndWait(-5)
    precondition(result.value == 50)
}

do {
    // snippet.filter-nil
    let srcA = EventSource<String>()
    let streamA = EventStream<Int?>()
    let streamB = EventStream<Int>()

    srcA
        >-- (streamA, { Int($0) })
        --! streamB
    // snippet.end
    let result = streamB --^ Cell(initialValue: 0)
    try await srcA.sendAndWait("7")
    try await srcA.sendAndWait("x")
    precondition(result.value == 7)
}

do {
    // snippet.merge
    let streamA = EventStream<Double>()
    let streamB = EventStream<Double>()
    let cLatestEvent = Cell<Double>(initialValue: 0)

    [
        streamA,
        streamB,
    ]
        --& cLatestEvent
    // snippet.end
    let source = EventSource<Double>()
    source >-- streamB
    try await source.sendAndWait(2.5)
    precondition(cLatestEvent.value == 2.5)
}

do {
    // snippet.lift
    let srcFirstName = EventSource<String>()
    let srcLastName = EventSource<String>()
    let cFirstName = Cell<String>(initialValue: "")
    let cLastName = Cell<String>(initialValue: "")
    let cFullName = Cell<String>(initialValue: "")

    (
        srcFirstName
            --^ cFirstName,
        srcLastName
            --^ cLastName
    )
        --^ (cFullName, { $0 + $1 })
    // snippet.end

    // snippet.wait
    try await srcFirstName.sendAndWait("Ada")
    try await srcLastName.sendAndWait("Lovelace")
    print(cFullName.value)  // AdaLovelace
    // snippet.end
    precondition(printed.withLock { $0.last } == "AdaLovelace")

    // snippet.transaction
    cFullName.graph.transaction {
        srcFirstName.send("Grace")
        srcLastName.send("Hopper")
    }  // one event of cFullName: "GraceHopper"
    // snippet.end
    try await cFullName.graph.quiescence()
    precondition(cFullName.history.map(\.value) == ["Ada", "AdaLovelace", "GraceHopper"])

    // snippet.history
    for (time, value) in cFullName.history { show("\(time): \(value)") }
    let first = cFullName.history[0].time
    print(cFullName.valueAt(first))  // Ada
    try await cFullName.graph.restore(at: first)
    print(cLastName.value.isEmpty ? "restored" : "")  // restored
    // snippet.end
    precondition(printed.withLock { $0.last } == "restored" && cFullName.value == "Ada")
}

do {
    // snippet.methods
    let words = EventSource<String>()
    let total = words.compactMap { Int($0) }.filter { $0 > 0 }.scan(0) { $0 + $1 }
    let latest = words.map { $0.uppercased() }.cell("NONE")
    let both = latest.combined(with: total) { "\($0) \($1)" }
    both.sink { print($0) }
    // snippet.end
    for word in ["1", "one", "-1", "2"] { words.send(word) }
    try await words.graph.quiescence()
    precondition(printed.withLock { $0.suffix(4) } == ["1 1", "ONE 1", "-1 1", "2 3"])
}

do {
    // snippet.kept
    struct Event: Codable {
        let time: FlowTime
        let value: Int
    }

    let amounts = EventSource<Int>()
    let total = amounts.scan(0, +)
    for amount in [5, 6, 7] { try await amounts.sendAndWait(amount) }
    let saved = try JSONEncoder().encode(total.history.map { Event(time: $0.time, value: $0.value) })

    // In another process:
    let events = try JSONDecoder().decode([Event].self, from: saved)
    let others = EventSource<Int>()
    let again = Cell(initialValue: 0, history: events.map { (time: $0.time, value: $0.value) })
    others --+ (again, +)
    print("\(again.value)")  // 18
    try await again.graph.restore(at: events[1].time)
    print("\(again.value)")  // 11
    // snippet.end
    precondition(printed.withLock { $0.suffix(2) } == ["18", "11"])

    // snippet.several
    let before = FlowTime.now
    try await amounts.sendAndWait(1)
    try await others.sendAndWait(1)
    try await FlowGraph.restore([total.graph, again.graph], at: before)
    // snippet.end
    precondition(total.value == 18 && again.value == 11)
}

do {
    let srcA = EventSource<String>()
    let received = (srcA --^ Cell(initialValue: "")).updates
    // snippet.nested
    srcA.send("First message") {
        srcA.send("Second message")  // nothing comes between
    }
    // snippet.end
    srcA.finish()
    var all: [String] = []
    for await message in received { all.append(message) }
    precondition(all == ["First message", "Second message"])
}

do {
    let amounts = EventSource<Int>()
    // snippet.extras
    let total = amounts --+ (Cell(initialValue: 0), { $0 + $1 })  // accumulate
    let shares = EventStream<Double>()
    // snapshot
    (amounts, total) --% (shares, { amount, before in Double(amount) / Double(before + amount) })
    // snippet.end
    let share = shares --^ Cell(initialValue: 0)
    // snippet.values
    let totals = total.values  // begins here: nothing that is sent from now on is missed
    amounts.send(30)
    amounts.send(10)
    amounts.finish()
    for await total in totals { show("\(total)") }  // 0, 30, 40
    // snippet.end
    precondition(printed.withLock { $0.suffix(3) } == ["0", "30", "40"] && share.value == 0.25)
    precondition(total.graph.drawing.mermaid.hasPrefix("flowchart TD"))
}

do {
    let parts = (1...500).map { "line \($0)" }
    // snippet.capacity
    let lines = EventSource<String>(capacity: 100)
    let count = lines --+ (Cell(initialValue: 0), { count, _ in count + 1 })
    try await lines.send(contentsOf: parts)  // waits while 100 wait
    // snippet.end
    try await count.graph.quiescence()
    precondition(count.value == 500)
}

do {
    let readings = EventSource<Int>()
    // snippet.cutoff
    let level = readings --^ (Cell(initialValue: 0).cutoff(==), { $0 / 10 })
    for reading in [12, 15, 19, 21] { readings.send(reading) }  // two events: 1, 2
    // snippet.end
    try await level.graph.quiescence()
    precondition(level.history.map(\.value) == [1, 2])
}

// snippet.main-actor
@MainActor final class Label {
    var text = ""
}

@MainActor func bind(_ message: Cell<String>, to label: Label) {
    message --< (MainOutlet(), { label.text = $0 })
}
// snippet.end

do {
    let source = EventSource<String>()
    let message = source --^ Cell(initialValue: "")
    let label = Label()
    bind(message, to: label)
    source.send("shown")
    try await source.graph.quiescence()
    precondition(label.text == "shown")
}
