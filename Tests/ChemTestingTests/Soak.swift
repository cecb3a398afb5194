import Foundation

/// Whether tests run in their whole size.
let soak = ProcessInfo.processInfo.environment["CHEMACTORS_SOAK"] != nil

/// How many schedules of a recipe are tried at most before others are picked by chance.
let scheduleLimit =
    ProcessInfo.processInfo.environment["CHEMACTORS_SCHEDULES"].flatMap { Int($0) } ?? (soak ? 200_000 : 300)

/// Only the recipes whose description contains this are tried, if it is said.
let soughtRecipe = ProcessInfo.processInfo.environment["CHEMACTORS_RECIPE"] ?? ""
