import ChemBase

/// The waiting copies of one molecule, stored contiguously and unboxed.
///
/// `put` appends. `takeRandom` moves the last copy into the place of the one it takes. `takeOldest` takes from the
/// front. Each is O(1) amortised, however many copies there are. Copies of a molecule without a value are just a count.
///
/// Invariant: `base[head ..< head + count]` is initialised and nothing else is; `head + count <= capacity`.
@usableFromInline
struct Bag<Element>: ~Copyable {
    @usableFromInline var base: UnsafeMutablePointer<Element>?
    @usableFromInline var head = 0
    @usableFromInline var count = 0
    @usableFromInline var capacity = 0

    @inlinable
    init() {}

    @inlinable
    deinit {
        if let base {
            (base + head).deinitialize(count: count)
            base.deallocate()
        }
    }

    /// Releases all copies and the memory. Nobody uses the bag any more, and it isn't deinitialized.
    @inlinable
    @inline(__always)
    mutating func end() {
        guard let base else { return }
        if count > 0 { (base + head).deinitialize(count: count) }
        UnsafeMutableRawPointer(base).deallocate()
    }

    /// Whether values need memory. Those of `Void` and other empty types don't.
    @inlinable
    @inline(__always)
    static var hasStorage: Bool { MemoryLayout<Element>.size != 0 }

    /// The only value of a type without storage.
    @inlinable
    @inline(__always)
    static func empty() -> Element {
        // Sound for a type of size 0: reading it reads nothing, so any aligned non-null address will do. Other types
        // never come here. Not a cast of `()`: for a single-case enum, that crashes the compiler under -O (Swift 6.3.1:
        // "Cannot allocate unsized type").
        assert(!hasStorage)
        return UnsafePointer<Element>(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped.pointee
    }

    @inlinable
    @inline(__always)
    mutating func put(_ element: consuming Element) {
        if Self.hasStorage {
            if head &+ count == capacity { makeRoom(for: 1) }
            (base.unsafelyUnwrapped + (head &+ count)).initialize(to: element)
        }
        count &+= 1
    }

    @inlinable
    @inline(__always)
    mutating func takeRandom(_ generator: inout SeededGenerator) -> Element {
        assert(count > 0)
        count &-= 1
        guard Self.hasStorage else { return Self.empty() }
        let last = base.unsafelyUnwrapped + (head &+ count)
        if count == 0 {
            let element = last.move()
            empty()
            return element
        }
        let chosen = base.unsafelyUnwrapped + (head &+ generator.below(count &+ 1))
        if chosen == last { return last.move() }
        let element = chosen.move()
        chosen.moveInitialize(from: last, count: 1)
        return element
    }

    @inlinable
    @inline(__always)
    mutating func takeOldest() -> Element {
        assert(count > 0)
        count &-= 1
        guard Self.hasStorage else { return Self.empty() }
        let element = (base.unsafelyUnwrapped + head).move()
        if count == 0 { empty() } else { head &+= 1 }
        return element
    }

    /// Shows the copy that would be the oldest if so many had been taken before.
    @inlinable
    @inline(__always)
    func withElement(_ index: Int, _ body: (borrowing Element) -> Void) {
        assert(index < count)
        body(Self.hasStorage ? base.unsafelyUnwrapped[head &+ index] : Self.empty())
    }

    /// Resets the bag after the last copy has gone, and frees its memory if a burst has grown it beyond a megabyte.
    @inlinable
    @inline(__always)
    mutating func empty() {
        head = 0
        if capacity > (1 << 20) / MemoryLayout<Element>.stride { giveBack() }
    }

    @usableFromInline
    @inline(never)
    mutating func giveBack() {
        base?.deallocate()
        base = nil
        capacity = 0
    }

    /// Appends all copies of `other` and leaves it empty. O(1) when this bag is empty.
    ///
    /// Inlined: calling a method of a generic structure looks up its metadata where `Element` isn't known, in 40 ns.
    @inlinable
    @inline(__always)
    mutating func absorb(_ other: inout Bag<Element>) {
        guard Self.hasStorage else {
            count &+= other.count
            other.count = 0
            return
        }
        if count == 0 {
            trade(with: &other)
            return
        }
        let arriving = other.count
        if arriving == 0 { return }
        if head &+ count &+ arriving > capacity { makeRoom(for: arriving) }
        (base.unsafelyUnwrapped + (head &+ count))
            .moveInitialize(from: other.base.unsafelyUnwrapped + other.head, count: arriving)
        count &+= arriving
        other.count = 0
        other.head = 0
    }

    /// Gives `other` what this bag has, and takes what `other` has.
    @inlinable
    @inline(__always)
    mutating func trade(with other: inout Bag<Element>) {
        let (base, head, count, capacity) = (self.base, self.head, self.count, self.capacity)
        (self.base, self.head, self.count, self.capacity) = (other.base, other.head, other.count, other.capacity)
        (other.base, other.head, other.count, other.capacity) = (base, head, count, capacity)
    }

    /// Makes room behind the last copy. Moves the copies to the front if that leaves at least half the capacity free,
    /// and grows otherwise.
    @usableFromInline
    @inline(never)
    mutating func makeRoom(for arriving: Int) {
        if let base, count + arriving <= capacity / 2 {
            base.moveInitialize(from: base + head, count: count)
            head = 0
            return
        }
        let larger = max(capacity * 2, count + arriving, 4)
        if head == 0, _isPOD(Element.self), MemoryLayout<Element>.alignment <= 16 {
            // Trivial values at malloc's alignment: the allocator may extend a large block without copying it.
            let bytes = larger * MemoryLayout<Element>.stride
            guard let memory = Platform.resize(base, to: bytes) else {
                fatalError("ChemActors: no memory for \(larger) molecules")
            }
            base = memory.assumingMemoryBound(to: Element.self)
            capacity = larger
            return
        }
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        if let base {
            memory.moveInitialize(from: base + head, count: count)
            base.deallocate()
        }
        base = memory
        head = 0
        capacity = larger
    }
}
