public import ChemActors
import ChemBase
import Foundation

extension ChemicalMachine {
    /// Lets this user's other programs look into the machine: `chem-inspector` shows in a browser what it does, and why
    /// calls wait.
    ///
    /// ```swift
    /// import ChemInspection
    ///
    /// try ChemicalMachine.shared.publish()
    /// ```
    ///
    /// The machine listens at a Unix socket in a folder that only this user may enter. Nobody can change anything
    /// through it; names, places in the source and numbers can be read, and no values, except the keys and amounts that
    /// guards wait for. A thread of its own answers, so it does so too if all threads of the pool are blocked. While
    /// nobody asks, it costs nothing. Whoever asks often gets what was true a moment ago, so that no more than a
    /// hundredth of a core goes into answers, beyond a short burst.
    ///
    /// The folder is what the environment variable `CHEM_INSPECTOR_DIR` says, otherwise `chem-inspector` in
    /// `XDG_RUNTIME_DIR`, or `chem-inspector-` and the number of the user in the folder for temporary files. Sockets
    /// that programs have left there which have ended are removed.
    ///
    /// It is published until ``Publication/end()``, or until the machine is released, or the program ends. What this
    /// function returns needn't be kept. After the release, the socket goes when somebody connects to it for the first
    /// time, or when another machine is published in the folder.
    ///
    /// - Parameters:
    ///   - name: What the machine is called. The name of the program by default.
    ///   - directory: The folder for the socket, if it isn't to be the usual one.
    /// - Returns: what ends it.
    /// - Throws: ``PublicationError`` if there can be no such folder or socket.
    @discardableResult
    public func publish(as name: String? = nil, in directory: String? = nil) throws(PublicationError) -> Publication {
        let program = ProcessInfo.processInfo.processName
        let directory = try SocketDirectory(directory ?? SocketDirectory.usual)
        let (path, listener) = try directory.listen(as: name ?? program)
        let responder = Responder(self, name: name ?? program, program: program)
        guard let server = SocketServer(listener, path, responder) else {
            Platform.closeDescriptor(listener)
            Platform.removeFile(path)
            throw PublicationError(path: path, reason: "the process has too many open files")
        }
        server.start()
        return Publication(path: path, server)
    }
}
