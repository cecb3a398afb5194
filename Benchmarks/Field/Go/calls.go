package main

import "time"

// A server that answers on a channel of its own: one caller, so nobody else can take the answer.
func call(count int) outcome {
	questions, answers := make(chan int), make(chan int)
	defer close(questions)
	go func() {
		for question := range questions {
			answers <- question + 3
		}
	}()
	sum := 0
	start := time.Now()
	for number := range count {
		questions <- number
		sum += <-answers
	}
	return outcome{count, time.Since(start), "the sum of the answers", sum, triangle(count) + 3*count}
}

// A question carries the channel on which its answer is expected: anybody may ask.
type question struct {
	number int
	reply  chan int
}

func (q question) in(mailbox chan question) int {
	mailbox <- q
	return <-q.reply
}

func serve(answer func(int) int) chan question {
	mailbox := make(chan question, 16)
	go func() {
		for question := range mailbox {
			question.reply <- answer(question.number)
		}
	}()
	return mailbox
}

func ask(count int) outcome {
	asked := 0
	mailbox := serve(func(int) int {
		asked++
		return asked
	})
	defer close(mailbox)
	sum := 0
	start := time.Now()
	for number := range count {
		sum += question{number, make(chan int, 1)}.in(mailbox)
	}
	return outcome{count, time.Since(start), "the sum of the answers", sum, triangle(count + 1)}
}

// A server that asks another one before it answers.
func askThrough(count int) outcome {
	inner := serve(func(int) int { return 3 })
	outer := serve(func(number int) int { return number + question{0, make(chan int, 1)}.in(inner) })
	defer close(inner)
	defer close(outer)
	sum := 0
	start := time.Now()
	for number := range count {
		sum += question{number, make(chan int, 1)}.in(outer)
	}
	return outcome{count, time.Since(start), "the sum of the answers", sum, triangle(count) + 3*count}
}

// The sum of all numbers below count.
func triangle(count int) int { return count * (count - 1) / 2 }
