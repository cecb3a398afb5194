/// Whoever looks again and again whether something has come. It looks at once at first; and later only now and then, so
/// that hundreds of tests that do so leave the threads to those that make it come.
package struct Polling {
    private var looks = 0

    package init() {}

    /// Comes back when it is time for the next look.
    package mutating func pause() async {
        looks += 1
        if looks < 100 || Task.isCancelled { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
    }
}
