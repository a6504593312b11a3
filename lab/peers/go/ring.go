package main

import "time"

type token struct{}

// member passes the token on until its channel is closed, then closes the next one.
func member(in <-chan token, out chan<- token, counts chan<- int) {
	count := 0
	for t := range in {
		count++
		out <- t
	}
	counts <- count
	close(out)
}

// lastMember ends the run when the token has passed it for the last time.
func lastMember(in <-chan token, out chan<- token, rounds int, done chan<- struct{}, counts chan<- int) {
	count := 0
	for t := range in {
		count++
		if count == rounds {
			close(done)
		} else {
			out <- t
		}
	}
	counts <- count
}

func runRing(processes, rounds int) (setup, run time.Duration) {
	counts := make(chan int, processes)
	done := make(chan struct{})

	start := time.Now()
	first := make(chan token)
	in := first
	for i := 1; i < processes; i++ {
		out := make(chan token)
		go member(in, out, counts)
		in = out
	}
	go lastMember(in, first, rounds, done, counts)
	ready := time.Now()

	first <- token{}
	<-done
	end := time.Now()

	close(first)
	sum := 0
	for i := 0; i < processes; i++ {
		sum += <-counts
	}
	if sum != processes*rounds {
		fail("the ring delivered %d messages instead of %d", sum, processes*rounds)
	}
	return ready.Sub(start), end.Sub(ready)
}

func ring(args arguments) metrics {
	processes := args.count("processes", 3000)
	rounds := args.count("rounds", 1000)
	few := max(1, rounds/10)
	coldSetup, coldRun := runRing(processes, few)
	setup, run := runRing(processes, rounds)
	return metrics{
		"us_per_spawn":        nanosEach(setup, processes) / 1e3,
		"ns_per_message":      nanosEach(run, processes*rounds),
		"messages":            processes * rounds,
		"setup_seconds":       setup.Seconds(),
		"run_seconds":         run.Seconds(),
		"us_per_spawn_cold":   nanosEach(coldSetup, processes) / 1e3,
		"ns_per_message_cold": nanosEach(coldRun, processes*few),
	}
}
