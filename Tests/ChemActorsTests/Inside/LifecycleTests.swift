import Testing

@testable import ChemActors

/// A definition as its `Lifecycle` sees it: who works on it, what is in it, and who waits, all small enough to try
/// everything.
///
/// What the runtime does with the answers of a `Lifecycle` stands here once more, without memory, locks and threads.
private struct World: Hashable {
    /// A worker, or a caller that counts as one, and what it is doing.
    enum Worker: Hashable { case woken, looking, inShortBody, inRelievedBody, inLongBody, helping }

    var life: Lifecycle
    var workers: [Worker] = []
    /// How many reactions are possible, and whether the inbox holds a molecule that makes one possible.
    var possible = 0
    var hasMail = false
    var isReachable = true
    var waiters = 0
    /// How many callers have made a reaction possible and are about to run it.
    var promises = 0
    /// Asynchronous bodies, chores and waiting retries.
    var bodies = 0
    var chores = 0
    var retries = 0

    init(workerLimit: Int) {
        life = Lifecycle(workerLimit: workerLimit)
    }

    // MARK: Leaving, as `SoupEntry` and `Join.settle` do

    mutating func leave() {
        if life.mustWake(isPossible: possible > 0) { wake() }
    }

    mutating func wake() {
        life.workerWoken()
        workers.append(.woken)
    }

    mutating func leaveAfterEnd() {
        if life.hasNothingDue(isPossible: possible > 0, isReachable: isReachable) { return }
        switch life.afterEnd(isPossible: possible > 0, isReachable: isReachable) {
        case .nothing: break
        case .wakeWorker: wake()
        case .dropRetries:
            retries = 0
            life.retriesRemoved()
            leaveAfterEnd()
        case .settle(let settlement):
            if settlement.activates { life.reactivated() }
            if settlement.tells {
                waiters = 0
                life.isAwaited = false
            }
            if settlement.dissolves {
                life.dissolved()
                possible = 0
                // What it leaves behind is released as a chore.
                chores += 1
                life.choreBegan()
            }
        }
    }

    /// Nobody looks after the soup any more: what is in the inbox is in the soup.
    mutating func close() {
        absorb()
        life.workerTurnsAway()
    }

    mutating func absorb() {
        if hasMail { possible += 1 }
        hasMail = false
    }

    // MARK: Everything that can happen

    /// The worlds that can come next, each with the name of what happened.
    var next: [(String, World)] {
        var result: [(String, World)] = []
        func happens(_ name: String, _ change: (inout World) -> Void) {
            var world = self
            change(&world)
            world.workers.sort { "\($0)" < "\($1)" }
            result.append((name, world))
        }
        if life.phase != .dissolved { controls(happens) }
        for index in workers.indices { steps(of: index, happens) }
        callers(happens)
        if bodies > 0 {
            happens("an asynchronous body ends") {
                $0.bodies -= 1
                $0.life.bodyEnded()
                $0.leaveAfterEnd()
            }
        }
        if chores > 0 {
            happens("a chore ends") {
                $0.chores -= 1
                $0.life.choreEnded()
                $0.leaveAfterEnd()
            }
        }
        return result
    }

    private func controls(_ happens: (String, (inout World) -> Void) -> Void) {
        if !life.phase.ignoresInjections, possible < 2, isReachable {
            happens("somebody injects") {
                if $0.life.activity == .idle { $0.possible += 1 } else { $0.hasMail = true }
                $0.leave()
            }
        }
        if possible > 0 {
            happens("a call is withdrawn") {
                $0.possible -= 1
                $0.leaveAfterEnd()
            }
        }
        if isReachable {
            if life.phase != .defining, promises == 0 {
                happens("the last name goes") {
                    $0.isReachable = false
                    $0.leaveAfterEnd()
                }
            }
            happens("pause") {
                $0.life.paused()
                $0.leaveAfterEnd()
            }
            happens("resume") {
                $0.life.resumed()
                $0.leave()
                $0.leaveAfterEnd()
            }
            if chores < 2 {
                happens("deactivate") {
                    if $0.life.deactivated() { $0.drop() }
                }
            }
            happens("activate") { _ = $0.life.activated(isPossible: $0.possible > 0) }
        }
        if waiters == 0 {
            happens("somebody waits for quiet") {
                if $0.life.isQuiet(isPossible: $0.possible > 0) { return }
                $0.waiters = 1
                $0.life.isAwaited = true
            }
        }
        if chores == 0, isReachable {
            happens("a chore begins") {
                $0.chores += 1
                $0.life.choreBegan()
            }
        }
        if life.phase == .defining {
            happens("the closure returns") {
                if $0.life.started(isOver: false), $0.life.deactivated() { $0.drop() } else { $0.leaveAfterEnd() }
            }
        }
        if retries > 0 {
            happens("a retry is due") {
                $0.retries -= 1
                $0.life.retryTaken()
                $0.possible += 1
                $0.leave()
            }
        }
    }

    /// What callers do whose calls make a reaction possible.
    private func callers(_ happens: (String, (inout World) -> Void) -> Void) {
        // With three workers this test would take several times as long, and show nothing new.
        if isReachable, possible == 0, life.mayHelp, life.workerLimit < 3 {
            happens("a caller runs what its call makes possible") { $0.help() }
            if bodies == 0 {
                happens("a caller begins an asynchronous body") {
                    $0.help()
                    $0.bodies += 1
                    $0.helperLeaves($0.workers.lastIndex(of: .helping)!)
                }
            }
            if promises == 0 {
                happens("a caller is about to run what its call makes possible") {
                    $0.possible += 1
                    $0.promises += 1
                }
            }
        }
        if isReachable, possible > 0, life.activity == .scheduled, life.mayHelp, life.workerLimit < 3 {
            happens("a caller runs what a worker is on its way for") {
                $0.possible -= 1
                $0.help()
            }
        }
        if promises > 0 {
            happens("it comes to that") {
                $0.promises -= 1
                if $0.life.mayHelp, $0.possible > 0 {
                    $0.possible -= 1
                    $0.help()
                } else {
                    $0.leave()
                }
            }
        }
    }

    private mutating func help() {
        life.helperCame()
        life.bodyStarted()
        workers.append(.helping)
        leave()
    }

    private mutating func helperLeaves(_ index: Int) {
        workers.remove(at: index)
        life.helperLeft()
        if life.mustWake(isPossible: possible > 0) { wake() } else { leaveAfterEnd() }
    }

    /// What is in the soup is dropped, as a chore.
    private mutating func drop() {
        absorb()
        possible = 0
        retries = 0
        life.retriesRemoved()
        chores += 1
        life.choreBegan()
    }

    private func steps(of index: Int, _ happens: (String, (inout World) -> Void) -> Void) {
        switch workers[index] {
        case .woken:
            happens("a worker begins") {
                if $0.life.isWorkerSpare {
                    $0.end(index)
                } else {
                    $0.life.workerLooks()
                    $0.workers[index] = .looking
                }
            }
            if life.workerLimit < 3, workers.count(where: { $0 == .woken }) == 1, life.mayWakeSpare {
                happens("a second worker is woken, for a caller of higher priority") { $0.wake() }
            }
        case .looking:
            if possible > 0, life.phase == .running {
                happens("a short body begins") { $0.fire(index, .inShortBody) }
                happens("a long body begins") {
                    $0.close()
                    $0.fire(index, .inLongBody)
                }
                if bodies == 0 {
                    happens("an asynchronous body begins") {
                        $0.bodies += 1
                        $0.fire(index, .looking)
                    }
                }
                happens("a worker hands over") {
                    $0.life.workerHandsOver()
                    $0.workers[index] = .woken
                }
            } else {
                happens("a worker finds nothing") {
                    $0.absorb()
                    if $0.possible > 0, $0.life.phase == .running { return }
                    $0.close()
                    $0.end(index)
                }
            }
        case .inShortBody:
            happens("the monitor takes the soup away") {
                $0.close()
                $0.workers[index] = .inRelievedBody
                $0.leave()
            }
            bodyEnds(index, happens)
            if retries == 0 {
                happens("a short body fails") {
                    $0.retries += 1
                    $0.life.retryAdded()
                    $0.life.bodyEnded()
                    $0.workers[index] = .looking
                }
            }
        case .inLongBody, .inRelievedBody: bodyEnds(index, happens)
        case .helping:
            happens("a helper's body ends") {
                $0.life.bodyEnded()
                $0.helperLeaves(index)
            }
        }
    }

    private mutating func fire(_ index: Int, _ worker: Worker) {
        possible -= 1
        life.bodyStarted()
        workers[index] = worker
        leave()
    }

    private func bodyEnds(_ index: Int, _ happens: (String, (inout World) -> Void) -> Void) {
        happens("a body ends") {
            $0.life.bodyEnded()
            if $0.workers[index] == .inShortBody {
                $0.workers[index] = .looking
            } else if $0.life.takesWorkerBack {
                $0.life.workerLooks()
                $0.workers[index] = .looking
            } else {
                $0.end(index)
            }
        }
    }

    private mutating func end(_ index: Int) {
        workers.remove(at: index)
        life.workerEnded()
        leaveAfterEnd()
    }

    // MARK: What has to hold

    /// Whoever looks, or runs a short body, sees what is possible next.
    private var looking: Int { workers.count { $0 == .looking || $0 == .inShortBody } }

    /// So does whoever is woken and on its way.
    private var responsible: Int { looking + workers.count { $0 == .woken } }

    private var inBodies: Int { workers.count { $0 != .woken && $0 != .looking } + bodies }

    /// Whether nothing is going on and nothing will, said without a `Lifecycle`.
    private var isAtRest: Bool {
        let isWaiting = possible > 0 || retries > 0
        return workers.isEmpty && bodies == 0 && chores == 0 && life.phase != .defining
            && (!isWaiting || life.phase == .paused)
    }

    /// What is wrong, or nil.
    var flaw: String? {
        if Int(life.workers) != workers.count { return "workers" }
        if life.running != inBodies { return "running" }
        if looking > 1 { return "two workers look after one soup" }
        if (life.activity == .running) != (looking == 1) { return "activity" }
        if life.activity == .scheduled, responsible == 0 { return "nobody is on the way" }
        if hasMail, responsible == 0 { return "mail that nobody fetches" }
        if possible > 0, life.phase == .running, responsible + promises == 0, workers.count < Int(life.workerLimit) {
            return "something is possible and nobody comes"
        }
        if workers.count > Int(life.workerLimit) + 1 { return "too many workers" }
        if workers.count(where: { $0 != .woken }) > Int(life.workerLimit) { return "too many workers that have begun" }
        let isQuiet = isAtRest && possible == 0 && retries == 0
        if life.isQuiet(isPossible: possible > 0) != isQuiet { return "quiet" }
        if waiters > 0, isQuiet { return "it is quiet and somebody still waits for that" }
        if isQuiet, life.phase == .deactivated, life.activatesWhenQuiet { return "its activation is forgotten" }
        if !isReachable, isAtRest, life.phase != .dissolved { return "nobody can reach it and it doesn't dissolve" }
        if life.phase == .dissolved, isReachable { return "it has dissolved while somebody has a name" }
        return nil
    }
}

@Suite("The life of a definition, as a value")
struct LifecycleTests {
    /// Tries everything from the beginning, the shortest ways first. Returns the first way that leads to a flaw, and
    /// the number of worlds.
    private func explore(_ first: World) -> (flaw: [String]?, worlds: Int) {
        var known: [World: (from: World, event: String)] = [:]
        var seen: Set = [first]
        var queue = [first]
        var head = 0
        while head < queue.count {
            let world = queue[head]
            head += 1
            if let flaw = world.flaw {
                var way = ["\(flaw): \(world)"]
                var current = world
                while let (from, event) = known[current] {
                    way.append(event)
                    current = from
                }
                return (way.reversed(), seen.count)
            }
            for (event, next) in world.next where seen.insert(next).inserted {
                known[next] = (world, event)
                queue.append(next)
            }
        }
        return (nil, seen.count)
    }

    @Test(
        "Whatever happens in whatever order: nobody waits for what is there, and nothing is left undone",
        arguments: [1, 2, 3]
    )
    func everything(workerLimit: Int) {
        let (flaw, worlds) = explore(World(workerLimit: workerLimit))
        #expect(flaw == nil, "\(flaw?.joined(separator: "\n") ?? "")")
        // So many at least: otherwise something that can happen doesn't any more.
        #expect(worlds > 1_000 * workerLimit, "\(worlds)")
    }

    @Test("Deactivating wins over pausing, also in the closure of 'define'")
    func deactivationWins() {
        for changes in [[0, 1], [1, 0], [1, 1, 0], [0, 1, 1]] {
            var life = Lifecycle(workerLimit: 1)
            for change in changes {
                if change == 0 { life.paused() } else { _ = life.deactivated() }
            }
            let isOver = life.started(isOver: false)
            #expect(isOver)
            let ends = life.deactivated()
            #expect(ends)
            #expect(life.phase == .deactivated)
            life.resumed()
            #expect(life.phase == .deactivated)
        }
    }

    @Test("A definition of a scope that has ended is deactivated from its birth", arguments: [true, false])
    func bornTooLate(hasEnded: Bool) {
        var life = Lifecycle(workerLimit: 1)
        let isOver = life.started(isOver: hasEnded)
        #expect(isOver == hasEnded)
        #expect(life.phase == .running)
    }

    @Test("Activating before the deactivation is complete takes effect after it")
    func activationWaits() {
        var life = Lifecycle(workerLimit: 1)
        _ = life.started(isOver: false)
        life.bodyStarted()
        _ = life.deactivated()
        let isActive = life.activated(isPossible: false)
        #expect(!isActive)
        #expect(life.afterEnd(isPossible: false, isReachable: true) == .nothing)
        life.bodyEnded()
        #expect(
            life.afterEnd(isPossible: false, isReachable: true)
                == .settle(Lifecycle.Settlement(activates: true, tells: true, dissolves: false))
        )
        // Deactivating once more takes it back.
        _ = life.deactivated()
        #expect(
            life.afterEnd(isPossible: false, isReachable: true)
                == .settle(Lifecycle.Settlement(activates: false, tells: true, dissolves: false))
        )
    }

    @Test("Of pausing, resuming and activating before the deactivation is complete, the last one counts")
    func lastOneCounts() {
        let changes: [(name: String, change: (inout Lifecycle) -> Void)] = [
            ("pause", { $0.paused() }), ("resume", { $0.resumed() }),
            ("activate", { _ = $0.activated(isPossible: false) }), ("deactivate", { _ = $0.deactivated() }),
        ]
        // The same on a definition whose last body has ended says what is right.
        func phase(after path: [Int], bodyEndsAt end: Int) -> Lifecycle.Phase {
            var life = Lifecycle(workerLimit: 1)
            _ = life.started(isOver: false)
            life.bodyStarted()
            _ = life.deactivated()
            for step in 0...path.count {
                if step == end {
                    life.bodyEnded()
                    if life.activatesWhenQuiet { life.reactivated() }
                }
                if step < path.count { changes[path[step]].change(&life) }
            }
            return life.phase
        }
        for a in 0..<4 {
            for b in 0..<4 {
                for c in 0..<4 {
                    let path = [a, b, c]
                    let phases = (0...3).map { phase(after: path, bodyEndsAt: $0) }
                    #expect(Set(phases).count == 1, "\(path.map { changes[$0].name }): \(phases)")
                }
            }
        }
    }
}
