package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
)

// checkView is the check of all ledgers as --json prints it.
type checkView struct {
	Accounts int      `json:"accounts"`
	Plan     int64    `json:"plan"` // credits of all accounts
	Payg     int64    `json:"payg"`
	Flaws    []string `json:"flaws"`
}

// check sums the ledgers of all accounts, and prints what is wrong.
func (a *accounts) check(ctx context.Context) error {
	v := checkView{Flaws: []string{}}
	for account, err := range a.all(ctx) {
		if err != nil {
			return storeError(err)
		}
		v.Accounts++
		v.Plan += account.Credits - account.PaygCredits
		v.Payg += account.PaygCredits
	}
	err := a.store.Check(ctx)
	var wrong *service.LedgerError
	switch {
	case errors.As(err, &wrong):
		v.Flaws = wrong.Flaws
	case err != nil:
		return storeError(err)
	}
	if err := a.printCheck(v); err != nil || len(v.Flaws) == 0 {
		return err
	}
	return exitError{exit.Failed, errors.New("the ledger is wrong; restore a backup, or report this")}
}

func (a *accounts) printCheck(v checkView) error {
	if a.asJSON {
		return a.printJSON(v)
	}
	for _, flaw := range v.Flaws {
		if _, err := fmt.Fprintf(a.out, "Wrong: %s.\n", inColumn(flaw)); err != nil {
			return err
		}
	}
	if len(v.Flaws) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.out, "Every movement sums to zero, and every balance is the sum of its rows: %d accounts with %d plan and %d "+
		"pay-as-you-go credits.\n", v.Accounts, v.Plan, v.Payg)
	return err
}
