import ChemBase

/// The calls of a machine that have been waiting for long and are yet to be reported.
///
/// Finding out why a call waits looks at all definitions, describes keys and calls the reporter, which is code of a
/// user. So one task does that for all that come meanwhile, and the timer, which all machines share, isn't held up.
final class LongWaits: @unchecked Sendable {
    // Checked by hand: everything mutable is touched under `lock`.

    /// Reports one, with what finds out why it waits if its machine records.
    typealias Report = @Sendable (_ explain: ((WaitingCall) -> String)?) -> Void

    private let lock = Lock()
    private var reports: [Report] = []
    private var isReporting = false

    /// Has `report` called in a task.
    func report(in join: Join, _ report: @escaping Report) {
        lock.lock()
        reports.append(report)
        let mustStart = !isReporting
        isReporting = true
        lock.unlock()
        guard mustStart else { return }
        Task.detached(executorPreference: join.machine.configuration.executor) {
            while let reports = self.next() {
                let explain = join.observation.map { _ in join.soup.owner.explainer() }
                for report in reports { report(explain) }
            }
        }
    }

    private func next() -> [Report]? {
        lock.lock()
        defer { lock.unlock() }
        isReporting = !reports.isEmpty
        defer { reports = [] }
        return isReporting ? reports : nil
    }
}
