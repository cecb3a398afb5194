/// A molecule on its way, as a control sees it: a copy that is injected, or a call.
package struct ControlledMessage: Hashable, Sendable {
    /// The definition whose body sends it. Nil for anybody else.
    package let sender: String?
    /// The definition that it goes to.
    package let definition: String
    package let molecule: String
}
