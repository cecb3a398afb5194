package main

import (
	"sync"
	"time"
)

// Two channels, and a goroutine that takes one of each.
func pairsChannel(count int) outcome {
	return pairs(count, make(chan int, 1024), make(chan int, 1024))
}

// The same with so much room that nobody has to wait for it.
func waitingChannel(count int) outcome {
	a, b, sum := make(chan int, count), make(chan int, count), make(chan int)
	start := time.Now()
	send(count, a)
	go addPairs(count, a, b, sum)
	send(count, b)
	found := <-sum
	return outcome{count, time.Since(start), "the sum over all pairs", found, 2 * triangle(count)}
}

func pairs(count int, a, b chan int) outcome {
	sum := make(chan int)
	start := time.Now()
	go send(count, a)
	go send(count, b)
	go addPairs(count, a, b, sum)
	found := <-sum
	return outcome{count, time.Since(start), "the sum over all pairs", found, 2 * triangle(count)}
}

func send(count int, messages chan<- int) {
	for number := range count {
		messages <- number
	}
}

func addPairs(count int, a, b <-chan int, total chan<- int) {
	sum := 0
	for range count {
		sum += <-a + <-b
	}
	total <- sum
}

// Messages that have no partner yet, behind a lock. Whoever brings a partner consumes the pair.
type pairing struct {
	mutex sync.Mutex
	a, b  []int
	sum   int
}

func (p *pairing) putA(number int) { p.put(number, &p.a, &p.b) }
func (p *pairing) putB(number int) { p.put(number, &p.b, &p.a) }

func (p *pairing) put(number int, own, other *[]int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if last := len(*other) - 1; last >= 0 {
		p.sum += number + (*other)[last]
		*other = (*other)[:last]
	} else {
		*own = append(*own, number)
	}
}

func pairsMutex(count int) outcome {
	var pairing pairing
	var group sync.WaitGroup
	start := time.Now()
	group.Go(func() { putAll(count, pairing.putA) })
	group.Go(func() { putAll(count, pairing.putB) })
	group.Wait()
	return outcome{count, time.Since(start), "the sum over all pairs", pairing.sum, 2 * triangle(count)}
}

func waitingMutex(count int) outcome {
	var pairing pairing
	start := time.Now()
	putAll(count, pairing.putA)
	putAll(count, pairing.putB)
	return outcome{count, time.Since(start), "the sum over all pairs", pairing.sum, 2 * triangle(count)}
}

func putAll(count int, put func(int)) {
	for number := range count {
		put(number)
	}
}
