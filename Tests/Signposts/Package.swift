// swift-tools-version: 6.3

import PackageDescription

// Built by `Scripts/check-signposts`, which puts a module `os` where the compiler finds it.
let package = Package(
    name: "Signposts",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "ChemActors", path: "../..")],
    targets: [
        .executableTarget(name: "signposts", dependencies: [.product(name: "ChemActors", package: "ChemActors")])
    ]
)
