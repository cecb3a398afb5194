package main

import (
	"sync"
	"time"
)

const seats = 5

// Forks are locks, taken in the order of their numbers: so there is no deadlock.
func philosophersMutex(count int) outcome {
	var forks [seats]sync.Mutex
	return dine(count, func(first, second int) func() {
		one, other := &forks[first], &forks[second]
		return func() {
			one.Lock()
			other.Lock()
			other.Unlock()
			one.Unlock()
		}
	})
}

// Forks are channels with room for one.
func philosophersChannel(count int) outcome {
	var forks [seats]chan struct{}
	for fork := range forks {
		forks[fork] = make(chan struct{}, 1)
		forks[fork] <- struct{}{}
	}
	return dine(count, func(first, second int) func() {
		one, other := forks[first], forks[second]
		return func() {
			<-one
			<-other
			other <- struct{}{}
			one <- struct{}{}
		}
	})
}

func dine(count int, seat func(first, second int) func()) outcome {
	var group sync.WaitGroup
	var meals [seats]int
	share := count / seats
	start := time.Now()
	for number := range seats {
		neighbour := (number + 1) % seats
		eat := seat(min(number, neighbour), max(number, neighbour))
		group.Go(func() {
			eaten := 0
			for range share {
				eat()
				eaten++
			}
			meals[number] = eaten
		})
	}
	group.Wait()
	elapsed := time.Since(start)
	sum := 0
	for _, eaten := range meals {
		sum += eaten
	}
	return outcome{share * seats, elapsed, "the meals", sum, share * seats}
}
