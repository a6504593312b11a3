package main

const openingBalance = 1_000_000

type transfer struct {
	amount int
	to     account
}

type credit struct {
	amount int
	reply  chan<- struct{}
}

// An account is a goroutine that takes transfers of its own money and credits of others'.
type account struct {
	transfers chan transfer
	credits   chan credit
}

// statement is what an account tells when it is closed.
type statement struct {
	balance, debits, credits int
}

// run does nothing else while a transfer waits for the other account.
func (a account) run(transferred chan<- struct{}, statements chan<- statement) {
	s := statement{balance: openingBalance}
	credited := make(chan struct{})
	for {
		select {
		case t, open := <-a.transfers:
			if !open {
				statements <- s
				return
			}
			s.balance -= t.amount
			s.debits++
			t.to.credits <- credit{t.amount, credited}
			<-credited
			transferred <- struct{}{}
		case c := <-a.credits:
			s.balance += c.amount
			s.credits++
			c.reply <- struct{}{}
		}
	}
}

// startTransfers moves money to accounts with a higher number, as in Savina, so that no two
// accounts ever wait for each other.
func startTransfers(transactions int, accounts []account) {
	choice := random(1)
	for i := 0; i < transactions; i++ {
		from := choice.below(len(accounts) * 8 / 10)
		to := from + 1 + choice.below(len(accounts)-from-1)
		accounts[from].transfers <- transfer{choice.below(1000), accounts[to]}
	}
}

// The teller listens to the accounts while it starts transfers, or they would wait for it, and it
// for them.
func runBanking(accounts, transactions int) int {
	transferred := make(chan struct{}, mailbox)
	statements := make(chan statement)
	all := make([]account, accounts)
	for i := range all {
		all[i] = account{make(chan transfer, 64), make(chan credit)}
		go all[i].run(transferred, statements)
	}
	go startTransfers(transactions, all)
	for i := 0; i < transactions; i++ {
		<-transferred
	}

	var sum statement
	for _, a := range all {
		close(a.transfers)
	}
	for range all {
		s := <-statements
		sum.balance += s.balance
		sum.debits += s.debits
		sum.credits += s.credits
	}
	if expected := accounts * openingBalance; sum.balance != expected {
		fail("the accounts hold %d instead of %d", sum.balance, expected)
	}
	if sum.debits != sum.credits {
		fail("there are %d debits and %d credits", sum.debits, sum.credits)
	}
	return sum.debits
}

func banking(args arguments) metrics {
	accounts := args.atLeast(2, "accounts", 1000)
	transactions := args.count("transactions", 50_000)
	return measure("transactions", transactions, func() int {
		return runBanking(accounts, transactions)
	})
}
