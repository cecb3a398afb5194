// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
]

// A package of its own, so that ChemActors has no dependencies.
let package = Package(
    name: "Inspector",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "chem-inspector", targets: ["chem-inspector"])
    ],
    dependencies: [
        .package(name: "ChemActors", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .target(
            name: "ChemInspector",
            dependencies: [
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            // In the program itself, so that it is a single file.
            resources: [.embedInCode("Page")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "chem-inspector",
            dependencies: [
                "ChemInspector",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/CommandLine",
            swiftSettings: settings
        ),
        .target(
            name: "SmallClient",
            dependencies: [
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // A headless browser, for the two programs below.
        .target(
            name: "Browsing",
            dependencies: [
                "SmallClient",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // Outside of the tests, since it needs Chromium and its driver.
        .executableTarget(
            name: "browser-check",
            dependencies: [
                "Browsing",
                "ChemInspector",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemInspection", package: "ChemActors"),
            ],
            path: "Sources/BrowserCheck",
            swiftSettings: settings
        ),
        // Looks at what Scripts/build-site makes. Here because it needs the browser too, and is built with little more.
        .executableTarget(
            name: "site-check",
            dependencies: [
                "Browsing",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/SiteCheck",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemInspectorTests",
            dependencies: [
                "ChemInspector",
                "SmallClient",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemInspection", package: "ChemActors"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
