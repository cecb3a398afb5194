// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the module `os` of Apple declares of signposts, as its documentation says, so that what uses them can be
// compiled and run elsewhere. It prints what it is told.

public struct OSSignpostID: Sendable {
    fileprivate let value: UInt64

    public init(_ value: UInt64) {
        precondition(value != 0 && value != .max, "reserved for 'null' and 'invalid'")
        self.value = value
    }

    public static let exclusive = OSSignpostID(0xeeee_b0b5_b2b2_eeee)
}

public final class OSSignpostIntervalState: Sendable {
    fileprivate let id: OSSignpostID

    fileprivate init(_ id: OSSignpostID) { self.id = id }

    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { OSSignpostIntervalState(id) }
}

public struct OSLogPrivacy: Sendable {
    public static var `public`: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> String,
        privacy: OSLogPrivacy
    ) { text += value() }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    fileprivate let text: String

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }

    public init(stringLiteral value: String) { text = value }
}

public typealias SignpostMetadata = OSLogMessage

public struct OSSignposter: Sendable {
    private let place: String

    public init(subsystem: String, category: String) { place = "\(subsystem) \(category)" }

    public var isEnabled: Bool { true }

    public func beginInterval(
        _ name: StaticString,
        id: OSSignpostID = .exclusive,
        _ message: SignpostMetadata
    ) -> OSSignpostIntervalState {
        print("\(place) \(name) \(id.value) begins: \(message.text)")
        return OSSignpostIntervalState(id)
    }

    public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {
        print("\(place) \(name) \(state.id.value) ends")
    }
}
