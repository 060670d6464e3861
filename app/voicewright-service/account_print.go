package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/voicewright/voicewright/backend/service"
)

// accountView is an account as --json prints it.
type accountView struct {
	Subject     string  `json:"sub"`
	Email       string  `json:"email"`
	Plan        string  `json:"plan"`
	PlanExpires *string `json:"plan_expires_at"`
	Credits     int64   `json:"credits"`
	PaygCredits int64   `json:"payg_credits"`
	Disabled    bool    `json:"disabled"`
	ActiveKeys  int     `json:"active_keys"`
	CreatedAt   string  `json:"created_at"`
}

func viewOf(a service.Account) accountView {
	return accountView{
		Subject: a.Subject, Email: a.Email, Plan: string(a.Plan), PlanExpires: timestamp(a.PlanExpires), Credits: a.Credits(),
		PaygCredits: a.PaygCredits, Disabled: a.Disabled, ActiveKeys: a.ActiveKeys, CreatedAt: a.CreatedAt.UTC().Format(time.RFC3339),
	}
}

// timestamp returns a time in UTC, nil for the zero time.
func timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(time.RFC3339)
	return &text
}

// accountsPage is how many accounts are read at once.
const accountsPage = 500

func (a *accounts) list(ctx context.Context, asJSON bool) error {
	views := []accountView{}
	for after := int64(0); ; {
		page, err := a.store.Accounts(ctx, after, accountsPage)
		if err != nil {
			return storeError(err)
		}
		for _, account := range page {
			views, after = append(views, viewOf(account)), account.ID
		}
		if len(page) < accountsPage {
			break
		}
	}
	if asJSON {
		return a.printJSON(map[string]any{"accounts": views})
	}
	if len(views) == 0 {
		_, err := fmt.Fprintln(a.err, "No accounts yet. Accounts are made at the first sign-in.")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "SUB\tEMAIL\tPLAN\tEXPIRES\tCREDITS\tPAYG\tKEYS\tSTATE") // Flush returns the error
	for _, v := range views {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", printable(v.Subject), orDash(printable(v.Email)), v.Plan,
			expiry(v), v.Credits, v.PaygCredits, v.ActiveKeys, state(v))
	}
	return w.Flush()
}

func (a *accounts) show(ctx context.Context, subject string, asJSON bool) error {
	account, err := a.find(ctx, subject)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(viewOf(account))
	}
	return a.printAccount(account)
}

// printAccount prints an account for people.
func (a *accounts) printAccount(account service.Account) error {
	v := viewOf(account)
	plan := v.Plan
	switch {
	case account.Expired(a.now):
		plan += ", expired " + *v.PlanExpires
	case v.PlanExpires != nil:
		plan += ", until " + *v.PlanExpires
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for _, row := range [][2]string{
		{"account", printable(v.Subject)},
		{"email", orDash(printable(v.Email))},
		{"plan", plan},
		{"credits", fmt.Sprintf("%d, of which %d pay-as-you-go", v.Credits, v.PaygCredits)},
		{"active keys", strconv.Itoa(v.ActiveKeys)},
		{"state", state(v)},
		{"created", v.CreatedAt},
	} {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", row[0], row[1]) // Flush returns the error
	}
	return w.Flush()
}

func (p *program) printJSON(v any) error {
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}

func expiry(v accountView) string {
	if v.PlanExpires == nil {
		return "-"
	}
	return *v.PlanExpires
}

func state(v accountView) string {
	if v.Disabled {
		return "disabled"
	}
	return "active"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// printable replaces what would not stay in one column: names come from the issuer.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// confirm returns nil when the user agrees on a terminal. Elsewhere --yes is needed.
func (p *program) confirm(ctx context.Context, question string) error {
	if f, ok := p.in.(*os.File); !ok || !isatty.IsTerminal(f.Fd()) {
		return exitError{exitNeeded, errors.New("this cannot be undone; add --yes")}
	}
	_, _ = fmt.Fprintf(p.err, "%s [y/N] ", question) // the answer shows whether it was seen
	answers := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(p.in).ReadString('\n') // no answer means no
		answers <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return nil
		}
		return errors.New("nothing was deleted")
	}
}
