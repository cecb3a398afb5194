// Shows a defect of Swift 6.3.1, without ChemActors: a value with a vector wider than 16 bytes, which lives across an
// `await`, corrupts the memory of its task.
//
//     swiftc -parse-as-library -swift-version 6 Tests/Fixtures/Toolchain/WideVectors.swift -o wide-vectors && ./wide-vectors
//
// crashes in the allocator of tasks. With `SIMD4` in place of `SIMD8` it prints "as it should be", and so does this
// program with -O; other shapes fail with -O. The documentation of states says what to do: <doc:states>.

struct Particle: Sendable {
    var place: SIMD8<Float>
    var age: Int
}

@inline(never)
func age(_ particle: Particle, _ rounds: Int) async -> Particle {
    var particle = particle
    for _ in 0..<rounds {
        await Task.yield()
        particle.place += 1
        particle.age += 1
    }
    return particle
}

@main
enum WideVectors {
    static func main() async {
        for round in 0..<1000 {
            let particle = await age(Particle(place: SIMD8(repeating: 0), age: round), 16)
            precondition(particle.age == round + 16 && particle.place == SIMD8(repeating: 16))
        }
        print("as it should be")
    }
}
