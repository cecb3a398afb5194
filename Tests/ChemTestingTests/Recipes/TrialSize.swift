import Foundation
import TestSupport

/// How many schedules of a recipe are tried at most before others are picked by chance.
let scheduleLimit =
    ProcessInfo.processInfo.environment["CHEMACTORS_SCHEDULES"].flatMap { Int($0) } ?? (Soak.isOn ? 200_000 : 300)

/// Only the recipes whose description contains this are tried, if it is said.
let soughtRecipe = ProcessInfo.processInfo.environment["CHEMACTORS_RECIPE"] ?? ""
