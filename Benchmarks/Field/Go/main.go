// The works of the field report in Go. What it takes and prints: ../README.md.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

// A work, done in one way.
type entry struct {
	work, variant string
	// How many operations a repetition has, unless somebody asks for another number.
	size int
	// Does count operations. Says how many they were, how long they took and what they gave, which has to be wanted.
	run func(count int) outcome
}

type outcome struct {
	operations    int
	elapsed       time.Duration
	what          string
	found, wanted int
}

var entries = []entry{
	{"counter-1", "mutex", 30_000_000, counterMutex(1)},
	{"counter-1", "channel", 2_000_000, counterChannel(1)},
	{"counter-8", "mutex", 10_000_000, counterMutex(8)},
	{"counter-8", "channel", 2_000_000, counterChannel(8)},
	{"call", "channel", 800_000, call},
	{"pairs", "channel", 2_000_000, pairsChannel},
	{"pairs", "mutex", 5_000_000, pairsMutex},
	{"pairs-waiting", "channel", 1_000_000, waitingChannel},
	{"pairs-waiting", "mutex", 1_000_000, waitingMutex},
	{"mapreduce", "goroutines", 100_000, mapReduce},
	{"philosophers", "mutex", 5_000_000, philosophersMutex},
	{"philosophers", "channel", 3_000_000, philosophersChannel},
	{"ring", "channel", 1_000_000, ring},
	{"meeting", "channel", 500_000, meeting},
	{"channel-buffered", "channel", 4_000_000, channel(1024)},
	{"channel-unbuffered", "channel", 1_000_000, channel(0)},
	{"define", "goroutine and channels", 200_000, define},
	{"create", "goroutine and channel", 100_000, create},
	{"ask", "channel", 300_000, ask},
	{"ask-through", "channel", 200_000, askThrough},
}

func main() {
	arguments := os.Args[1:]
	switch {
	case len(arguments) == 1 && arguments[0] == "list":
		for _, e := range entries {
			fmt.Printf("{\"work\": %q, \"variant\": %q, \"size\": %d}\n", e.work, e.variant, e.size)
		}
	case len(arguments) == 1 && arguments[0] == "version":
		fmt.Println("Go", runtime.Version()[len("go"):])
	case len(arguments) == 4:
		measure(arguments[0], arguments[1], number(arguments[2]), number(arguments[3]))
	default:
		stop(2, "usage: field-go WORK VARIANT SIZE REPETITIONS, field-go list, or field-go version")
	}
}

func measure(work, variant string, size, repetitions int) {
	for _, e := range entries {
		if e.work != work || e.variant != variant {
			continue
		}
		check(e, e.run(size)) // warms up
		for range repetitions {
			// What an earlier repetition left is not collected on the time of this one.
			runtime.GC()
			o := e.run(size)
			check(e, o)
			fmt.Printf(
				"{\"work\": %q, \"variant\": %q, \"operations\": %d, \"nanoseconds\": %.2f, \"checked\": \"%s: %d\"}\n",
				e.work, e.variant, o.operations, float64(o.elapsed.Nanoseconds())/float64(o.operations), o.what, o.found,
			)
		}
		return
	}
	stop(2, fmt.Sprintf("there is no %s by %s: see field-go list", work, variant))
}

func check(e entry, o outcome) {
	if o.found != o.wanted {
		stop(1, fmt.Sprintf("%s by %s: %s: %d instead of %d", e.work, e.variant, o.what, o.found, o.wanted))
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 {
		stop(2, fmt.Sprintf("'%s' is not a whole number of at least 1", text))
	}
	return value
}

func stop(status int, message string) {
	fmt.Fprintln(os.Stderr, "field-go: "+message)
	os.Exit(status)
}
