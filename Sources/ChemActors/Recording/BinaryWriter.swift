/// Bytes with numbers of variable length, as the wire format of protocol buffers and our own files have them.
struct BinaryWriter {
    var bytes: [UInt8] = []

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func text(_ text: String) {
        let utf8 = text.utf8
        number(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    // MARK: Fields of protocol buffers

    mutating func field(_ field: UInt64, _ value: UInt64) {
        number(field << 3)
        number(value)
    }

    mutating func field(_ field: UInt64, fixed value: UInt64) {
        number(field << 3 | 1)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func field(_ field: UInt64, _ value: String) {
        number(field << 3 | 2)
        text(value)
    }

    mutating func field(_ field: UInt64, _ message: BinaryWriter) {
        number(field << 3 | 2)
        number(UInt64(message.bytes.count))
        bytes.append(contentsOf: message.bytes)
    }

    /// A message within this one, of fewer than 128 bytes: its length is written afterwards, and nothing is copied.
    @inline(__always)
    mutating func short(_ field: UInt64, _ write: (inout BinaryWriter) -> Void) {
        number(field << 3 | 2)
        let place = bytes.count
        bytes.append(0)
        write(&self)
        let length = bytes.count - place - 1
        precondition(length < 128)
        bytes[place] = UInt8(truncatingIfNeeded: length)
    }
}

/// Reads what a `BinaryWriter` has written.
struct BinaryReader {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { offset == bytes.count }

    /// How many bytes are left.
    var left: Int { bytes.count - offset }

    mutating func number() throws(RecordingError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard offset < bytes.count else { throw RecordingError.endsEarly(offset: offset) }
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte <= 1 else {
                throw RecordingError.isDamaged("a number of more than 64 bits", offset: offset)
            }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    mutating func text() throws(RecordingError) -> String {
        let length = try number()
        guard length <= UInt64(left) else { throw RecordingError.endsEarly(offset: offset) }
        let begin = offset
        offset += Int(length)
        return String(decoding: bytes[begin..<offset], as: UTF8.self)
    }

    /// A number that says how many things follow, each of at least one byte.
    mutating func count() throws(RecordingError) -> Int {
        let count = try number()
        guard count <= UInt64(left) else { throw RecordingError.endsEarly(offset: offset) }
        return Int(count)
    }

    mutating func skip(_ expected: [UInt8]) -> Bool {
        guard left >= expected.count, bytes[offset..<offset + expected.count].elementsEqual(expected) else {
            return false
        }
        offset += expected.count
        return true
    }
}
