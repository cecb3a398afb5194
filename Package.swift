// swift-tools-version: 6.3

import Foundation
import PackageDescription

/// What every target is compiled with; each upcoming feature with the proposal that brings it.
///
/// Two that one might look for are not on. `ExplicitSendable`: it asks the same of the fifty inner types that inlined
/// code uses; each public type says it. `.strictMemorySafety()`: the soup, the slots and the waves of a graph are
/// memory that is managed by hand, so `unsafe` would stand in front of every second expression of those files, and tell
/// nothing. They are few, and stand in `Soup` and `Flow`; each says what it relies on.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
]

let package = Package(
    name: "ChemActors",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ChemActors", targets: ["ChemActors"]),
        // `import ChemLibrary` is all of it but `SeedNames`; each of the others can be imported alone.
        .library(
            name: "ChemLibrary",
            targets: ["ChemLibrary", "Flow", "Mailbox", "Mall", "Recipes", "SeedNames", "Streams"]
        ),
        .library(name: "ChemInspection", targets: ["ChemInspection"]),
        .library(name: "ChemTesting", targets: ["ChemTesting", "Exploring"]),
        .executable(name: "chem-bench", targets: ["chem-bench"]),
        .executable(name: "chem-examples", targets: ["chem-examples"]),
    ],
    targets: [
        .target(name: "ChemBase", swiftSettings: settings),
        .target(name: "ChemActors", dependencies: ["ChemBase"], swiftSettings: settings),
        .target(
            name: "Recipes",
            dependencies: ["ChemActors", "ChemBase"],
            path: "Sources/ChemLibrary/Recipes",
            swiftSettings: settings
        ),
        .target(
            name: "Mailbox",
            dependencies: ["ChemActors", "ChemBase"],
            path: "Sources/ChemLibrary/Mailbox",
            swiftSettings: settings
        ),
        .target(
            name: "Flow",
            dependencies: ["ChemActors", "ChemBase"],
            path: "Sources/ChemLibrary/Flow",
            swiftSettings: settings
        ),
        .target(
            name: "Streams",
            dependencies: ["ChemBase", "Flow"],
            path: "Sources/ChemLibrary/Streams",
            swiftSettings: settings
        ),
        .target(
            name: "Mall",
            dependencies: ["ChemActors", "ChemBase", "Flow"],
            path: "Sources/ChemLibrary/Mall",
            swiftSettings: settings
        ),
        .target(
            name: "SeedNames",
            dependencies: ["Mall", "Recipes", "Streams"],
            path: "Sources/ChemLibrary/SeedNames",
            swiftSettings: settings
        ),
        .target(
            name: "ChemLibrary",
            dependencies: ["ChemActors", "Flow", "Mailbox", "Mall", "Recipes", "Streams"],
            path: "Sources/ChemLibrary",
            exclude: ["Flow", "Mailbox", "Mall", "Recipes", "SeedNames", "Streams"],
            sources: ["ChemLibrary.swift"],
            swiftSettings: settings
        ),
        .target(name: "ChemInspection", dependencies: ["ChemActors", "ChemBase"], swiftSettings: settings),
        // Knows nothing of Swift Testing, so that programs can use it that aren't tests.
        .target(
            name: "Exploring",
            dependencies: ["ChemActors", "ChemBase"],
            path: "Sources/ChemTesting/Exploring",
            swiftSettings: settings
        ),
        .target(
            name: "ChemTesting",
            dependencies: ["ChemActors", "Exploring"],
            exclude: ["Exploring"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chem-bench",
            dependencies: ["ChemActors", "ChemBase", "ChemInspection", "ChemLibrary", "Exploring"],
            path: "Benchmarks/ChemBench",
            swiftSettings: settings
        ),
        .target(
            name: "ChemExamples",
            dependencies: ["ChemActors"],
            path: "Examples/ChemExamples",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chem-examples",
            dependencies: ["ChemActors", "ChemExamples", "ChemInspection"],
            path: "Examples/CommandLine",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "draw-pictures",
            dependencies: ["ChemActors", "ChemBase", "ChemLibrary"],
            path: "Scripts/Pictures",
            swiftSettings: settings
        ),
        // Explores the runtime itself, if it is built with -Xswiftc -DEXPLORED.
        .executableTarget(
            name: "explore-interleavings",
            dependencies: ["ChemActors", "ChemBase"],
            path: "Tests/Interleavings",
            exclude: ["Mutants"],
            swiftSettings: settings
        ),
        // What the tests of several targets share.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "ChemActorsTests",
            dependencies: ["ChemActors", "ChemBase", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemLibraryTests",
            dependencies: ["ChemActors", "ChemLibrary", "SeedNames", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemInspectionTests",
            dependencies: ["ChemActors", "ChemBase", "ChemInspection", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemTestingTests",
            dependencies: ["ChemActors", "ChemLibrary", "ChemTesting", "Exploring", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemExamplesTests",
            dependencies: ["ChemActors", "ChemExamples", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// `.ci/run addresses` builds the tests for itself alone, and runs few of them. Only files that begin like these are
// compiled then: those with the tests that it names, and what they need.
if Context.environment["CHEMACTORS_TESTS"] == "addresses" {
    let beginnings = [
        "ChemActorsTests": ["Guards", "Quiescence", "ScopeFuzz", "ScopeTests", "Storm", "Support"],
        "ChemLibraryTests": [
            "FlowModel", "FlowProbe", "FlowStorm", "Mailbox", "MallModel", "MallOracle", "MallSupport", "MallTests",
            "Supervision", "Support",
        ],
    ]
    package.targets.removeAll { $0.isTest && beginnings[$0.name] == nil }
    for target in package.targets where target.isTest {
        let files = try FileManager.default.contentsOfDirectory(
            atPath: "\(Context.packageDirectory)/Tests/\(target.name)"
        )
        target.sources = files.filter { file in beginnings[target.name, default: []].contains { file.hasPrefix($0) } }
    }
}
