package main

import (
	"sync"
	"sync/atomic"
	"time"
)

// total stands in a cache line of its own.
type total struct {
	atomic.Int64
	_ [120]byte
}

// load is what the producers and the consumer do beside sending and receiving. A message is counted
// as produced before it is sent; when the time is over the consumer only counts what was left.
type load struct {
	work     time.Duration
	produced []total
	over     atomic.Bool

	// The consumer's.
	consumed, queued, longestQueue int64
	taken                          atomic.Int64
}

func spin(d time.Duration) {
	for start := time.Now(); time.Since(start) < d; {
	}
}

func (l *load) sum() (sum int64) {
	for i := range l.produced {
		sum += l.produced[i].Load()
	}
	return sum
}

func (l *load) take() {
	number := l.taken.Load()
	if number%16 == 0 {
		l.longestQueue = max(l.longestQueue, l.sum()-number)
	}
	if l.over.Load() {
		l.queued++
	} else {
		spin(l.work)
		l.consumed++
	}
	l.taken.Store(number + 1)
}

// alone is how often a second the work is done without producers, at best: others may disturb it.
func alone(work time.Duration) (best float64) {
	for i := 0; i < 5; i++ {
		times := 0
		begin := time.Now()
		for ; time.Since(begin) < 200*time.Millisecond; times++ {
			spin(work)
		}
		best = max(best, float64(times)/time.Since(begin).Seconds())
	}
	return best
}

func overload(args arguments) metrics {
	producers := args.count("producers", 8)
	work := time.Duration(args.count("work", 20)) * time.Microsecond
	span := time.Duration(args.count("seconds", 10)) * time.Second

	l := &load{work: work, produced: make([]total, producers)}
	numbers := make(chan int64, 100)
	var producing sync.WaitGroup
	start := time.Now()
	go func() {
		for range numbers {
			l.take()
		}
	}()
	producing.Add(producers)
	for i := 0; i < producers; i++ {
		go func(own *total) {
			defer producing.Done()
			for number := int64(0); !l.over.Load(); number++ {
				own.Store(number + 1)
				numbers <- number
			}
		}(&l.produced[i])
	}
	time.Sleep(span - time.Since(start))
	l.over.Store(true)
	elapsed := time.Since(start)

	producing.Wait()
	produced := l.sum()
	for limit := time.Now().Add(time.Minute); l.taken.Load() < produced && time.Now().Before(limit); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond) // one too many would come now
	if taken := l.taken.Load(); taken != produced {
		fail("the consumer has taken %d messages instead of %d", taken, produced)
	}

	alone := alone(work)
	together := float64(l.consumed) / elapsed.Seconds()
	return metrics{
		"consumed_percent":    100 * together / alone,
		"longest_queue":       l.longestQueue,
		"produced":            produced,
		"consumed":            l.consumed,
		"refused":             0,
		"still_queued":        l.queued,
		"consumed_per_second": together,
		"alone_per_second":    alone,
	}
}
