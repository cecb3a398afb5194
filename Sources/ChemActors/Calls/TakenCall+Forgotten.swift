extension TakenCall {
    /// What is told of it if nobody will answer it: no body of its definition runs, or will be tried again. Nil if that
    /// isn't so. Called outside of the soup.
    package var forgotten: String? {
        guard let call = call as? Call, !call.isSettled else { return nil }
        let entry = call.soup.enter()
        let isForgotten = entry.contents.life.running == 0 && entry.contents.life.retries == 0
        entry.leaveUnchanged()
        if !isForgotten { return nil }
        let waits = "\(call.slot.fullName) waits, called at \(call.location)"
        return "\(waits): a reaction has taken it, and nobody has answered"
    }
}
