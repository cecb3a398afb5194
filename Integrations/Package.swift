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

// A package of its own, so that ChemActors has no dependencies; and a product for each of the others, so that nobody
// gets one that isn't needed.
let package = Package(
    name: "ChemIntegrations",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "ChemMetrics", targets: ["ChemMetrics"]),
        .library(name: "ChemLogging", targets: ["ChemLogging"]),
        .library(name: "ChemTracing", targets: ["ChemTracing"]),
        .library(name: "ChemServices", targets: ["ChemServices"]),
    ],
    dependencies: [
        .package(name: "ChemActors", path: ".."),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "EventNames",
            dependencies: [.product(name: "ChemActors", package: "ChemActors")],
            swiftSettings: settings
        ),
        .target(
            name: "ChemMetrics",
            dependencies: [
                "EventNames",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ChemLogging",
            dependencies: [
                "EventNames",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ChemTracing",
            dependencies: [
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "ChemServices",
            dependencies: [
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "sample-server",
            dependencies: [
                "ChemLogging",
                "ChemMetrics",
                "ChemServices",
                "ChemTracing",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/SampleServer",
            swiftSettings: settings
        ),
        .target(
            name: "Plaza",
            dependencies: [
                "ChemServices",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemLibrary", package: "ChemActors"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "plaza-server",
            dependencies: [
                "ChemLogging",
                "ChemMetrics",
                "ChemServices",
                "Plaza",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Sources/PlazaServer",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemMetricsTests",
            dependencies: [
                "ChemMetrics",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemLoggingTests",
            dependencies: [
                "ChemLogging",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemServicesTests",
            dependencies: [
                "ChemServices",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ChemTracingTests",
            dependencies: [
                "ChemTracing",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PlazaTests",
            dependencies: [
                "ChemServices",
                "Plaza",
                "plaza-server",
                .product(name: "ChemActors", package: "ChemActors"),
                .product(name: "ChemLibrary", package: "ChemActors"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
