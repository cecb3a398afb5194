import Foundation
import Synchronization

/// Ends the program if a sample doesn't end at all, so that a hang is reported rather than waited for.
///
/// It has a thread of its own, since a program that hangs may have no other one left.
final class Watchdog: Sendable {
    private static let patience = Duration.seconds(180)

    private struct Watched {
        var name: String
        var start: ContinuousClock.Instant
    }

    private let watched = Mutex<Watched?>(nil)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                look()
            }
        }
    }

    func expectEnd(of name: String) {
        watched.withLock { $0 = Watched(name: name, start: .now) }
    }

    func expectNothing() {
        watched.withLock { $0 = nil }
    }

    private func look() {
        guard let watched = watched.withLock({ $0 }), watched.start.duration(to: .now) > Self.patience else { return }
        FileHandle.standardError.write(
            Data(
                "\n\(Catalogue.program.name): \(watched.name) hangs: nothing came of one sample in \(Self.patience)\n"
                    .utf8
            )
        )
        exit(1)
    }
}
