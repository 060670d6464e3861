package main

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/voicewright/voicewright/backend/service"
)

// entryView is a row of the ledger as --json prints it: amounts that sum to zero.
type entryView struct {
	ID      int64   `json:"id"`
	At      string  `json:"created_at"`
	Reason  string  `json:"reason"`
	Call    *string `json:"call"` // id of the call
	Plan    int64   `json:"plan"`
	Payg    int64   `json:"payg"`
	Held    int64   `json:"held"`
	Granted int64   `json:"granted"`
	Spent   int64   `json:"spent"`
	Expired int64   `json:"expired"`
	Actor   *string `json:"actor"`
	Note    *string `json:"note"`
}

// viewOfEntry returns the view of a row of the ledger.
func viewOfEntry(e service.Entry) entryView {
	return entryView{
		ID: e.ID, At: *timestamp(e.At), Reason: e.Reason, Call: optional(e.Call), Plan: e.Plan, Payg: e.Payg, Held: e.Held,
		Granted: e.Granted, Spent: e.Spent, Expired: e.Expired, Actor: optional(e.Actor), Note: optional(e.Note),
	}
}

// partsView is the credits of an account as --json prints them.
type partsView struct {
	Plan int64 `json:"plan"`
	Payg int64 `json:"payg"`
	Held int64 `json:"held"`
}

// ledgerView is the check of a ledger as --json prints it.
type ledgerView struct {
	Account string    `json:"account"` // id
	Balance partsView `json:"balance"`
	Sums    partsView `json:"sums"` // of all rows
	Rows    int       `json:"rows"`
	Equal   bool      `json:"equal"`
}

// entries returns the newest rows of an account's ledger before one, from the newest; limit 0 is all of them.
func (a *accounts) entries(ctx context.Context, account service.Account, before int64, limit int) iter.Seq2[entryView, error] {
	return paged(limit, func(n int) (views []entryView, more bool, err error) {
		list, err := a.store.Entries(ctx, account.ID, before, n)
		for _, e := range list {
			views, before = append(views, viewOfEntry(e)), e.ID
		}
		return views, len(list) == n, err
	})
}

// ledger prints the rows of an account's ledger and compares their sums with its balance.
func (a *accounts) ledger(ctx context.Context, name string) error {
	account, err := a.findLimited(ctx, name)
	if err != nil {
		return err
	}
	sums, err := a.store.Sums(ctx, account.ID)
	if err != nil {
		return accountError(name, err)
	}
	rows := a.entries(ctx, account, sums.Last+1, a.limit)
	v := ledgerView{
		Account: account.LogID(), Balance: partsView(sums.Balance), Sums: partsView(sums.Rows), Rows: sums.Count,
		Equal: sums.Balance == sums.Rows,
	}
	if a.asJSON {
		err = printList(a.program, v, "entries", rows)
	} else {
		err = a.printLedger(v, rows)
	}
	if err == nil && !v.Equal {
		err = fmt.Errorf("the ledger of %s is wrong: plan %d, pay-as-you-go %d and held %d credits, but its rows sum to %d, %d and %d; "+
			"restore a backup, or report this", nameOf(account),
			v.Balance.Plan, v.Balance.Payg, v.Balance.Held, v.Sums.Plan, v.Sums.Payg, v.Sums.Held)
	}
	return err
}

// printLedger prints the rows of a ledger for people.
func (a *accounts) printLedger(v ledgerView, rows iter.Seq2[entryView, error]) error {
	const format = "%-20s  %-17s  %9v  %9v  %9v  %-10s  %s\n"
	_, _ = fmt.Fprintf(a.out, format, "TIME", "REASON", "PLAN", "PAYG", "HELD", "BY", "NOTE") // the rows return the error
	for e, err := range rows {
		if err != nil {
			return storeError(err)
		}
		_, err = fmt.Fprintf(a.out, format, e.At, inColumn(e.Reason), e.Plan, e.Payg, e.Held, orDash(cell(e.Actor)), orDash(cell(e.Note)))
		if err != nil {
			return err
		}
	}
	if !v.Equal {
		return nil
	}
	_, err := fmt.Fprintf(a.out, "The balance is the sum of its rows (%d): plan %d, pay-as-you-go %d, held %d.\n",
		v.Rows, v.Balance.Plan, v.Balance.Payg, v.Balance.Held)
	return err
}

// calls returns the newest calls of an account, from the newest; limit 0 is all of them.
func (a *accounts) calls(ctx context.Context, account service.Account, limit int) iter.Seq2[exportedCall, error] {
	cursor := ""
	return paged(limit, func(n int) (views []exportedCall, more bool, err error) {
		var page []service.Usage
		page, cursor, err = a.store.Usage(ctx, account.ID, cursor, n)
		for _, u := range page {
			views = append(views, callOf(u))
		}
		return views, cursor != "", err
	})
}

// usage prints the calls of an account.
func (a *accounts) usage(ctx context.Context, name string) error {
	account, err := a.findLimited(ctx, name)
	if err != nil {
		return err
	}
	calls := a.calls(ctx, account, a.limit)
	if a.asJSON {
		return printList(a.program, struct{}{}, "usage", calls)
	}
	const format = "%-20s  %-10s  %-9s  %-25s  %10v  %7v  %-8s  %s\n"
	// The rows return the error.
	_, _ = fmt.Fprintf(a.out, format, "TIME", "KIND", "PROVIDER", "MODEL", "CHARACTERS", "CREDITS", "STATUS", "TITLE")
	for c, err := range calls {
		if err != nil {
			return storeError(err)
		}
		_, err = fmt.Fprintf(a.out, format, c.At, c.Kind, c.Provider, c.Model, c.Characters, c.Credits, c.Status, orDash(inColumn(c.Title)))
		if err != nil {
			return err
		}
	}
	return nil
}

// findLimited returns the account of a command that takes --limit.
func (a *accounts) findLimited(ctx context.Context, name string) (service.Account, error) {
	if a.limit < 0 {
		return service.Account{}, usagef("--limit must be 0 or more, not %d", a.limit)
	}
	return a.find(ctx, name)
}

// pageSize is how many rows are read at once.
const pageSize = 500

// paged returns up to limit items, 0 for all, of the pages that next returns: n items at most, and whether there may be more.
func paged[T any](limit int, next func(n int) (items []T, more bool, err error)) iter.Seq2[T, error] {
	if limit == 0 {
		limit = math.MaxInt
	}
	return func(yield func(T, error) bool) {
		for left, more := limit, true; more && left > 0; {
			items, again, err := next(min(left, pageSize))
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			left, more = left-len(items), again
		}
	}
}

// collect returns all items of a sequence.
func collect[T any](items iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	return list, nil
}
