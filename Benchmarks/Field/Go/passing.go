package main

import "time"

// One goroutine sends, this one receives.
func channel(capacity int) func(int) outcome {
	return func(count int) outcome {
		numbers := make(chan int, capacity)
		start := time.Now()
		go func() {
			send(count, numbers)
			close(numbers)
		}()
		sum := 0
		for number := range numbers {
			sum += number
		}
		return outcome{count, time.Since(start), "the sum of the elements", sum, triangle(count)}
	}
}

// Two goroutines that exchange numbers: neither goes on before it has the other's.
func meeting(count int) outcome {
	there, back := make(chan int), make(chan int)
	sums := make(chan int, 2)
	start := time.Now()
	go func() {
		sum := 0
		for number := range count {
			there <- number
			sum += <-back
		}
		sums <- sum
	}()
	go func() {
		sum := 0
		for number := range count {
			other := <-there
			back <- 2 * number
			sum += other
		}
		sums <- sum
	}()
	found := <-sums + <-sums
	return outcome{count, time.Since(start), "what both got", found, 3 * triangle(count)}
}

// A ring of goroutines that pass a number on, one less at each hop.
func ring(count int) outcome {
	const length = 503
	end := make(chan int)
	places := make([]chan int, length)
	for index := range places {
		places[index] = make(chan int)
	}
	for index := range places {
		own, next := places[index], places[(index+1)%length]
		go func() {
			for number := range own {
				if number == 0 {
					end <- index
				} else {
					next <- number - 1
				}
			}
		}()
	}
	start := time.Now()
	places[0] <- count
	last := <-end
	elapsed := time.Since(start)
	for _, place := range places {
		close(place)
	}
	return outcome{count, elapsed, "the last member", last, count % length}
}
