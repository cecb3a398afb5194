import Foundation

/// What a published machine is asked.
struct ProgramRequest: Encodable {
    private let get: String
    private let id: String?

    /// - Parameter path: What follows the program in the path of a request.
    init?(_ path: [String]) {
        switch (path.first, path.count) {
        case ("overview", 1), ("stuck", 1), ("events", 1): (get, id) = (path[0], nil)
        case ("groups", 2): (get, id) = ("group", path[1])
        case ("definitions", 2): (get, id) = ("definition", path[1])
        default: return nil
        }
    }

    /// The request as a line of the protocol.
    var line: String? { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } }
}
