import Foundation
import TestSupport

/// How many schedules of a recipe are tried at most before others are picked by chance.
let scheduleLimit =
    ProcessInfo.processInfo.environment["CHEMACTORS_SCHEDULES"].flatMap { Int($0) }
    ?? (Soak.isOn ? 200_000 : heavy(300, debug: 100))

/// How many of each kind are picked by chance then.
let chanceLimit = Soak.isOn ? 20_000 : heavy(200, debug: 50)

/// Only the recipes whose description contains this are tried, if it is said.
let soughtRecipe = ProcessInfo.processInfo.environment["CHEMACTORS_RECIPE"] ?? ""
