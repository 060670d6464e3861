package service

import (
	"context"
)

// The lengths of a page of the usage list.
const (
	DefaultUsage = 50
	MaxUsage     = 100
)

// Usage returns a page of the caller's calls, newest first, and the cursor of the next one, empty at the end. Files that have
// expired or are not there any more are not named.
func (a *accounts) Usage(ctx context.Context, caller Caller, cursor string, limit int) ([]Usage, string, error) {
	if limit < 1 || limit > MaxUsage {
		return nil, "", errInvalid("The parameter \"limit\" must be a whole number from 1 to %d.", MaxUsage)
	}
	rows, next, err := a.o.Store.Usage(ctx, caller.Account.ID, cursor, limit)
	if err != nil {
		return nil, "", err
	}
	for i, u := range rows {
		if u.File == "" {
			continue
		}
		there, err := a.files.stored(ctx, u)
		if err != nil {
			return nil, "", err
		}
		if !there {
			rows[i].File = ""
		}
	}
	return rows, next, nil
}
