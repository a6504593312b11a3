package main

// A countMessage asks for the value if it says whom to answer, and is an increment otherwise.
type countMessage struct {
	reply chan<- int
}

func counter(messages <-chan countMessage) {
	value := 0
	for m := range messages {
		if m.reply == nil {
			value++
		} else {
			m.reply <- value
		}
	}
}

func runCounting(messages int) int {
	counts := make(chan countMessage, mailbox)
	go counter(counts)
	for i := 0; i < messages; i++ {
		counts <- countMessage{}
	}
	reply := make(chan int)
	counts <- countMessage{reply}
	close(counts)
	return <-reply
}

func counting(args arguments) metrics {
	messages := args.count("messages", 1_000_000)
	return measure("messages", messages, func() int { return runCounting(messages) })
}
