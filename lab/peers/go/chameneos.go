package main

type colour int

const (
	blue colour = iota
	red
	yellow
	colours
)

func (c colour) complement(other colour) colour {
	if c == other {
		return c
	}
	return blue + red + yellow - c - other
}

// An encounter tells a creature its new colour, or whom it meets, if there is an other.
type encounter struct {
	colour colour
	other  chan<- encounter
}

// An arrival tells the mall who wants to meet somebody.
type arrival struct {
	colour   colour
	creature chan<- encounter
}

// creature meets others until the mall closes its channel. Of two that meet, one finds the new
// colour and tells the other. The mall and the others answer each arrival once, so room for one
// encounter is enough for no sender to wait.
func creature(colour colour, mall chan<- arrival, counts chan<- int) {
	encounters := make(chan encounter, 1)
	count := 0
	mall <- arrival{colour, encounters}
	for e := range encounters {
		if e.other == nil {
			colour = e.colour
		} else {
			colour = colour.complement(e.colour)
			e.other <- encounter{colour: colour}
		}
		count++
		mall <- arrival{colour, encounters}
	}
	counts <- count
}

func runChameneos(meetings, creatures int) int {
	mall := make(chan arrival, creatures)
	counts := make(chan int)
	for i := 0; i < creatures; i++ {
		go creature(colour(i)%colours, mall, counts)
	}
	for i := 0; i < meetings; i++ {
		first, second := <-mall, <-mall
		first.creature <- encounter{second.colour, second.creature}
	}
	for i := 0; i < creatures; i++ {
		close((<-mall).creature)
	}
	sum := 0
	for i := 0; i < creatures; i++ {
		sum += <-counts
	}
	return sum
}

func chameneos(args arguments) metrics {
	meetings := args.count("meetings", 200_000)
	creatures := args.atLeast(2, "creatures", 100)
	return measure("meetings", 2*meetings, func() int { return runChameneos(meetings, creatures) })
}
