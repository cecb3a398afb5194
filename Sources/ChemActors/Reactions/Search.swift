// Trying copies together, outside of the soup. This is generic code that clients specialise: the predicate is part of
// the loop.

extension SearchIndex {
    /// Copies what the next candidates carry, in one entry of the soup.
    ///
    /// - Returns: how many there are, at most `count`. `contents` is initialized up to there.
    @inlinable
    @inline(__always)
    func read<M: GuardableMolecule>(
        _ molecule: M,
        as member: Int,
        after last: UInt64,
        before newcomer: Newcomer,
        atMost count: Int,
        _ candidates: UnsafeMutablePointer<Candidate>,
        _ contents: UnsafeMutablePointer<M.Content>
    ) -> Int {
        let entry = soup.enter()
        let found = self.candidates(of: member, after: last, before: newcomer, atMost: count, into: candidates)
        for index in 0..<found {
            (contents + index).initialize(to: molecule._content(of: candidates[index].copy, entry))
        }
        entry.leaveUnchanged()
        return found
    }

    /// What the new copy carries, or nil if it has left.
    @inlinable
    func read<M: GuardableMolecule>(_ molecule: M, _ newcomer: Newcomer) -> M.Content? {
        let entry = soup.enter()
        let isPresent = isPresent(newcomer.candidate, newcomer.member)
        let content = isPresent ? molecule._content(of: newcomer.candidate.copy, entry) : nil
        entry.leaveUnchanged()
        return content
    }

    /// Finds the next content that fits, of so many from a place on. Returns the number if there is none.
    ///
    /// A loop in the closure, so that only the condition is called for each of them.
    @usableFromInline typealias Scan<Content> = (UnsafeMutablePointer<Content>, _ from: Int, _ count: Int) -> Int

    /// The oldest copy that came before `newcomer` and fits.
    @inlinable
    @inline(__always)
    func first<M: GuardableMolecule>(
        _ molecule: M,
        as member: Int,
        before newcomer: Newcomer,
        _ scan: Scan<M.Content>
    ) -> Candidate? {
        _isPOD(M.Content.self)
            ? firstTrivial(molecule, as: member, before: newcomer, scan)
            : firstCopied(molecule, as: member, before: newcomer, scan)
    }

    /// As `first`, for contents that have to be retained one by one.
    @inlinable
    func firstCopied<M: GuardableMolecule>(
        _ molecule: M,
        as member: Int,
        before newcomer: Newcomer,
        _ scan: Scan<M.Content>
    ) -> Candidate? {
        var last: UInt64 = 0
        // Mostly one of the oldest fits. If not, a copy of many costs less than many copies.
        var count = 8
        var tried = 0
        while true {
            let candidates = UnsafeMutablePointer<Candidate>.allocate(capacity: count)
            let contents = UnsafeMutablePointer<M.Content>.allocate(capacity: count)
            let found = read(molecule, as: member, after: last, before: newcomer, atMost: count, candidates, contents)
            defer {
                // Outside of the soup: this may release what others have taken meanwhile.
                contents.deinitialize(count: found)
                contents.deallocate()
                candidates.deallocate()
            }
            let place = scan(contents, 0, found)
            if place < found { return candidates[place] }
            guard found == count else { return nil }
            last = candidates[count - 1].moment
            tried += count
            note(tried)
            count = Swift.min(count * 4, 512)
        }
    }

    /// As `first`, for contents that can be copied by the thousand and need no release.
    @inlinable
    func firstTrivial<M: GuardableMolecule>(
        _ molecule: M,
        as member: Int,
        before newcomer: Newcomer,
        _ scan: Scan<M.Content>
    ) -> Candidate? {
        var last: UInt64 = 0
        var count = 32
        var tried = 0
        while true {
            let contents = UnsafeMutablePointer<M.Content>.allocate(capacity: count)
            defer { contents.deallocate() }
            let entry = soup.enter()
            let places = places(of: member, after: last, before: newcomer, atMost: count)
            let arrangement = arrangement
            if !places.isEmpty {
                let mirror: UnsafeMutablePointer<M.Content> = mirror(of: member) { molecule._content(of: $0, entry) }
                contents.initialize(from: mirror + places.lowerBound, count: places.count)
                last = candidate(at: places.upperBound - 1, member).moment
            }
            entry.leaveUnchanged()
            var place = scan(contents, 0, places.count)
            while place < places.count {
                switch partner(at: places.lowerBound + place, member, newcomer, arrangement) {
                case .is(let candidate): return candidate
                case .isNone: place = scan(contents, place + 1, places.count)
                case .hasMoved: return firstCopied(molecule, as: member, before: newcomer, scan)
                }
            }
            guard places.count == count else { return nil }
            tried += count
            note(tried)
            count = Swift.min(count * 2, 1024)
        }
    }

    /// All copies that came before `newcomer`, or the new copy if it is of this input.
    @inlinable
    func all<M: GuardableMolecule>(
        _ molecule: M,
        as member: Int,
        before newcomer: Newcomer
    ) -> (candidates: [Candidate], contents: [M.Content]) {
        if newcomer.member == member {
            guard let content = read(molecule, newcomer) else { return ([], []) }
            return ([newcomer.candidate], [content])
        }
        var all: (candidates: [Candidate], contents: [M.Content]) = ([], [])
        let count = 512
        let candidates = UnsafeMutablePointer<Candidate>.allocate(capacity: count)
        let contents = UnsafeMutablePointer<M.Content>.allocate(capacity: count)
        defer {
            candidates.deallocate()
            contents.deallocate()
        }
        while true {
            let last = all.candidates.last?.moment ?? 0
            let found = read(molecule, as: member, after: last, before: newcomer, atMost: count, candidates, contents)
            all.candidates += UnsafeBufferPointer(start: candidates, count: found)
            all.contents += UnsafeBufferPointer(start: contents, count: found)
            contents.deinitialize(count: found)
            if found < count { return all }
        }
    }

    /// Whether these are different copies.
    @inlinable
    func areDistinct(_ one: Candidate, _ i: Int, _ other: Candidate, _ j: Int) -> Bool {
        one.copy != other.copy || !areCopies(i, j)
    }
}

extension Join.Builder {
    /// A guard that asks a predicate.
    @usableFromInline
    func searchGuard(_ inputs: Int, _ fileID: StaticString, _ line: UInt) -> Guard {
        let location = SourceLocation(fileID: fileID, line: line)
        let gate = Gate(name: "condition (\(location))", location: location, soup: join.soup)
        let index = SearchIndex(gate: gate, join, inputs: inputs, at: location)
        gate.index = index
        let entry = join.soup.enter()
        gate.number = Int32(entry.contents.slots.count)
        entry.contents.slots.append(gate)
        entry.leaveUnchanged()
        return Guard(index: index, gate: GateReference(gate))
    }

    /// Adds `molecule` to the inputs that are tried together.
    @usableFromInline
    func tried<M: GuardableMolecule>(
        _ molecule: M,
        _ guarding: Guard,
        _ place: Int,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Chosen<M> {
        attach(molecule, toSearch: guarding, place, fileID, line)
        return Chosen(molecule, guarding, at: place)
    }

    /// The call that the reaction answers, tried together with its other inputs.
    @usableFromInline
    func triedCall<Argument, Answer>(
        _ fast: FastMolecule<Argument, Answer>,
        _ guarding: Guard,
        _ fileID: StaticString,
        _ line: UInt
    ) -> ChosenCall<Argument, Answer> {
        attach(fast, toSearch: guarding, 0, fileID, line)
        return ChosenCall(fast, guarding)
    }

    private func attach<M: GuardableMolecule>(
        _ molecule: M,
        toSearch guarding: Guard,
        _ place: Int,
        _ fileID: StaticString,
        _ line: UInt
    ) {
        var list = MoleculeList()
        molecule._list(in: &list)
        _ = describe(list, fileID, line)
        guard let index = guarding.index as? SearchIndex else { return }
        let reader = FeatureReader<M.Content>(isOurs: true) { _ in .none }
        let reference = molecule._attach(GuardReference(index, join.soup), as: place, reader)
        let entry = join.soup.enter()
        index.add(reference)
        entry.leaveUnchanged()
    }

    @usableFromInline
    func setTrial(_ guarding: Guard, _ trial: @escaping SearchIndex.Trial) {
        guard let index = guarding.index as? SearchIndex else { return }
        let entry = join.soup.enter()
        index.setTrial(trial)
        entry.leaveUnchanged()
    }

    /// A guard for two inputs.
    @inlinable
    @inline(__always)
    func searching<A: GuardableMolecule, B: GuardableMolecule>(
        _ a: A,
        _ b: B,
        _ condition: @escaping @Sendable (A.Content, B.Content) -> Bool,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Guard {
        let guarding = searchGuard(2, fileID, line)
        setTrial(guarding) { index, newcomer in
            if newcomer.member == 0 {
                guard let x = index.read(a, newcomer) else { return [] }
                let other = index.first(b, as: 1, before: newcomer) { contents, from, count in
                    var place = from
                    while place < count, !condition(x, contents[place]) { place &+= 1 }
                    return place
                }
                return other.map { [newcomer.candidate, $0] } ?? []
            } else {
                guard let y = index.read(b, newcomer) else { return [] }
                let other = index.first(a, as: 0, before: newcomer) { contents, from, count in
                    var place = from
                    while place < count, !condition(contents[place], y) { place &+= 1 }
                    return place
                }
                return other.map { [$0, newcomer.candidate] } ?? []
            }
        }
        return guarding
    }

    /// A guard for three inputs.
    @inlinable
    @inline(__always)
    func searching<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule>(
        _ a: A,
        _ b: B,
        _ c: C,
        _ condition: @escaping @Sendable (A.Content, B.Content, C.Content) -> Bool,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Guard {
        let guarding = searchGuard(3, fileID, line)
        setTrial(guarding) { index, newcomer in
            let one = index.all(a, as: 0, before: newcomer)
            let two = index.all(b, as: 1, before: newcomer)
            let three = index.all(c, as: 2, before: newcomer)
            var tried = 0
            for (i, x) in zip(one.candidates, one.contents) {
                for (j, y) in zip(two.candidates, two.contents) where index.areDistinct(i, 0, j, 1) {
                    for (k, z) in zip(three.candidates, three.contents)
                    where index.areDistinct(i, 0, k, 2) && index.areDistinct(j, 1, k, 2) {
                        if condition(x, y, z) { return [i, j, k] }
                    }
                    tried += three.candidates.count
                    index.note(tried)
                }
            }
            return []
        }
        return guarding
    }

    /// A guard for four inputs.
    @inlinable
    @inline(__always)
    func searching<A: GuardableMolecule, B: GuardableMolecule, C: GuardableMolecule, D: GuardableMolecule>(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D,
        _ condition: @escaping @Sendable (A.Content, B.Content, C.Content, D.Content) -> Bool,
        _ fileID: StaticString,
        _ line: UInt
    ) -> Guard {
        let guarding = searchGuard(4, fileID, line)
        setTrial(guarding) { index, newcomer in
            let one = index.all(a, as: 0, before: newcomer)
            let two = index.all(b, as: 1, before: newcomer)
            let three = index.all(c, as: 2, before: newcomer)
            let four = index.all(d, as: 3, before: newcomer)
            var tried = 0
            for (i, w) in zip(one.candidates, one.contents) {
                for (j, x) in zip(two.candidates, two.contents) where index.areDistinct(i, 0, j, 1) {
                    for (k, y) in zip(three.candidates, three.contents)
                    where index.areDistinct(i, 0, k, 2) && index.areDistinct(j, 1, k, 2) {
                        for (l, z) in zip(four.candidates, four.contents)
                        where index.areDistinct(i, 0, l, 3) && index.areDistinct(j, 1, l, 3)
                            && index.areDistinct(k, 2, l, 3)
                        {
                            if condition(w, x, y, z) { return [i, j, k, l] }
                        }
                        tried += four.candidates.count
                        index.note(tried)
                    }
                }
            }
            return []
        }
        return guarding
    }
}
