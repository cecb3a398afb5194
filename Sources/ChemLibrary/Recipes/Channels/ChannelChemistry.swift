public import ChemActors
public import ChemBase

/// The molecules of a channel, and its two chemistries: with and without a buffer.
@usableFromInline
struct ChannelChemistry<Element: Sendable>: Exportable {
    /// Callers never send nil: nil marks the end, and only the chemistry injects it.
    @usableFromInline let send: FastMolecule<Element?, Void>
    @usableFromInline let receive: FastMolecule<Void, Element?>
    /// For `Select`: answered while `receive` would return at once.
    @usableFromInline let ready: FastMolecule<Void, Void>
    /// Closes at once, for synchronous code; `closing` serves a paused definition, and closes the channel as soon as it
    /// resumes.
    @usableFromInline let close: FastMolecule<Void, Void>
    @usableFromInline let closing: SlowMolecule<Void>
    /// Where the channel was made.
    @usableFromInline let fileID: StaticString
    @usableFromInline let line: UInt

    @inlinable
    var exported: ChannelChemistry {
        ChannelChemistry(
            send: send.exported,
            receive: receive.exported,
            ready: ready.exported,
            close: close.exported,
            closing: closing.exported,
            fileID: fileID,
            line: line
        )
    }

    @inlinable
    init(
        send: FastMolecule<Element?, Void>,
        receive: FastMolecule<Void, Element?>,
        ready: FastMolecule<Void, Void>,
        close: FastMolecule<Void, Void>,
        closing: SlowMolecule<Void>,
        fileID: StaticString,
        line: UInt
    ) {
        self.send = send
        self.receive = receive
        self.ready = ready
        self.close = close
        self.closing = closing
        (self.fileID, self.line) = (fileID, line)
    }

    /// The molecules that both chemistries have.
    @inlinable
    init(_ join: inout Join.Builder, _ fileID: StaticString, _ line: UInt) {
        send = join.fast("send", of: Element?.self, order: .oldestFirst)
        receive = join.fast("receive", returning: Element?.self, order: .oldestFirst)
        ready = join.fast("ready")
        close = join.fast("close")
        closing = join.slow("closing")
        (self.fileID, self.line) = (fileID, line)
    }

    /// Values wait in the soup; the last of them marks the end of the channel. A nil capacity allows any number of
    /// values.
    @inlinable
    static func buffer(
        _ capacity: Int?,
        _ name: String,
        _ fileID: StaticString,
        _ line: UInt
    ) -> ChannelChemistry {
        Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let channel = ChannelChemistry(&join, fileID, line)
            let item = join.slow("item", of: Element?.self, order: .oldestFirst)
            let open = join.slow("open")
            let closed = join.slow("closed")

            if let capacity {
                let room = join.slow("room")
                // In one step: once `open` is gone, every value that was sent is in the soup already, before the end.
                join.turn(channel.send, into: item, with: room, while: open)
                join.turn(channel.receive, from: item, into: room)
                room.inject(contentsOf: repeatElement((), count: capacity.countable))
            } else {
                join.turn(channel.send, into: item, while: open)
                join.turn(channel.receive, from: item)
            }

            join.answer(channel.ready, while: item)

            let end: @Sendable () -> Void = {
                closed()
                item(nil)
            }
            join.answer(channel.close, with: open) { _, _ in end() }
            join.when(channel.closing, open) { _, _ in end() }
            join.when(channel.closing, closed) { _, _ in closed() }
            join.answer(channel.send, with: closed) { _, _ in
                closed()
                throw ChannelClosed(name)
            }

            open()
            return channel
        }
    }

    /// A sender and a receiver react with each other.
    @inlinable
    static func rendezvous(_ name: String, _ fileID: StaticString, _ line: UInt) -> ChannelChemistry {
        Join.define(name, fileID: fileID, line: line) { join in
            join.endsWhenCleared()
            let channel = ChannelChemistry(&join, fileID, line)
            let isOpen = join.state("isOpen", true)
            let closed = join.slow("closed")

            // The same reaction twice, so that either side can be the one that doesn't wait.
            join.answer(channel.send, with: channel.receive, reading: isOpen) { isOpen, value, receiver in
                receiver(isOpen ? value : nil)
                if !isOpen { throw ChannelClosed(name) }
            }
            join.answer(channel.receive, with: channel.send, reading: isOpen) { isOpen, _, sender in
                if isOpen { sender() } else { sender.fail(ChannelClosed(name)) }
                return isOpen ? sender.value : nil
            }.mayCompete()

            join.answer(channel.ready, while: channel.send)
            join.answer(channel.ready, while: closed)

            let end: @Sendable (inout Bool) -> Void = { isOpen in
                if isOpen { closed() }
                isOpen = false
            }
            join.answer(channel.close, updating: isOpen) { isOpen, _ in end(&isOpen) }
            join.when(channel.closing, updating: isOpen) { isOpen, _ in end(&isOpen) }
            join.answer(channel.receive, with: closed) { _, _ in
                closed()
                return nil
            }
            join.answer(channel.send, with: closed) { _, _ in
                closed()
                throw ChannelClosed(name)
            }
            return channel
        }
    }
}
