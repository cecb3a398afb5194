import Foundation

/// How much memory this process has at the moment.
enum ResidentMemory {
    static func bytes() throws -> Int {
        #if canImport(Darwin)
            var info = mach_task_basic_info()
            var size = mach_msg_type_number_t(MemoryLayout.size(ofValue: info) / MemoryLayout<natural_t>.size)
            let status = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(size)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &size)
                }
            }
            guard status == KERN_SUCCESS else { throw WrongResult(description: "task_info gives \(status)") }
            return Int(info.resident_size)
        #else
            // "size resident shared text lib data dt", in pages.
            let fields = RunEnvironment.text(of: "/proc/self/statm")?.split(separator: " ") ?? []
            guard fields.count > 1, let pages = Int(fields[1]) else {
                throw WrongResult(description: "can't read /proc/self/statm")
            }
            return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }
}
