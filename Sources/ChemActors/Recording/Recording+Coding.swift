import ChemBase

// The format is described in Docs/recording-format.md.

extension Recording {
    private static let magic = Array("CHEMREC2".utf8)

    /// The recording as the bytes of a file.
    ///
    /// - Complexity: O(events).
    public var bytes: [UInt8] {
        var writer = BinaryWriter()
        writer.bytes.reserveCapacity(64 + 12 * events.count)
        writer.bytes += Self.magic
        writer.number(UInt64(definitions.count))
        for definition in definitions {
            writer.text(definition.name)
            writer.text(definition.location)
            writer.number(UInt64(definition.lost))
            writer.number(UInt64(definition.molecules.count))
            for molecule in definition.molecules { writer.text(molecule) }
            writer.number(UInt64(definition.reactions.count))
            for (reaction, location) in zip(definition.reactions, definition.reactionLocations) {
                writer.text(reaction)
                writer.text(location)
            }
            writer.number(definition.drawing == nil ? 0 : 1)
            if let drawing = definition.drawing { writer.drawing(drawing) }
        }
        writer.number(UInt64(events.count))
        var last: Int64 = 0
        for event in events {
            let time = event.time.nanoseconds
            writer.number(UInt64(max(0, time - last)))
            last = max(last, time)
            writer.number(UInt64(event.kind.rawValue) | (event.sender == nil ? 0 : 16) | (event.value == nil ? 0 : 32))
            writer.number(UInt64(event.definition))
            writer.number(UInt64(event.subject))
            writer.number(UInt64(event.kind.isOfCopies ? event.count : event.number))
            if let sender = event.sender {
                writer.number(UInt64(sender.definition))
                writer.number(UInt64(sender.number))
            }
            if let value = event.value { writer.text(value) }
        }
        return writer.bytes
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameter bytes: What ``bytes`` has given.
    /// - Throws: a ``RecordingError`` that says what is wrong, and at which byte.
    /// - Complexity: O(number of bytes).
    public init(bytes: [UInt8]) throws(RecordingError) {
        var reader = BinaryReader(bytes)
        guard reader.skip(Self.magic) else { throw RecordingError.isNoRecording }
        var definitions: [Definition] = []
        for _ in 0..<(try reader.count()) { definitions.append(try Self.definition(&reader)) }
        var events: [Event] = []
        let count = try reader.count()
        // A number that is damaged may be anything.
        events.reserveCapacity(min(count, 1 << 16))
        var time: UInt64 = 0
        for _ in 0..<count {
            let (sum, isTooLarge) = time.addingReportingOverflow(try reader.number())
            time = sum
            guard !isTooLarge, time <= UInt64(Int64.max) else {
                throw RecordingError.isDamaged("a time of more than 292 years", offset: reader.offset)
            }
            events.append(try Self.event(&reader, at: .nanoseconds(Int64(time)), definitions))
        }
        guard reader.isAtEnd else { throw RecordingError.isDamaged("something follows", offset: reader.offset) }
        self.init(definitions: definitions, events: events)
    }

    private static func definition(_ reader: inout BinaryReader) throws(RecordingError) -> Definition {
        let (name, location) = (try reader.text(), try reader.text())
        let lost = try small(&reader)
        var molecules: [String] = []
        for _ in 0..<(try reader.count()) { molecules.append(try reader.text()) }
        var reactions: [String] = []
        var locations: [String] = []
        for _ in 0..<(try reader.count()) {
            reactions.append(try reader.text())
            locations.append(try reader.text())
        }
        let hasDrawing = try reader.number()
        guard hasDrawing <= 1 else {
            throw RecordingError.isDamaged("'\(name)' has \(hasDrawing) pictures", offset: reader.offset)
        }
        let definition = Definition(
            name: name,
            location: location,
            molecules: molecules,
            reactions: reactions,
            reactionLocations: locations,
            lost: lost,
            drawing: hasDrawing == 1 ? try reader.drawing(of: name) : nil
        )
        if let drawing = definition.drawing, definition.places(in: drawing) == nil {
            throw RecordingError.isDamaged("the picture of '\(name)' is that of another one", offset: reader.offset)
        }
        return definition
    }

    private static func event(
        _ reader: inout BinaryReader,
        at time: Duration,
        _ definitions: [Definition]
    ) throws(RecordingError) -> Event {
        let head = try reader.number()
        guard head < 64, let kind = Kind(rawValue: UInt8(head & 15)) else {
            throw RecordingError.isDamaged("an event of the unknown kind \(head & 15)", offset: reader.offset)
        }
        let definition = try small(&reader)
        guard definition < definitions.count else {
            throw RecordingError.isDamaged("there is no definition \(definition)", offset: reader.offset)
        }
        let subject = try small(&reader)
        let limit =
            kind.isOfReaction ? definitions[definition].reactions.count : definitions[definition].molecules.count
        guard subject < limit else {
            throw RecordingError.isDamaged(
                "'\(definitions[definition].name)' has no molecule or reaction \(subject)",
                offset: reader.offset
            )
        }
        let number = try small(&reader)
        guard !kind.isOfCopies || number <= UInt32.max else {
            throw RecordingError.isDamaged("\(number) copies at once", offset: reader.offset)
        }
        var sender: Start?
        if head & 16 != 0 {
            let (definition, number) = (try small(&reader), try small(&reader))
            guard definition < definitions.count else {
                throw RecordingError.isDamaged("there is no definition \(definition)", offset: reader.offset)
            }
            sender = Start(definition: definition, number: number)
        }
        return Event(
            time: time,
            kind: kind,
            definition: definition,
            subject: subject,
            count: kind.isOfCopies ? number : 0,
            number: kind.isOfCopies ? 0 : number,
            sender: sender,
            value: head & 32 != 0 ? try reader.text() : nil
        )
    }

    private static func small(_ reader: inout BinaryReader) throws(RecordingError) -> Int {
        let number = try reader.number()
        guard let small = Int(exactly: number) else {
            throw RecordingError.isDamaged("the number \(number)", offset: reader.offset)
        }
        return small
    }

    /// Writes the recording to a file, which is made or replaced.
    ///
    /// - Parameter path: Where.
    /// - Throws: ``RecordingError/fileFailed(path:code:)``.
    public func write(to path: String) throws(RecordingError) { try Self.write(bytes, to: path) }

    /// Reads a file.
    ///
    /// - Parameter path: Where it is.
    /// - Throws: a ``RecordingError``.
    public init(contentsOf path: String) throws(RecordingError) {
        switch Platform.readFile(path, beginningWith: Self.magic) {
        case .success(let bytes): try self.init(bytes: bytes)
        case .failure(let error): throw RecordingError.fileFailed(path: path, code: error.code)
        }
    }

    static func write(_ bytes: [UInt8], to path: String) throws(RecordingError) {
        if let error = Platform.writeFile(bytes, to: path) {
            throw RecordingError.fileFailed(path: path, code: error.code)
        }
    }
}
