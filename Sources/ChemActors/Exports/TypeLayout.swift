// What the Swift runtime knows about types. The standard library's `Mirror` uses these functions to walk a value; here
// they are asked about the type alone. They say nothing about the types of a module for which reflection is switched
// off.

@_silgen_name("swift_getMetadataKind")
private func metadataKind(_ type: Any.Type) -> UInt

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<FieldMetadata>) -> Any.Type

/// What `fieldType` reports besides the type, as the standard library declares it.
private struct FieldMetadata {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    var isStrong = false
    var isVariable = false
}

/// How the values of a type are laid out in memory.
enum TypeLayout {
    enum Kind { case structure, tuple, enumeration, existential, inlineArray, function, other }

    struct Field {
        let name: String
        let type: Any.Type
        let offset: Int
    }

    static func kind(of type: Any.Type) -> Kind {
        switch metadataKind(type) {
        case 0x200: return .structure
        case 0x301: return .tuple
        case 0x201: return .enumeration
        case 0x302: return .function
        case 0x303:
            // The word after the kind holds its flags. The highest bit says that the value needn't be an object.
            let flags = unsafeBitCast(type, to: UnsafeRawPointer.self).load(
                fromByteOffset: MemoryLayout<Int>.stride,
                as: UInt32.self
            )
            return flags >> 31 == 1 && type != (any Error).self ? .existential : .other
        // Of a protocol with arguments, such as `any Collection<Int>`.
        case 0x307: return .existential
        case 0x308: return .inlineArray
        default: return .other
        }
    }

    /// How many elements the values of an `InlineArray` have, of which type, and how far they are apart. The number and
    /// the type are what its metadata consists of.
    static func elements(ofInlineArray type: Any.Type) -> (count: Int, type: Any.Type, stride: Int) {
        let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
        let word = MemoryLayout<Int>.stride
        let element = metadata.load(fromByteOffset: 2 * word, as: Any.Type.self)
        func stride<Element>(of type: Element.Type) -> Int { MemoryLayout<Element>.stride }
        return (metadata.load(fromByteOffset: word, as: Int.self), element, _openExistential(element, do: stride))
    }

    /// The stored properties of a structure, or the elements of a tuple. Weak and unowned ones are left out: they are
    /// objects.
    static func fields(of type: Any.Type) -> [Field] {
        (0..<fieldCount(type)).compactMap { index in
            var metadata = FieldMetadata()
            let field = fieldType(type, index: index, fieldMetadata: &metadata)
            defer { metadata.free?(metadata.name) }
            guard metadata.isStrong || metadataKind(type) == 0x301 else { return nil }
            let name = metadata.name.map { String(cString: $0) } ?? ""
            return Field(name: name, type: field, offset: fieldOffset(type, index: index))
        }
    }
}

/// The cases of an enumeration, and where their payloads are stored.
///
/// This is read from the metadata that the compiler writes for every enumeration. Its layout is part of Swift's ABI:
/// see `Metadata.h` and `ValueWitness.def` in Swift's sources.
struct EnumLayout {
    struct Payload {
        /// Nil if the runtime doesn't know it.
        let type: Any.Type?
        /// Whether it is stored in a box that copies share.
        let isIndirect: Bool
    }

    /// The cases with a payload. They come first, in this order, so the index of each one is its tag.
    let payloads: [Payload]
    private let metadata: UnsafeRawPointer

    private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
    private typealias Project = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
    private typealias Inject = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

    /// Nil if no case has a payload, or nothing is known about the payloads.
    init?(of enumeration: Any.Type) {
        metadata = unsafeBitCast(enumeration, to: UnsafeRawPointer.self)
        let descriptor = metadata.load(fromByteOffset: MemoryLayout<Int>.stride, as: UnsafeRawPointer.self)
        let count = Int(descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF)
        guard count > 0, let fields = Self.target(of: descriptor + 16) else { return nil }
        let size = Int(fields.load(fromByteOffset: 10, as: UInt16.self))
        let arguments = metadata + 2 * MemoryLayout<Int>.stride
        payloads = (0..<count).map { index in
            let record = fields + 16 + index * size
            return Payload(
                type: Self.target(of: record + 4).flatMap { name in
                    _getTypeByMangledNameInContext(
                        name.assumingMemoryBound(to: UInt8.self),
                        Self.length(ofName: name),
                        genericContext: descriptor,
                        genericArguments: arguments
                    )
                },
                isIndirect: record.load(as: UInt32.self) & 1 == 1
            )
        }
    }

    /// The case of the value at `place`.
    func tag(at place: UnsafeRawPointer) -> Int {
        Int(unsafeBitCast(witness(0), to: GetTag.self)(place, metadata))
    }

    /// Whether the payload of the case `tag` can be changed in a copy. Not if it is in a box, which copies share, and
    /// not where function pointers are signed, because those in the table can't be called by their address there.
    func canChange(_ tag: Int) -> Bool {
        #if _ptrauth(_arm64e)
            false
        #else
            !payloads[tag].isIndirect
        #endif
    }

    /// Lets `body` change the payload of the value at `place`, whose case is `tag`.
    func withPayload(at place: UnsafeMutableRawPointer, _ tag: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
        unsafeBitCast(witness(1), to: Project.self)(place, metadata)
        body(place)
        unsafeBitCast(witness(2), to: Inject.self)(place, UInt32(tag), metadata)
    }

    /// A function from the table before the metadata that says how to handle values of an enumeration.
    private func witness(_ index: Int) -> UnsafeRawPointer {
        let table = metadata.load(fromByteOffset: -MemoryLayout<Int>.stride, as: UnsafeRawPointer.self)
        // The functions for enumerations come after the eight functions that all types have, the size and the stride,
        // and two 32-bit words.
        let first = 10 * MemoryLayout<Int>.stride + 8
        return table.load(fromByteOffset: first + index * MemoryLayout<Int>.stride, as: UnsafeRawPointer.self)
    }

    /// What the relative pointer at `place` points to.
    private static func target(of place: UnsafeRawPointer) -> UnsafeRawPointer? {
        let distance = place.load(as: Int32.self)
        return distance == 0 ? nil : place + Int(distance)
    }

    /// The length of a mangled name, in which references to other types may contain zero bytes.
    private static func length(ofName name: UnsafeRawPointer) -> UInt {
        var end = name
        while true {
            switch end.load(as: UInt8.self) {
            case 0: return UInt(end - name)
            case 0x01...0x17: end += 5
            case 0x18...0x1F: end += 1 + MemoryLayout<Int>.size
            default: end += 1
            }
        }
    }
}
