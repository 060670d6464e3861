package service

import (
	"context"
	"errors"
)

// The lengths of a page of the usage list.
const (
	DefaultUsage = 50
	MaxUsage     = 100
)

// Usage returns a page of the caller's calls, newest first, and the cursor of the next one, empty at the end. Files that have
// expired or are not there any more are not named.
func (s *Service) Usage(ctx context.Context, caller Caller, cursor string, limit int) ([]Usage, string, error) {
	if limit < 1 || limit > MaxUsage {
		return nil, "", invalid("The parameter \"limit\" must be a whole number from 1 to %d.", MaxUsage)
	}
	rows, next, err := s.o.Store.Usage(ctx, caller.Account.ID, cursor, limit)
	if err != nil {
		return nil, "", err
	}
	for i, u := range rows {
		if u.File == "" {
			continue
		}
		there, err := s.stored(ctx, u)
		if err != nil {
			return nil, "", err
		}
		if !there {
			rows[i].File = ""
		}
	}
	return rows, next, nil
}

// stored reports whether the audio of a call is still there.
func (s *Service) stored(ctx context.Context, u Usage) (bool, error) {
	if !s.o.Now().Before(u.FileExpires) {
		return false, nil
	}
	content, size, err := s.o.Files.Open(ctx, u.File)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return size > 0, content.Close() // a fault of the disk may have emptied it
}
