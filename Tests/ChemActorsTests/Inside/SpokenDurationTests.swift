import ChemBase
import Testing

struct SpokenDurationTests {
    @Test(arguments: [
        (Duration.zero, "less than a millisecond"),
        (.microseconds(999), "less than a millisecond"),
        (.microseconds(1999), "1 millisecond"),
        (.milliseconds(340), "340 milliseconds"),
        (.microseconds(999_999), "999 milliseconds"),
        (.seconds(1), "1.0 seconds"),
        (.milliseconds(2190), "2.1 seconds"),
        (.milliseconds(9999), "9.9 seconds"),
        (.milliseconds(10_900), "10 seconds"),
        (.seconds(86_400), "86400 seconds"),
    ])
    func durationsAreSaidAsPeopleDo(duration: Duration, text: String) {
        #expect(duration.spoken == text)
    }
}
