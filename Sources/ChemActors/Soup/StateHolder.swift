/// A body that has taken states. While its task waits in a call, it can't put them back.
class StateHolder {
    /// The call in which it waits. Touched in the soup of its definition.
    final var waitingCall: WaitingCall?
}
