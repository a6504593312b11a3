// The programs of the lab in Go: goroutines and channels.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

type metrics map[string]any

var experiments = map[string]func(arguments) metrics{
	"spawn":    spawn,
	"tasks":    tasks,
	"ring":     ring,
	"pipeline": pipeline,
	"pingpong": pingpong,
	"fanin":    fanin,
	"overload": overload,
	"skynet":   skynet,
	"startup":  startup,

	"counting":             counting,
	"fork-join-create":     forkJoinCreate,
	"fork-join-throughput": forkJoinThroughput,
	"big":                  big,
	"chameneos":            chameneos,
	"bounded-buffer":       boundedBuffer,
	"banking":              banking,
	"sieve":                sieve,
	"fib":                  fib,
}

func main() {
	if len(os.Args) < 2 {
		names := make([]string, 0, len(experiments))
		for name := range experiments {
			names = append(names, name)
		}
		slices.Sort(names)
		badArgument("say which experiment to run: %s", strings.Join(names, ", "))
	}
	experiment, known := experiments[os.Args[1]]
	if !known {
		badArgument("there is no experiment %s", os.Args[1])
	}
	args := arguments{}
	for _, word := range os.Args[2:] {
		name, value, found := strings.Cut(word, "=")
		if !found {
			badArgument("%q is not of the form name=value", word)
		}
		args[name] = value
	}
	line, err := json.Marshal(map[string]any{
		"metrics":         experiment(args),
		"runtime_version": runtime.Version(),
	})
	if err != nil {
		fail("the metrics are no JSON: %v", err)
	}
	fmt.Println(string(line))
}

// arguments are what follows the experiment: name=value.
type arguments map[string]string

// count is a whole number of at least 1.
func (a arguments) count(name string, preset int) int {
	return a.atLeast(1, name, preset)
}

// atLeast is the same where an experiment makes no sense with fewer.
func (a arguments) atLeast(least int, name string, preset int) int {
	text, given := a[name]
	if !given {
		return preset
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least {
		badArgument("%s=%s is not a whole number of at least %d", name, text, least)
	}
	return n
}

func (a arguments) duration(name string, preset time.Duration) time.Duration {
	text, given := a[name]
	if !given {
		return preset
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		badArgument("%s=%s is not a duration such as 10000ms", name, text)
	}
	return d
}

func (a arguments) flag(name string) bool {
	switch text := a[name]; text {
	case "true":
		return true
	case "false", "":
		return false
	default:
		badArgument("%s=%s is neither true nor false", name, text)
		return false
	}
}

// badArgument ends the program: it was asked for what cannot be done.
func badArgument(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+".\n", values...)
	os.Exit(2)
}

// fail ends the program because its result is wrong.
func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+".\n", values...)
	os.Exit(1)
}

// repeat runs once, then at least three times and for at least three seconds.
func repeat(run func() time.Duration) (cold, median time.Duration) {
	cold = run()
	var times []time.Duration
	for start := time.Now(); len(times) < 3 || time.Since(start) < 3*time.Second; {
		times = append(times, run())
	}
	return cold, medianOf(times)
}

func medianOf(times []time.Duration) time.Duration {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

func nanosEach(d time.Duration, n int) float64 {
	return float64(d.Nanoseconds()) / float64(n)
}

// resident is what this process has resident, in bytes; 0 where nobody tells.
func resident() int {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kB int
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kB); n == 1 {
			return kB * 1024
		}
	}
	return 0
}
