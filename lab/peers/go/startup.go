package main

// startup is the smallest program: one goroutine answers one question.
func startup(arguments) metrics {
	questions := make(chan int)
	answers := make(chan int)
	go func() { answers <- 1 + <-questions }()
	questions <- 41
	if answer := <-answers; answer != 42 {
		fail("the answer is %d instead of 42", answer)
	}
	return metrics{"answers": 1}
}
