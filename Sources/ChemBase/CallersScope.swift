/// What the code that runs on this thread is inside of, and what it calls is, too: a transaction of a graph, say.
///
/// A body that runs on the thread in the midst of that, since somebody has injected something, isn't inside of it.
package enum CallersScope {
    /// The innermost one, whatever it is.
    package static let innermost = ThreadLocal()
}
