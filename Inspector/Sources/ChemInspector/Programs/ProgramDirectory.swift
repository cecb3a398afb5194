import NIOCore

/// The programs that can be looked at: the sockets of a folder, and what was named on the command line.
actor ProgramDirectory {
    /// A program in the list that the page shows.
    struct Entry: Codable, Sendable {
        let id: String
        let program: String
        let process: Int?
        let machine: String?
        let recording: Bool
        /// Whether it has said who it is, in time.
        let answers: Bool
    }

    enum Program: Sendable {
        case published(PublishedProgram)
        case recorded(RecordedProgram)
    }

    private let folder: SocketFolder?
    private let limits: Limits
    /// From the command line.
    private let named: [(id: String, program: Program)]
    private var published: [String: PublishedProgram] = [:]

    init(folder: SocketFolder?, sources: [Source], limits: Limits) {
        self.folder = folder
        self.limits = limits
        named = sources.enumerated().map { index, source in
            let id = "\(index + 1)-\(source.name)"
            return switch source.content {
            case .socket: (id, .published(PublishedProgram(path: source.path, limits: limits)))
            case .recording(let recording): (id, .recorded(RecordedProgram(recording, name: source.name)))
            }
        }
    }

    /// The program with this identifier, or nil if there has never been one.
    func program(_ id: String) -> Program? {
        if let program = named.first(where: { $0.id == id })?.program { return program }
        if published[id] == nil { look() }
        return published[id].map { .published($0) }
    }

    /// Those that exist now.
    func list() async -> [Entry] {
        // Of those that have gone there may be any number.
        let present = look().compactMap { name in published[name].map { (name, Program.published($0)) } }
        let candidates = named + present
        let entries = await withTaskGroup(of: (Int, Entry?).self) { [limits] group in
            for (index, candidate) in candidates.enumerated() {
                group.addTask { (index, await Self.entry(candidate.id, candidate.program, limits)) }
            }
            var entries = [Entry?](repeating: nil, count: candidates.count)
            for await (index, entry) in group { entries[index] = entry }
            return entries
        }
        return entries.compactMap { $0 }
    }

    func close() async {
        for program in published.values { await program.close() }
        for case (_, .published(let program)) in named { await program.close() }
    }

    /// Looks for new sockets. Old ones are kept: a program that has gone is another thing than one that never was.
    ///
    /// - Returns: the names of those that are there now, sorted.
    @discardableResult
    private func look() -> [String] {
        let sockets = folder?.sockets() ?? []
        for (name, path) in sockets where published[name] == nil {
            published[name] = PublishedProgram(path: path, limits: limits)
        }
        return sockets.map(\.name)
    }

    /// What the list says about a program; nil if nobody listens.
    private static func entry(_ id: String, _ program: Program, _ limits: Limits) async -> Entry? {
        func entry(_ name: String, _ identity: PublishedProgram.Identity? = nil, recording: Bool, answers: Bool)
            -> Entry
        {
            Entry(
                id: id,
                program: identity?.program ?? name,
                process: identity?.process,
                machine: identity?.machine,
                recording: recording,
                answers: answers
            )
        }
        switch program {
        case .recorded(let recorded):
            return entry(recorded.name, recording: true, answers: true)
        case .published(let published):
            do {
                return entry(
                    "",
                    try await published.identity(within: limits.introduction),
                    recording: false,
                    answers: true
                )
            } catch .isSilent {
                return entry(id, recording: false, answers: false)
            } catch {
                return nil
            }
        }
    }
}
