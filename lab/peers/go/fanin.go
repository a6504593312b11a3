package main

import (
	"sync"
	"time"
)

func runFanin(senders, each int) time.Duration {
	numbers := make(chan int, 1024)
	begin := make(chan struct{})
	var ready sync.WaitGroup
	ready.Add(senders)
	for i := 0; i < senders; i++ {
		go func() {
			ready.Done()
			<-begin
			for n := 0; n < each; n++ {
				numbers <- n
			}
		}()
	}

	total := senders * each
	result := make(chan int)
	go func() {
		sum := 0
		for i := 0; i < total; i++ {
			sum += <-numbers
		}
		result <- sum
	}()

	ready.Wait()
	start := time.Now()
	close(begin)
	sum := <-result
	wall := time.Since(start)

	if expected := senders * (each * (each - 1) / 2); sum != expected {
		fail("the sum is %d instead of %d", sum, expected)
	}
	return wall
}

func fanin(args arguments) metrics {
	senders := args.count("senders", 1000)
	each := args.count("messages", 1000)
	cold, warm := repeat(func() time.Duration { return runFanin(senders, each) })
	messages := senders * each
	return metrics{
		"messages_per_second":      float64(messages) / warm.Seconds(),
		"messages_per_second_cold": float64(messages) / cold.Seconds(),
		"messages":                 messages,
	}
}
