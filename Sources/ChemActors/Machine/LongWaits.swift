import ChemBase
import Dispatch

/// The calls of a machine that have been waiting for long, and the bodies that have kept their threads, as far as they
/// are yet to be reported.
///
/// Finding out why a call waits looks at all definitions, describes keys and calls the reporter, which is code of a
/// user. So one thread does that for all that come meanwhile, and the timer, which all machines share, isn't held up.
/// It isn't one of those that run tasks: bodies that block may have all of these.
final class LongWaits: Sendable {
    /// Reports one, with what finds out why it waits if its machine records.
    typealias Report = @Sendable (_ explain: ((WaitingCall) -> String)?) -> Void

    private struct Waiting {
        var reports: [Report] = []
        var isReporting = false
    }

    private let waiting = Guarded(Waiting())

    /// Has `report` called on another thread.
    func report(in join: Join, _ report: @escaping Report) {
        let mustStart = waiting.withLock { waiting in
            waiting.reports.append(report)
            defer { waiting.isReporting = true }
            return !waiting.isReporting
        }
        guard mustStart else { return }
        DispatchQueue.global().async {
            while let reports = self.next() {
                let explain = join.observation.map { _ in join.soup.owner.explainer() }
                for report in reports { report(explain) }
            }
        }
    }

    private func next() -> [Report]? {
        waiting.withLock { waiting in
            waiting.isReporting = !waiting.reports.isEmpty
            defer { waiting.reports = [] }
            return waiting.isReporting ? waiting.reports : nil
        }
    }
}
