package main

import "time"

func runPingpong(rounds int) time.Duration {
	pings := make(chan int)
	pongs := make(chan int)
	returned := make(chan int)
	answered := make(chan int, 1)

	go func() {
		count := 0
		for i := range pings {
			pongs <- i
			count++
		}
		answered <- count
	}()

	start := time.Now()
	go func() {
		count := 0
		for count < rounds {
			pings <- count
			if <-pongs != count {
				fail("a pong was not that of its ping, number %d", count)
			}
			count++
		}
		close(pings)
		returned <- count
	}()
	pong := <-returned
	wall := time.Since(start)

	if ping := <-answered; ping != rounds || pong != rounds {
		fail("%d pings and %d pongs arrived instead of %d", ping, pong, rounds)
	}
	return wall
}

func pingpong(args arguments) metrics {
	rounds := args.count("rounds", 1_000_000)
	cold, warm := repeat(func() time.Duration { return runPingpong(rounds) })
	return metrics{
		"ns_per_round":      nanosEach(warm, rounds),
		"ns_per_round_cold": nanosEach(cold, rounds),
		"messages":          2 * rounds,
	}
}
