import ChemBase
import Foundation
import Testing

/// What an inspector does: it connects, and asks line by line.
final class InspectorLine {
    let descriptor: Int32
    private var input: [UInt8] = []

    init(_ path: String) throws { descriptor = try #require(Platform.connect(to: path)) }

    deinit { Platform.closeDescriptor(descriptor) }

    func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            guard let count = Platform.send(bytes, to: descriptor) else { return }
            bytes = bytes.dropFirst(count)
            if count == 0 { wait(isFull: true) }
        }
    }

    /// The next line, or nil if the other side has hung up.
    func receive() -> String? {
        while true {
            if let end = input.firstIndex(of: UInt8(ascii: "\n")) {
                defer { input.removeSubrange(...end) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            switch Platform.receive(from: descriptor) {
            case .bytes(let bytes): input += bytes
            case .nothingYet: wait(isFull: false)
            case .end: return nil
            }
        }
    }

    func ask(_ request: String) -> String? {
        send(request + "\n")
        return receive()
    }

    func ask<Answer: Decodable>(_ request: String, for type: Answer.Type) throws -> Answer {
        let line = try #require(ask(request))
        return try JSONDecoder().decode(type, from: Data(line.utf8))
    }

    private func wait(isFull: Bool) {
        var watched = [Platform.Watched(descriptor, isFull: isFull)]
        Platform.waitForAny(&watched)
    }
}

/// A folder of its own for each test.
final class Folder {
    let path = "\(NSTemporaryDirectory())/chem-\(UInt32.random(in: .min ... .max))"

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var sockets: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".sock") }.sorted()
    }
}
