package main

import "time"

// node reports its number if it is a leaf, and otherwise the sum of its ten children.
func node(parent chan<- int, number, leaves int) {
	if leaves == 1 {
		parent <- number
		return
	}
	children := make(chan int)
	each := leaves / 10
	for i := 0; i < 10; i++ {
		go node(children, number+i*each, each)
	}
	sum := 0
	for i := 0; i < 10; i++ {
		sum += <-children
	}
	parent <- sum
}

func runSkynet(leaves int) time.Duration {
	root := make(chan int)
	start := time.Now()
	go node(root, 0, leaves)
	sum := <-root
	wall := time.Since(start)
	if expected := leaves * (leaves - 1) / 2; sum != expected {
		fail("the sum is %d instead of %d", sum, expected)
	}
	return wall
}

func skynet(args arguments) metrics {
	leaves := args.count("leaves", 1_000_000)
	for n := leaves; n > 1; n /= 10 {
		if n%10 != 0 {
			badArgument("leaves=%d is not a power of ten", leaves)
		}
	}
	cold, warm := repeat(func() time.Duration { return runSkynet(leaves) })
	return metrics{
		"ms":      float64(warm.Nanoseconds()) / 1e6,
		"ms_cold": float64(cold.Nanoseconds()) / 1e6,
		"sum":     leaves * (leaves - 1) / 2,
	}
}
