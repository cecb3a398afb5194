extension Join {
    /// Why the definition isn't quiet: which bodies run, and in which calls they wait. Nil if it is.
    nonisolated func whatKeepsItBusy() -> String? {
        let entry = soup.enter()
        let isQuiet = entry.isQuiet
        entry.leaveUnchanged()
        if isQuiet { return nil }
        let view = DefinitionView(self)
        var causes: [String] = []
        for body in view.bodies {
            let reaction = "\(body.reaction.text) (\(body.reaction.location))"
            let call = body.call.map { "waits in \($0.slot.fullName), called at \($0.location)" } ?? "runs"
            let cause = "the body of \(reaction) \(call)"
            if !causes.contains(cause) { causes.append(cause) }
        }
        if causes.isEmpty, view.running > 0 {
            causes = [view.running == 1 ? "a body runs" : "\(view.running) bodies run"]
        }
        for reaction in view.reactions where view.isPossible(reaction) {
            causes.append("\(reaction.text) is possible" + (view.phase == .paused ? ", but '\(name)' is paused" : ""))
        }
        if view.retries > 0 { causes.append("a reaction that has failed will be tried again") }
        if causes.isEmpty { causes = ["something is on its way into the soup"] }
        let shown = causes.prefix(6).joined(separator: "; ")
        return causes.count > 6 ? "\(shown); and \(causes.count - 6) more" : shown
    }
}
