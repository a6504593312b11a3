package main

import (
	"math"
	"sync"
)

type item struct {
	number  int
	product float64
}

// work is what an item is to its producer and to its consumer: as in Savina, so many hundreds of
// logarithms are added to what there was before.
func work(cost int, value float64) float64 {
	choice := random(cost)
	for i := 0; i < 100*cost; i++ {
		value += math.Log(choice.uniform() + 0.01)
	}
	return value
}

// The buffer is a channel: it is what Go has for this very purpose.
func runBoundedBuffer(size, producers, consumers, items, cost int) int {
	buffer := make(chan item, size)
	var producing sync.WaitGroup
	producing.Add(producers)
	for i := 0; i < producers; i++ {
		go func() {
			defer producing.Done()
			product := 0.0
			for number := 1; number <= items; number++ {
				product = work(cost, product)
				buffer <- item{number, product}
			}
		}()
	}

	type consumed struct{ count, sum int }
	results := make(chan consumed)
	for i := 0; i < consumers; i++ {
		go func() {
			var c consumed
			used := 0.0
			for it := range buffer {
				c.count++
				c.sum += it.number
				used = work(cost, used+it.product)
			}
			if math.IsNaN(used) {
				fail("a consumer's work gave no number")
			}
			results <- c
		}()
	}

	producing.Wait()
	close(buffer)
	var all consumed
	for i := 0; i < consumers; i++ {
		c := <-results
		all.count += c.count
		all.sum += c.sum
	}
	if expected := producers * (items * (items + 1) / 2); all.sum != expected {
		fail("the sum of the items is %d instead of %d", all.sum, expected)
	}
	return all.count
}

func boundedBuffer(args arguments) metrics {
	size := args.count("buffer", 50)
	producers := args.count("producers", 40)
	consumers := args.count("consumers", 40)
	items := args.count("items", 1000)
	cost := args.count("cost", 25)
	return measure("items", producers*items, func() int {
		return runBoundedBuffer(size, producers, consumers, items, cost)
	})
}
