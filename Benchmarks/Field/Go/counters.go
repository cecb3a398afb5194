package main

import (
	"sync"
	"time"
)

// A counter behind a lock. An increment is done when the call returns.
type lockedCounter struct {
	mutex sync.Mutex
	count int
}

func (c *lockedCounter) increment() {
	c.mutex.Lock()
	c.count++
	c.mutex.Unlock()
}

func (c *lockedCounter) value() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.count
}

func counterMutex(injectors int) func(int) outcome {
	return func(count int) outcome {
		var counter lockedCounter
		share := count / injectors
		start := time.Now()
		inject(injectors, share, counter.increment)
		found := counter.value()
		return outcome{share * injectors, time.Since(start), "the count", found, share * injectors}
	}
}

// A goroutine that owns the count: increments are fire and forget, and the value is asked for.
type servedCounter struct {
	increments chan struct{}
	values     chan chan int
}

func serveCounter(initial int) *servedCounter {
	counter := &servedCounter{make(chan struct{}, 1024), make(chan chan int)}
	go func() {
		count := initial
		for {
			select {
			case _, open := <-counter.increments:
				if !open {
					return
				}
				count++
			case reply := <-counter.values:
				// What was sent before the question counts as well.
				for waiting := len(counter.increments); waiting > 0; waiting-- {
					<-counter.increments
					count++
				}
				reply <- count
			}
		}
	}()
	return counter
}

func (c *servedCounter) increment() { c.increments <- struct{}{} }

func (c *servedCounter) value() int {
	reply := make(chan int, 1)
	c.values <- reply
	return <-reply
}

func (c *servedCounter) stop() { close(c.increments) }

func counterChannel(injectors int) func(int) outcome {
	return func(count int) outcome {
		counter := serveCounter(0)
		defer counter.stop()
		share := count / injectors
		start := time.Now()
		inject(injectors, share, counter.increment)
		found := counter.value()
		return outcome{share * injectors, time.Since(start), "the count", found, share * injectors}
	}
}

func inject(injectors, share int, increment func()) {
	if injectors == 1 {
		for range share {
			increment()
		}
		return
	}
	var group sync.WaitGroup
	for range injectors {
		group.Go(func() {
			for range share {
				increment()
			}
		})
	}
	group.Wait()
}

// A counter that lives for a moment.
func define(count int) outcome {
	sum := 0
	start := time.Now()
	for range count {
		counter := serveCounter(7)
		counter.increment()
		sum += counter.value()
		counter.stop()
	}
	return outcome{count, time.Since(start), "the sum of the values", sum, 8 * count}
}
