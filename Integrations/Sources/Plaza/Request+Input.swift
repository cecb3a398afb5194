import Foundation
import Hummingbird

extension Request {
    /// A whole number in the query.
    func number(_ name: String, in range: ClosedRange<Int>, or standard: Int) throws -> Int {
        guard let text = uri.queryParameters[Substring(name)] else { return standard }
        guard let number = Int(text), range.contains(number) else {
            let range =
                range.upperBound == .max ? "at least \(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            throw HTTPError(.badRequest, message: "'\(name)' must be a whole number, \(range), not '\(text)'")
        }
        return number
    }

    /// How long the client waits for what isn't there yet: `?wait=5`, in seconds.
    func wait() throws -> Duration { .seconds(try number("wait", in: 0...60, or: 0)) }
}

extension PlazaContext {
    /// A name in the path.
    func name(_ parameter: String, _ limits: Limits) throws -> String {
        let text = try parameters.require(parameter)
        guard let name = text.removingPercentEncoding, !name.isEmpty, name.count <= limits.characters else {
            throw HTTPError(.badRequest, message: "a name has 1 to \(limits.characters) characters, not '\(text)'")
        }
        return name
    }
}
