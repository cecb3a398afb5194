// After protos/perfetto/trace of https://github.com/google/perfetto: trace_packet.proto, track_event/*.proto.

extension Recording {
    /// Writes a trace that [Perfetto](https://ui.perfetto.dev) opens. See ``perfetto``.
    ///
    /// - Parameter path: Where to make or replace the file.
    /// - Throws: ``RecordingError/fileFailed(path:code:)``.
    public func writePerfetto(to path: String) throws(RecordingError) { try Self.write(perfetto, to: path) }

    /// A trace for [Perfetto](https://ui.perfetto.dev): a track for each definition, in which bodies that run at the
    /// same time have lanes of their own, and arrows from injections and calls to the reactions that consume them.
    ///
    /// An arrow from a call that has waited is exact. Which copy of a slow molecule a reaction takes isn't written
    /// down: its arrow begins at the oldest one, and it may have been another where several are present and leave at
    /// random, where copies were put back or dropped, and where a failed reaction was tried again.
    ///
    /// - Complexity: O(events · bodies of one definition at the same time).
    public var perfetto: [UInt8] {
        var writer = PerfettoWriter(self)
        writer.write()
        return writer.trace.bytes
    }
}

private struct PerfettoWriter {
    /// The numbers of the fields.
    private enum Field {
        static let packet: UInt64 = 1
        static let timestamp: UInt64 = 8
        static let sequence: UInt64 = 10
        static let event: UInt64 = 11
        static let interned: UInt64 = 12
        static let flags: UInt64 = 13
        static let descriptor: UInt64 = 60
    }

    private enum Slice: UInt64 { case begin = 1, end, instant }

    private let recording: Recording
    var trace = BinaryWriter()
    /// For each definition, which lanes a body occupies, by the number of its start.
    private var lanes: [[Int?]]
    /// For each slow molecule, the arrows that have begun, oldest first.
    private var arrows: [[Queue]]
    /// For each definition, the arrows from the calls that wait, by their numbers.
    private var calls: [[Int: UInt64]]
    /// The numbers of the calls that were taken by the start at a place in the recording.
    private let taken: [Int: [Int]]
    private var arrow: UInt64 = 0
    /// The first number of each definition's names: of its molecules, then of its reactions.
    private var names: [UInt64] = []
    /// For each reaction, the molecules that it consumes.
    private let inputs: [[[(molecule: Int, copies: Int)]]]

    private struct Queue {
        /// Each stands for so many copies that were injected together.
        private var items: [(arrow: UInt64?, count: Int)] = []
        private var first = 0

        mutating func add(_ arrow: UInt64?, count: Int = 1) {
            if count > 0 { items.append((arrow, count)) }
        }

        /// Takes the oldest ones. What isn't here has come before the recording began.
        ///
        /// - Returns: some of their arrows.
        @discardableResult
        mutating func take(_ count: Int) -> [UInt64] {
            var taken: [UInt64] = []
            var rest = count
            while rest > 0, first < items.count {
                if let arrow = items[first].arrow, taken.count < 4 { taken.append(arrow) }
                let some = min(rest, items[first].count)
                remove(some)
                rest -= some
            }
            return taken
        }

        /// Removes so many of the oldest, which has no fewer.
        private mutating func remove(_ count: Int) {
            items[first].count -= count
            if items[first].count == 0 { first += 1 }
            if first > 64, first * 2 > items.count {
                items.removeFirst(first)
                first = 0
            }
        }
    }

    init(_ recording: Recording) {
        self.recording = recording
        let definitions = recording.definitions
        lanes = definitions.map { _ in [] }
        arrows = definitions.map { $0.molecules.map { _ in Queue() } }
        calls = definitions.map { _ in [:] }
        taken = Self.takenCalls(recording)
        inputs = definitions.map(\.inputs)
        var next: UInt64 = 1
        for definition in definitions {
            names.append(next)
            next += UInt64(definition.molecules.count + definition.reactions.count)
        }
        trace.bytes.reserveCapacity(1024 + 40 * recording.events.count)
    }

    /// A start is written down before what it takes.
    private static func takenCalls(_ recording: Recording) -> [Int: [Int]] {
        var taken: [Int: [Int]] = [:]
        var starts: [Int?] = recording.definitions.map { _ in nil }
        for (place, event) in recording.events.enumerated() {
            switch event.kind {
            case .started: starts[event.definition] = place
            case .taken:
                if let start = starts[event.definition] { taken[start, default: []].append(event.number) }
            default: break
            }
        }
        return taken
    }

    mutating func write() {
        describe()
        for (place, event) in recording.events.enumerated() { write(event, at: place) }
    }

    private mutating func write(_ event: Recording.Event, at place: Int) {
        let time = UInt64(max(0, event.time.nanoseconds))
        let definition = event.definition
        let before = event.kind.isOfReaction ? recording.definitions[definition].molecules.count : 0
        let name = names[definition] + UInt64(before + event.subject)
        switch event.kind {
        case .injected, .called: begin(event, at: time, name)
        case .started: start(event, at: time, name, takes: taken[place] ?? [])
        case .ended:
            if let lane = lanes[definition].firstIndex(of: event.number) {
                lanes[definition][lane] = nil
                slice(.end, at: time, on: track(definition, lane), nil)
            }
        case .withdrawn:
            calls[definition][event.number] = nil
            tell("withdrawn", at: time, of: definition, name)
        case .putBack:
            arrows[definition][event.subject].add(nil, count: event.count)
            tell("put back", at: time, of: definition, name)
        case .dropped:
            arrows[definition][event.subject].take(event.count)
            tell("dropped", at: time, of: definition, name)
        case .failed: tell("has thrown", at: time, of: definition, name)
        case .taken: break
        }
    }

    private mutating func tell(_ what: String, at time: UInt64, of definition: Int, _ name: UInt64) {
        slice(.instant, at: time, on: track(definition), name, note: ("event", what))
    }

    /// An injection or a call, from which arrows begin.
    private mutating func begin(_ event: Recording.Event, at time: UInt64, _ name: UInt64) {
        let definition = event.definition
        var new: [UInt64] = []
        for _ in 0..<(event.kind == .called ? 1 : min(event.count, 4)) {
            arrow += 1
            new.append(arrow)
        }
        if event.kind == .called {
            calls[definition][event.number] = arrow
        } else {
            for arrow in new { arrows[definition][event.subject].add(arrow) }
            arrows[definition][event.subject].add(nil, count: event.count - new.count)
        }
        let note = event.value.map { ("value", $0) }
        slice(.instant, at: time, on: track(definition), name, begins: new, note: note)
    }

    /// A start, at which arrows end.
    private mutating func start(_ event: Recording.Event, at time: UInt64, _ name: UInt64, takes calls: [Int]) {
        let definition = event.definition
        // More than a few arrows to one body can't be told apart.
        let waited = calls.compactMap { self.calls[definition].removeValue(forKey: $0) }
        var ends = Array(waited.prefix(4))
        for (molecule, copies) in inputs[definition][event.subject] {
            let arrows = arrows[definition][molecule].take(copies)
            ends += arrows.prefix(max(0, 4 - ends.count))
        }
        let lane = occupy(definition, event.number)
        slice(.begin, at: time, on: track(definition, lane), name, ends: ends)
    }

    /// The lowest lane that is free.
    private mutating func occupy(_ definition: Int, _ start: Int) -> Int {
        let lane = lanes[definition].firstIndex { $0 == nil } ?? lanes[definition].count
        if lane == lanes[definition].count {
            lanes[definition].append(start)
            var descriptor = BinaryWriter()
            descriptor.field(1, track(definition, lane))
            descriptor.field(5, track(definition))
            descriptor.field(2, lane == 0 ? "bodies" : "bodies, lane \(lane + 1)")
            packet { $0.field(Field.descriptor, descriptor) }
        } else {
            lanes[definition][lane] = start
        }
        return lane
    }

    /// The process, a track for each definition, and the names of what happens.
    private mutating func describe() {
        var process = BinaryWriter()
        process.field(1, 1)
        process.field(6, "chemistry")
        var root = BinaryWriter()
        root.field(1, 1)
        root.field(3, process)
        var interned = BinaryWriter()
        for (index, definition) in recording.definitions.enumerated() {
            for (offset, name) in (definition.molecules + definition.reactions).enumerated() {
                var entry = BinaryWriter()
                entry.field(1, names[index] + UInt64(offset))
                entry.field(2, name)
                interned.field(2, entry)
            }
        }
        packet {
            $0.field(Field.descriptor, root)
            // The incremental state is cleared, and begins with these names.
            $0.field(Field.flags, 1)
            $0.field(Field.interned, interned)
        }
        for (index, definition) in recording.definitions.enumerated() {
            var descriptor = BinaryWriter()
            descriptor.field(1, track(index))
            descriptor.field(5, 1)
            descriptor.field(2, "\(definition.name) (\(definition.location))")
            packet { $0.field(Field.descriptor, descriptor) }
        }
    }

    /// The track of a definition, or of one of its lanes.
    private func track(_ definition: Int, _ lane: Int? = nil) -> UInt64 {
        // The process has 1.
        2 + UInt64(definition) << 20 + UInt64((lane ?? -1) + 1)
    }

    private mutating func packet(_ write: (inout BinaryWriter) -> Void) {
        var packet = BinaryWriter()
        packet.field(Field.sequence, 1)
        write(&packet)
        trace.field(Field.packet, packet)
    }

    private mutating func slice(
        _ type: Slice,
        at time: UInt64,
        on track: UInt64,
        _ name: UInt64?,
        begins: [UInt64] = [],
        ends: [UInt64] = [],
        note: (name: String, text: String)? = nil
    ) {
        if let note {
            instant(at: time, on: track, name, begins: begins, note: note)
            return
        }
        trace.short(Field.packet) { packet in
            packet.field(Field.timestamp, time)
            packet.field(Field.sequence, 1)
            packet.field(Field.flags, 2)
            packet.short(Field.event) { event in
                event.field(9, type.rawValue)
                event.field(11, track)
                if let name { event.field(10, name) }
                for arrow in begins { event.field(47, fixed: arrow) }
                for arrow in ends { event.field(48, fixed: arrow) }
            }
        }
    }

    /// An event with something more to be told, as a debug annotation.
    private mutating func instant(
        at time: UInt64,
        on track: UInt64,
        _ name: UInt64?,
        begins: [UInt64],
        note: (name: String, text: String)
    ) {
        var annotation = BinaryWriter()
        annotation.field(10, note.name)
        annotation.field(6, note.text)
        var event = BinaryWriter()
        event.field(9, Slice.instant.rawValue)
        event.field(11, track)
        if let name { event.field(10, name) }
        event.field(4, annotation)
        for arrow in begins { event.field(47, fixed: arrow) }
        packet {
            $0.field(Field.timestamp, time)
            $0.field(Field.flags, 2)
            $0.field(Field.event, event)
        }
    }
}
