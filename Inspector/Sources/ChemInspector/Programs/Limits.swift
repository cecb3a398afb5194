package import NIOCore

/// How long programs are waited for, and how much they may say.
package struct Limits: Sendable {
    /// How long an answer may take.
    package var timeout = TimeAmount.seconds(2)
    /// How long the list of programs waits for one that hasn't said yet who it is.
    package var introduction = TimeAmount.milliseconds(300)
    /// How many bytes an answer has at most.
    package var answer = 16 << 20

    /// The usual ones.
    package init() {}
}
