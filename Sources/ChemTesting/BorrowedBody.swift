import ChemBase

/// The body of a test, as the trait gets it: nobody may have it any more when the trait returns.
///
/// A run that waits for what can't come never returns from the body, and nothing can end it: its task is abandoned, and
/// holds the body for ever. Nobody runs that task again, since nobody drives its run any more. Swift would stop the
/// program for it, and with it all other tests.
struct BorrowedBody {
    typealias Body = @concurrent @Sendable () async throws -> Void

    private typealias CountReferences = @convention(c) (UnsafeMutableRawPointer) -> UInt

    /// What the closure has captured, if it has.
    private let context: UnsafeMutableRawPointer?

    init(_ body: @escaping Body) {
        context = Self.context(of: body)
    }

    /// How many have it.
    var references: UInt { context.map(Self.count) ?? 0 }

    /// Lets go of it for those who have been abandoned, so that no more have it than before anybody ran it.
    func letGo(downTo references: UInt) {
        guard let context else { return }
        let body = Unmanaged<AnyObject>.fromOpaque(context)
        while Self.count(context) > references { body.release() }
    }

    /// A closure is a function and what it has captured. In a structure it is what it is: passed as a generic value, it
    /// would be wrapped in another one.
    private static func context(of body: @escaping Body) -> UnsafeMutableRawPointer? {
        unsafeBitCast(Holder(body: body), to: (function: UInt, context: UnsafeMutableRawPointer?).self).context
    }

    private struct Holder {
        let body: Body
    }

    private static func count(_ object: UnsafeMutableRawPointer) -> UInt { countReferences?(object) ?? 0 }

    private static let countReferences = Platform.symbol("swift_retainCount").map {
        unsafeBitCast($0, to: CountReferences.self)
    }
}
