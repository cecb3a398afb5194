/// What a soup knows of every molecule, whatever its type. It comes first in the memory of each kind of slot.
@usableFromInline
struct SlotHeader {
    /// Nothing. ThreadSanitizer counts a change of any field by a method as one of the first word, where nothing may be
    /// that is read without the lock.
    let padding: UInt = 0
    /// The soup it belongs to.
    @usableFromInline let site: UnsafeMutablePointer<ReactionSite>
    /// The reactions that consume it. Empty until the definition is sealed.
    @usableFromInline var uses = UnsafeBufferPointer<Soup.Use>(start: nil, count: 0)
    /// The largest number of copies that one reaction consumes: above it, nothing depends on the number present.
    @usableFromInline var need = 0
    /// Whether copies leave in the order in which they arrived.
    @usableFromInline let isOldestFirst: Bool
    /// Whether its values may carry names, which have to travel exported.
    @usableFromInline let carriesNames: Bool
    /// How many copies were put into the soup so far. With those in the inbox and those ignored: all that were injected.
    @usableFromInline var injected = 0
    /// How many copies reactions have consumed so far.
    @usableFromInline var consumed = 0
    /// The object that knows its name, its type and its place in the source. Owned by the definition.
    @usableFromInline unowned(unsafe) let description: SlotDescription
    /// The next slot whose inbox holds something. Protected by the lock of the inbox.
    @usableFromInline var nextDirty: UnsafeMutablePointer<SlotHeader>?

    init(
        site: UnsafeMutablePointer<ReactionSite>,
        isOldestFirst: Bool,
        carriesNames: Bool,
        description: SlotDescription
    ) {
        self.site = site
        self.isOldestFirst = isOldestFirst
        self.carriesNames = carriesNames
        self.description = description
    }
}

/// As many bytes as a line of a core's cache: what lies on both sides of it is never in the same line.
@usableFromInline typealias CacheLine = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
