package main

import (
	"sync"
	"sync/atomic"
	"time"
)

func tasks(args arguments) metrics {
	n := args.count("tasks", 1_000_000)
	wait := args.duration("wait", 10*time.Second)
	var running sync.WaitGroup
	var completed atomic.Int64

	start := time.Now()
	for i := 0; i < n; i++ {
		running.Add(1)
		go func() {
			defer running.Done()
			time.Sleep(wait)
			completed.Add(1)
		}()
	}
	started := time.Since(start)
	running.Wait()
	wall := time.Since(start)

	if completed.Load() != int64(n) {
		fail("%d tasks completed instead of %d", completed.Load(), n)
	}
	return metrics{
		"wall_seconds":  wall.Seconds(),
		"start_seconds": started.Seconds(),
		"completed":     n,
	}
}
