package main

import (
	"math"
	"time"
)

// mailbox is how many messages a channel holds for a goroutine that many messages are sent to.
const mailbox = 1024

// measure times whole runs of a program of the Savina suite and checks what each counted.
func measure(metric string, expected int, run func() int) metrics {
	cold, warm := repeat(func() time.Duration {
		start := time.Now()
		count := run()
		wall := time.Since(start)
		if count != expected {
			fail("a run counted %s=%d instead of %d", metric, count, expected)
		}
		return wall
	})
	return metrics{
		"ms":      float64(warm.Nanoseconds()) / 1e6,
		"ms_cold": float64(cold.Nanoseconds()) / 1e6,
		metric:    expected,
	}
}

// random is the minimal standard generator of Park and Miller: small enough to cost next to
// nothing, and alike in every language. It begins with a number that is not 0.
type random int64

// below is a number from 0 to n-1.
func (r *random) below(n int) int {
	return int(r.next()) % n
}

// uniform is a number between 0 and 1.
func (r *random) uniform() float64 {
	return float64(r.next()) / math.MaxInt32
}

func (r *random) next() random {
	*r = *r * 48271 % math.MaxInt32
	return *r
}

const theta = 37.2

// compute is the computation of the fork-join programs; its result is above 0.
func compute(theta float64) float64 {
	sine := math.Sin(theta)
	return sine * sine
}
