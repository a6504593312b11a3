package main

// A bigMessage is a ping if it says whom to answer, and a pong otherwise.
type bigMessage struct {
	reply chan<- bigMessage
}

// bigActor pings others at random and answers their pings until its own channel is closed.
func bigActor(number, messages int, all []chan bigMessage, done chan<- struct{}, counts chan<- int) {
	in := all[number]
	choice := random(number + 1)
	ping := func() {
		other := (number + 1 + choice.below(len(all)-1)) % len(all)
		all[other] <- bigMessage{in}
	}
	pongs := 0
	ping()
	for m := range in {
		if m.reply != nil {
			m.reply <- bigMessage{}
			continue
		}
		pongs++
		if pongs == messages {
			done <- struct{}{}
		} else {
			ping()
		}
	}
	counts <- pongs
}

// Nobody pings again before the pong is there, so a channel never has to hold more than one ping
// of each other goroutine and one pong. With room for that, no sender ever waits, and so no two can
// wait for each other.
func runBig(messages, actors int) int {
	all := make([]chan bigMessage, actors)
	for i := range all {
		all[i] = make(chan bigMessage, actors)
	}
	done := make(chan struct{})
	counts := make(chan int)
	for i := range all {
		go bigActor(i, messages, all, done, counts)
	}
	for range all {
		<-done
	}
	for _, out := range all {
		close(out)
	}
	sum := 0
	for range all {
		sum += <-counts
	}
	return sum
}

func big(args arguments) metrics {
	messages := args.count("messages", 20_000)
	actors := args.atLeast(2, "actors", 120)
	return measure("messages", messages*actors, func() int { return runBig(messages, actors) })
}
