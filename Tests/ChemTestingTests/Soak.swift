import Foundation

/// Whether tests run in their whole size.
let soak = ProcessInfo.processInfo.environment["CHEMACTORS_SOAK"] != nil
