// swift-tools-version: 6.3

import PackageDescription

// A package of its own, so that ChemActors has no dependencies. Its identity is the name of the folder it was cloned
// into.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "ChemActors", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
        .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    ],
    targets: [
        .executableTarget(
            name: "chem-peers",
            dependencies: [
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemLibrary", package: "ChemActors"),
                .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
