package main

// fibCall is one call of the recursion.
func fibCall(n int, caller chan<- int) {
	if n <= 2 {
		caller <- 1
		return
	}
	answers := make(chan int, 2)
	go fibCall(n-1, answers)
	go fibCall(n-2, answers)
	caller <- <-answers + <-answers
}

func runFib(n int) int {
	answer := make(chan int)
	go fibCall(n, answer)
	return <-answer
}

// fibNumber is what the goroutines must find.
func fibNumber(n int) int {
	value, next := 0, 1
	for i := 0; i < n; i++ {
		value, next = next, value+next
	}
	return value
}

func fib(args arguments) metrics {
	n := args.count("n", 25)
	return measure("value", fibNumber(n), func() int { return runFib(n) })
}
