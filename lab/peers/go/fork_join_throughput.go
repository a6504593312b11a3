package main

func runForkJoinThroughput(messages, actors int) int {
	counts := make(chan int)
	mailboxes := make([]chan float64, actors)
	for i := range mailboxes {
		in := make(chan float64, mailbox)
		mailboxes[i] = in
		go func() {
			count := 0
			for theta := range in {
				if compute(theta) > 0 {
					count++
				}
			}
			counts <- count
		}()
	}

	for i := 0; i < messages; i++ {
		for _, out := range mailboxes {
			out <- theta
		}
	}
	for _, out := range mailboxes {
		close(out)
	}
	sum := 0
	for range mailboxes {
		sum += <-counts
	}
	return sum
}

func forkJoinThroughput(args arguments) metrics {
	messages := args.count("messages", 10_000)
	actors := args.count("actors", 60)
	return measure("messages", messages*actors, func() int {
		return runForkJoinThroughput(messages, actors)
	})
}
