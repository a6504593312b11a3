package main

import (
	"sync"
	"sync/atomic"
)

func runForkJoinCreate(actors int) int {
	var running sync.WaitGroup
	var ended atomic.Int64
	running.Add(actors)
	for i := 0; i < actors; i++ {
		messages := make(chan float64, 1)
		go func() {
			defer running.Done()
			if compute(<-messages) > 0 {
				ended.Add(1)
			}
		}()
		messages <- theta
	}
	running.Wait()
	return int(ended.Load())
}

func forkJoinCreate(args arguments) metrics {
	actors := args.count("actors", 40_000)
	return measure("ended", actors, func() int { return runForkJoinCreate(actors) })
}
