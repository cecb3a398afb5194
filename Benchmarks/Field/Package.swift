// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A package of its own, so that ChemActors has no dependencies. Its identity is the name of the folder it was cloned
// into.
let package = Package(
    name: "Field",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ChemActors", path: "../.."),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    ],
    targets: [
        // What a program takes and prints.
        .target(name: "FieldWorks", swiftSettings: settings),
        .executableTarget(
            name: "field-chem",
            dependencies: [
                "FieldWorks",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemLibrary", package: "ChemActors"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "field-swift",
            dependencies: ["FieldWorks", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms")],
            swiftSettings: settings
        ),
        .target(name: "FieldReport", swiftSettings: settings),
        .executableTarget(name: "field", dependencies: ["FieldReport"], swiftSettings: settings),
        .testTarget(name: "FieldReportTests", dependencies: ["FieldReport"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
