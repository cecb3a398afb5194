/// A molecule on its way, as a control sees it: a copy that is injected, or a call.
package struct ControlledMessage: Hashable, Sendable {
    /// The definition whose body sends it. Nil for anybody else.
    package let sender: String?
    /// The definition that it goes to.
    package let definition: String
    package let molecule: String
}

extension SoupReference {
    /// Tells a control, if there is one, that somebody injects.
    @inlinable
    @inline(__always)
    func tellOfInjection(into slot: SlotPointer) {
        if memory.pointee.isControlled { noteInjection(into: slot.pointee.slot) }
    }

    @usableFromInline
    @inline(never)
    func noteInjection(into slot: Slot) {
        let injector: Slot.Injectors = sender === join ? .itself : .others
        let entry = enter()
        slot.tally.injectors.insert(injector)
        entry.leaveUnchanged()
        tellOfMessage(to: slot)
    }

    /// Tells a control, if there is one and it wants to know, of a message.
    func tellOfMessage(to slot: Slot) {
        guard memory.pointee.isControlled, let control = join.machine.control, control.followsMessages else { return }
        control.sends(ControlledMessage(sender: sender?.name, definition: join.name, molecule: slot.name))
    }

    /// The definition whose body runs in this task, or whose closure.
    private var sender: Join? { ThreadMark.current?.join ?? BodyScope.current?.join }
}
