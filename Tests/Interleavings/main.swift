#if EXPLORED
    import Foundation

    var program = CommandLineProgram(CommandLine.arguments.dropFirst())
    exit(program.run())
#else
    print("Build this with -Xswiftc -DEXPLORED: see CONTRIBUTING.md.")
#endif
