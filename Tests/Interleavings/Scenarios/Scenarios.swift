#if EXPLORED
    extension Scenario {
        static let all = injecting + calling + ending + failing
    }
#endif
