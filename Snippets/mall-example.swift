// snippet.show
import ChemLibrary

/// Two sensors, and what is to be shown of them.
struct Weather: Mall {
    let celsius = MallInput(0.0)
    let humidity = MallInput<Double?>()
    private let fahrenheit = MallStore(32.0)
    let report = MallOutput("")
    let alarm = MallOutput<String?>()

    func prepareDataOpsGraph() -> [DataOp] {
        op {
            celsius>!
            toFahrenheit
            ~>fahrenheit
        }
        op {
            fahrenheit>!
            humidity>?
            describe
            ~>report
        }
        op {
            celsius>!
            compute { (celsius: Double) in (celsius > 40, "\(celsius) °C!") }
            ~>alarm
        }
    }
}

@Sendable func toFahrenheit(_ celsius: Double) -> Double { celsius * 9 / 5 + 32 }

@Sendable func describe(_ fahrenheit: Double, _ humidity: Double?) -> String {
    "\(fahrenheit) °F, \(humidity.map { "\($0) %" } ?? "unknown humidity")"
}

let weather = Weather()
weather.open()
try await weather.celsius.sendAndWait(20)
print(weather.report.value)  // 68.0 °F, unknown humidity
weather.humidity.send(55)  // read only: nothing runs
try await weather.celsius.sendAndWait(50)
print(weather.report.value)  // 122.0 °F, 55.0 %
print(weather.alarm.value ?? "fine")  // 50.0 °C!
// snippet.hide
precondition(weather.report.value == "122.0 °F, 55.0 %")
precondition(weather.alarm.value == "50.0 °C!")
