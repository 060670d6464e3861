package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf16"

	"github.com/mattn/go-isatty"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
)

// accountView is an account as --json prints it.
type accountView struct {
	ID          string  `json:"id"`  // in the log
	Subject     *string `json:"sub"` // nil until the first sign-in
	Email       string  `json:"email"`
	Plan        string  `json:"plan"`
	PlanExpires *string `json:"plan_expires_at"`
	PlanDays    *int    `json:"plan_days"`    // by how many days it renews itself; nil where it just ends
	RenewsUntil *string `json:"renews_until"` // a day; nil likewise
	Credits     int64   `json:"credits"`
	PaygCredits int64   `json:"payg_credits"`
	Disabled    bool    `json:"disabled"`
	ActiveKeys  int     `json:"active_keys"`
	CreatedAt   string  `json:"created_at"`

	EmailVerified bool     `json:"email_verified"`
	Groups        []string `json:"groups"`  // those of the last sign-in that give access
	Invited       bool     `json:"invited"` // an operator made the account
	ChangedBy     *string  `json:"changed_by"`
	ChangedAt     *string  `json:"changed_at"`

	renews bool // a period that renews itself is still to come
}

func viewOf(a service.Account) accountView {
	return accountView{
		ID: a.LogID(), Subject: optional(a.Subject), Email: a.Email, Plan: string(a.Plan),
		PlanExpires: timestamp(a.PlanExpires), PlanDays: number(a.RenewsBy), RenewsUntil: date(a.RenewsUntil), Credits: a.Credits(),
		PaygCredits: a.PaygCredits, Disabled: a.Disabled, ActiveKeys: a.ActiveKeys, CreatedAt: a.CreatedAt.UTC().Format(time.RFC3339),
		EmailVerified: a.Email != "" && !a.EmailUnverified, Groups: append([]string{}, a.Groups...), Invited: a.Invited,
		ChangedBy: optional(a.ChangedBy), ChangedAt: timestamp(a.ChangedAt),
		renews: a.PlanExpires.Before(a.RenewsUntil),
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

// date returns a day in UTC, nil for the zero time.
func date(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(time.DateOnly)
	return &text
}

// number returns a number, nil for 0.
func number(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// optional returns a text, nil for an empty one.
func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// cell returns an optional text for a column.
func cell(text *string) string {
	if text == nil {
		return ""
	}
	return inColumn(*text)
}

// all returns all accounts, oldest first.
func (a *accounts) all(ctx context.Context) iter.Seq2[accountView, error] {
	var after int64
	return paged(0, func(n int) (views []accountView, more bool, err error) {
		list, err := a.store.Accounts(ctx, after, n)
		for _, account := range list {
			views, after = append(views, viewOf(account)), account.ID
		}
		return views, len(list) == n, err
	})
}

func (a *accounts) list(ctx context.Context) error {
	if a.asJSON {
		return printList(a.program, struct{}{}, "accounts", a.all(ctx))
	}
	views, err := collect(a.all(ctx))
	if err != nil {
		return storeError(err)
	}
	if len(views) == 0 {
		_, err := fmt.Fprintln(a.err, "No accounts yet. Accounts are made at the first sign-in, or with account create.")
		return err
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "SUB\tEMAIL\tPLAN\tEXPIRES\tCREDITS\tPAYG\tKEYS\tSTATE") // Flush returns the error
	for _, v := range views {
		name := orDash(cell(v.Subject))
		if _, isID := service.ParseLogID(name); isID { // to commands it would be another account
			name = v.ID
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%s\n", name, orDash(inColumn(v.Email)), v.Plan,
			orDash(cell(v.PlanExpires)), v.Credits, v.PaygCredits, v.ActiveKeys, renewing(v))
	}
	return w.Flush()
}

func (a *accounts) show(ctx context.Context, name string) error {
	account, err := a.find(ctx, name)
	if err != nil {
		return err
	}
	return a.printAccount(account)
}

// keys prints the API keys of an account: none of them can be read again.
func (a *accounts) keys(ctx context.Context, name string) error {
	account, err := a.find(ctx, name)
	if err != nil {
		return err
	}
	views, err := a.keyViews(ctx, account)
	if err != nil {
		return err
	}
	if a.asJSON {
		return a.printJSON(map[string]any{"keys": views})
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "ID\tPREFIX\tNAME\tCREATED\tLAST USED\tREVOKED\tBY") // Flush returns the error
	for _, k := range views {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", k.ID, inColumn(k.Prefix), orDash(inColumn(k.Name)), k.CreatedAt,
			orDash(cell(k.LastUsedAt)), orDash(cell(k.RevokedAt)), orDash(cell(k.RevokedBy)))
	}
	return w.Flush()
}

// printAccount prints an account.
func (a *accounts) printAccount(account service.Account) error {
	v := viewOf(account)
	if a.asJSON {
		return a.printJSON(v)
	}
	plan := v.Plan
	switch {
	case account.Expired():
		plan += ", expired " + *v.PlanExpires
	case v.PlanExpires != nil:
		plan += ", until " + *v.PlanExpires
	}
	if v.renews {
		plan += fmt.Sprintf(", renewed by %s each time until %s", counted(account.RenewsBy, "day"), *v.RenewsUntil)
	}
	email, changed := orDash(inColumn(v.Email)), "-"
	if account.EmailUnverified {
		email += ", not verified"
	}
	if v.ChangedAt != nil {
		changed = *v.ChangedAt + " by " + cell(v.ChangedBy)
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	for _, row := range [][2]string{
		{"account", orDash(cell(v.Subject))},
		{"id", v.ID},
		{"email", email},
		{"plan", plan},
		{"credits", fmt.Sprintf("%d, of which %d pay-as-you-go", v.Credits, v.PaygCredits)},
		{"active keys", strconv.Itoa(v.ActiveKeys)},
		{"state", state(v)},
		{"created", v.CreatedAt},
		{"changed", changed},
	} {
		_, _ = fmt.Fprintf(w, "%s\t%s\n", row[0], row[1]) // Flush returns the error
	}
	return w.Flush()
}

func (p *program) printJSON(v any) error {
	raw, err := indented(v, "")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.out, raw)
	return err
}

// printList prints an object as JSON whose last member is a list, item by item: it may be longer than memory.
func printList[T any](p *program, object any, name string, items iter.Seq2[T, error]) error {
	head, err := indented(object, "")
	if err != nil {
		return err
	}
	head = strings.TrimSuffix(strings.TrimSuffix(head, "}"), "\n")
	if head != "{" {
		head += ","
	}
	_, _ = fmt.Fprintf(p.out, "%s\n  %q: [", head, name) // the last line returns the error
	end, between := "", ""
	for item, err := range items {
		if err != nil {
			return storeError(err)
		}
		raw, err := indented(item, "    ")
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(p.out, "%s\n    %s", between, raw); err != nil {
			return err
		}
		between, end = ",", "\n  "
	}
	_, err = fmt.Fprintf(p.out, "%s]\n}\n", end)
	return err
}

// indented returns a value as JSON. What a terminal would not print is escaped: names come from the issuer and from users.
func indented(v any, prefix string) (string, error) {
	var raw strings.Builder
	encoder := json.NewEncoder(&raw)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(prefix, "  ")
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	var safe strings.Builder
	for _, r := range strings.TrimSuffix(raw.String(), "\n") {
		if r == '\n' || strconv.IsPrint(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&safe, "\\u%04x", unit)
		}
	}
	return safe.String(), nil
}

func state(v accountView) string {
	switch {
	case v.Disabled:
		return "disabled"
	case v.Subject == nil:
		return "waiting"
	}
	return "active"
}

// renewing returns the state of an account, and until when its plan renews itself.
func renewing(v accountView) string {
	if !v.renews {
		return state(v)
	}
	return state(v) + ", renews until " + *v.RenewsUntil
}

// counted returns a number with a noun, in the plural for all but 1.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// inColumn replaces what would not stay in one column: names come from the issuer.
func inColumn(s string) string {
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
		return exitError{exit.Needed, errors.New("this cannot be undone; add --yes")}
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
