package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// crowd is many goroutines that each wait for one message in a channel of their own.
type crowd struct {
	mailboxes []chan struct{}
	busy      bool
	spinning  atomic.Bool
	waiting   sync.WaitGroup
	running   sync.WaitGroup
	ended     atomic.Int64
}

func (c *crowd) wait(mailbox <-chan struct{}) {
	defer c.running.Done()
	c.waiting.Done()
	<-mailbox
	c.ended.Add(1)
}

func (c *crowd) spin() {
	defer c.running.Done()
	for c.spinning.Load() {
	}
	c.ended.Add(1)
}

// create returns when every goroutine waits, or was started to spin.
func (c *crowd) create() {
	c.running.Add(len(c.mailboxes))
	if c.busy {
		c.spinning.Store(true)
		for range c.mailboxes {
			go c.spin()
		}
		return
	}
	c.waiting.Add(len(c.mailboxes))
	for i := range c.mailboxes {
		mailbox := make(chan struct{}, 1)
		c.mailboxes[i] = mailbox
		go c.wait(mailbox)
	}
	c.waiting.Wait()
}

// end returns when all have ended.
func (c *crowd) end() {
	c.spinning.Store(false)
	for i, mailbox := range c.mailboxes {
		if mailbox != nil {
			mailbox <- struct{}{}
			c.mailboxes[i] = nil
		}
	}
	c.running.Wait()
}

func spawn(args arguments) metrics {
	n := args.count("processes", 100_000)
	if kind, given := args["kind"]; given && kind != "plain" {
		badArgument("goroutines have no links and no monitors, so there is no kind=%s", kind)
	}
	c := &crowd{mailboxes: make([]chan struct{}, n), busy: args.flag("busy")}

	// The runtime keeps the descriptors of goroutines that have ended, so memory is taken at once.
	used, rss := inUse(), resident()
	start := time.Now()
	c.create()
	cold := time.Since(start)
	grown := resident() - rss
	var bytes int64
	if !c.busy { // a collection has to stop every goroutine that spins
		bytes = inUse() - used
	}
	c.end()

	var spawns, ends []time.Duration
	for begin := time.Now(); len(spawns) < 5 || (len(spawns) < 101 && time.Since(begin) < time.Second); {
		runtime.GC()
		start := time.Now()
		c.create()
		created := time.Now()
		c.end()
		spawns = append(spawns, created.Sub(start))
		ends = append(ends, time.Since(created))
	}

	rounds := 1 + len(spawns)
	if ended := c.ended.Load(); ended != int64(rounds*n) {
		fail("%d goroutines ended instead of %d", ended, rounds*n)
	}
	m := metrics{
		"ns_per_spawn":          nanosEach(medianOf(spawns), n),
		"rss_bytes_per_process": float64(grown) / float64(n),
		"ns_per_spawn_cold":     nanosEach(cold, n),
		"ns_per_end":            nanosEach(medianOf(ends), n),
		"rounds":                rounds,
		"ended":                 rounds * n,
	}
	if !c.busy {
		m["bytes_per_process"] = float64(bytes) / float64(n)
	}
	return m
}

// inUse is what the heap and the stacks hold after a collection.
func inUse() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}
