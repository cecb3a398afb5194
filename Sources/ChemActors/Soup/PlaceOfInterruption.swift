/// Where a control may interrupt whoever runs in a thread: before it does something that others see, or after it has
/// done so.
@usableFromInline
package enum PlaceOfInterruption: Sendable {
    case beforeAct, afterAct
}
