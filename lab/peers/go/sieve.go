package main

// filter holds some of the primes, in ascending order, and hands on what none of them divides. The
// last filter tells how many primes all of them hold; before says how many those before it do.
func filter(in <-chan int, most, before, first int, total chan<- int) {
	primes := []int{first}
	var next chan int
candidates:
	for n := range in {
		for _, prime := range primes {
			if n%prime == 0 {
				continue candidates
			}
		}
		switch {
		case len(primes) < most:
			primes = append(primes, n)
		case next == nil:
			next = make(chan int, mailbox)
			go filter(next, most, before+most, n, total)
		default:
			next <- n
		}
	}
	if next != nil {
		close(next)
	} else {
		total <- before + len(primes)
	}
}

func runSieve(limit, most int) int {
	candidates := make(chan int, mailbox)
	total := make(chan int)
	go filter(candidates, most, 0, 2, total)
	for n := 3; n <= limit; n += 2 {
		candidates <- n
	}
	close(candidates)
	return <-total
}

// countPrimes says by trial division what the filters must find.
func countPrimes(limit int) int {
	count := 0
candidates:
	for n := 2; n <= limit; n++ {
		for divisor := 2; divisor*divisor <= n; divisor++ {
			if n%divisor == 0 {
				continue candidates
			}
		}
		count++
	}
	return count
}

func sieve(args arguments) metrics {
	limit := args.atLeast(2, "limit", 100_000)
	most := args.count("primes", 1000)
	return measure("primes", countPrimes(limit), func() int { return runSieve(limit, most) })
}
