package main

import (
	"strconv"
	"strings"
	"time"
)

// stage replaces a word in each string until there are no more.
func stage(in <-chan string, word, by string, out chan<- string) {
	for text := range in {
		out <- strings.Replace(text, word, by, 1)
	}
	close(out)
}

// writer is the last stage; it checks each string and counts them.
func writer(in <-chan string, written chan<- int) {
	count := 0
	for text := range in {
		wrote := strings.Replace(text, "Indexed", "Wrote", 1)
		number, found := strings.CutPrefix(wrote, "Wrote ")
		if i, err := strconv.Atoi(number); !found || err != nil || i != count {
			fail("the last stage wrote %q", wrote)
		}
		count++
	}
	written <- count
}

func runPipeline(items int) time.Duration {
	start := time.Now()
	requested := make(chan string, items)
	downloaded := make(chan string, items)
	indexed := make(chan string, items)
	written := make(chan int)
	go stage(requested, "Requested", "Downloaded", downloaded)
	go stage(downloaded, "Downloaded", "Indexed", indexed)
	go writer(indexed, written)

	for i := 0; i < items; i++ {
		requested <- "Requested " + strconv.Itoa(i)
	}
	close(requested)
	count := <-written
	wall := time.Since(start)

	if count != items {
		fail("%d strings arrived instead of %d", count, items)
	}
	return wall
}

func pipeline(args arguments) metrics {
	items := args.count("items", 1_000_000)
	cold, warm := repeat(func() time.Duration { return runPipeline(items) })
	return metrics{
		"wall_seconds":      warm.Seconds(),
		"wall_seconds_cold": cold.Seconds(),
		"completed":         items,
	}
}
