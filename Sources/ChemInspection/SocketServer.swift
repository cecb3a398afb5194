import ChemBase
import Foundation
import Synchronization

/// Answers what comes over a Unix socket, line by line, on a thread of its own.
///
/// A client that doesn't take its answers isn't listened to meanwhile, so nothing piles up for it.
final class SocketServer: Sendable {
    private static let clientLimit = 32
    /// A request is short. Whoever sends more without a line break isn't an inspector.
    private static let requestLimit = 16_384

    private struct Client {
        let descriptor: Int32
        var input: [UInt8] = []
        var output: ArraySlice<UInt8> = []
        /// The end of the request that is answered next, once the last answer is sent.
        var requestEnd: Int? { output.isEmpty ? input.firstIndex(of: UInt8(ascii: "\n")) : nil }
    }

    private let listener: Int32
    private let path: String
    private let responder: Responder
    /// Whoever sends to `bell` wakes the thread, which waits for `ear` as well.
    private let ear: Int32
    private let bell: Int32
    private let hasEnded = Atomic<Bool>(false)

    /// Nil if the process has no descriptor left.
    init?(_ listener: Int32, _ path: String, _ responder: Responder) {
        guard case .success(let pair) = Platform.makePair() else { return nil }
        (ear, bell) = pair
        self.listener = listener
        self.path = path
        self.responder = responder
    }

    deinit {
        Platform.closeDescriptor(ear)
        Platform.closeDescriptor(bell)
    }

    func start() {
        let thread = Thread { [self] in run() }
        thread.name = "ChemInspection"
        // As the main thread has. Explaining a long chain of calls goes deep, and so does encoding that.
        thread.stackSize = 8 << 20
        thread.start()
    }

    func end() {
        guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // From here on, whoever looks finds nobody. The thread ends on its own.
        Platform.removeFile(path)
        _ = Platform.send([0], to: bell)
    }

    private func run() {
        var clients: [Client] = []
        var isRefusing = false
        while !hasEnded.load(ordering: .acquiring) {
            var watched = [Platform.Watched(ear)]
            watched += clients.map { Platform.Watched($0.descriptor, isFull: !$0.output.isEmpty) }
            // Clients who find no room wait until somebody leaves, or until the process has a descriptor for them.
            if clients.count < Self.clientLimit, !isRefusing { watched.append(Platform.Watched(listener)) }
            let areWaiting = clients.map { $0.requestEnd != nil }
            let limit: Int32? = areWaiting.contains(true) ? 0 : isRefusing ? 1_000 : nil
            Platform.waitForAny(&watched, milliseconds: limit)
            isRefusing = false
            for index in clients.indices.reversed() {
                let state = watched[index + 1]
                if areWaiting[index] || state.isReadable || state.isWritable, !serve(&clients[index]) {
                    Platform.closeDescriptor(clients[index].descriptor)
                    clients.remove(at: index)
                }
            }
            if watched.last?.descriptor == listener, watched.last?.isReadable == true {
                if let descriptor = Platform.accept(from: listener) {
                    clients.append(Client(descriptor: descriptor))
                } else {
                    isRefusing = true
                }
            }
            if responder.isOver { end() }
        }
        for client in clients { Platform.closeDescriptor(client.descriptor) }
        Platform.closeDescriptor(listener)
    }

    /// Goes on with a client, and gives it one answer: the others have their turn before the next. Returns whether it
    /// stays.
    private func serve(_ client: inout Client) -> Bool {
        if client.output.isEmpty, client.requestEnd == nil {
            switch Platform.receive(from: client.descriptor) {
            case .bytes(let bytes): client.input += bytes
            case .nothingYet: break
            case .end: return false
            }
        }
        guard send(&client) else { return false }
        guard let end = client.requestEnd else {
            return !client.output.isEmpty || client.input.count <= Self.requestLimit
        }
        let request = Array(client.input[..<end])
        client.input.removeSubrange(...end)
        if responder.isExhausted { rest() }
        client.output = responder.answer(request)[...]
        return send(&client)
    }

    /// Waits for ten milliseconds, unless the end comes. Even an answer from memory takes time: without this, somebody
    /// who asks in a loop would keep a core busy, and the rest would get what is in memory for as long as that lasts.
    private func rest() {
        var watched = [Platform.Watched(ear)]
        Platform.waitForAny(&watched, milliseconds: 10)
    }

    /// Sends what there is room for. Returns whether the client is still there.
    private func send(_ client: inout Client) -> Bool {
        while !client.output.isEmpty {
            guard let count = Platform.send(client.output, to: client.descriptor) else { return false }
            if count == 0 { return true }
            client.output = client.output.dropFirst(count)
        }
        return true
    }
}
