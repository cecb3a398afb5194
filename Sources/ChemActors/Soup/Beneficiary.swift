/// Somebody for whom a worker works, and only until it has what it waits for.
package protocol Beneficiary: AnyObject {
    /// Whether it has what it waits for.
    var isSettled: Bool { get }
}
