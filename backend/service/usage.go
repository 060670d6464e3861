package service

import "context"

// The lengths of a page of the usage list.
const (
	DefaultUsage = 50
	MaxUsage     = 100
)

// Usage returns a page of the caller's calls, newest first, and the cursor of the next one, empty at the end. Files that have
// expired are not named.
func (s *Service) Usage(ctx context.Context, caller Caller, cursor string, limit int) ([]Usage, string, error) {
	if limit < 1 || limit > MaxUsage {
		return nil, "", invalid("The parameter \"limit\" must be a whole number from 1 to %d.", MaxUsage)
	}
	rows, next, err := s.o.Store.Usage(ctx, caller.Account.ID, cursor, limit)
	for i := range rows {
		if !s.o.Now().Before(rows[i].FileExpires) {
			rows[i].File = ""
		}
	}
	return rows, next, err
}
