// An actor whose invariant breaks at a suspension point.

// snippet.show
actor PlainAccount {
    private(set) var balance = 100

    func withdraw(_ amount: Int) async -> Bool {
        guard balance >= amount else { return false }
        await authorize(amount)  // another withdrawal may run meanwhile
        balance -= amount
        return true
    }
}

func authorize(_ amount: Int) async {
    try? await Task.sleep(for: .milliseconds(20))
}

let account = PlainAccount()
async let first = account.withdraw(80)
async let second = account.withdraw(80)
print(await first, await second, await account.balance)  // true true -60
