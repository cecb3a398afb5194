package main

import "time"

// A goroutine for each number; the results are added up as they come.
func mapReduce(count int) outcome {
	squares := make(chan int, 1024)
	start := time.Now()
	go func() {
		for number := 1; number <= count; number++ {
			go func() { squares <- number * number }()
		}
	}()
	sum := 0
	for range count {
		sum += <-squares
	}
	return outcome{count, time.Since(start), "the sum of squares", sum, count * (count + 1) * (2*count + 1) / 6}
}

// As many are made at a time.
const crowd = 10_000

func create(count int) outcome {
	sum, wanted := 0, 0
	start := time.Now()
	for left := count; left > 0; left -= crowd {
		size := min(left, crowd)
		sum += createCrowd(size)
		wanted += triangle(size)
	}
	return outcome{count, time.Since(start), "the sum", sum, wanted}
}

// Goroutines with a mailbox each, which pass their one message on to one that adds up.
func createCrowd(count int) int {
	total, sum := make(chan int, 1024), make(chan int)
	go func() {
		found := 0
		for range count {
			found += <-total
		}
		sum <- found
	}()
	mailboxes := make([]chan int, count)
	for index := range mailboxes {
		mailbox := make(chan int, 1)
		mailboxes[index] = mailbox
		go func() {
			for number := range mailbox {
				total <- number
			}
		}()
	}
	for number, mailbox := range mailboxes {
		mailbox <- number
	}
	found := <-sum
	for _, mailbox := range mailboxes {
		close(mailbox)
	}
	return found
}
