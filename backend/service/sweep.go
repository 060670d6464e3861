package service

import (
	"context"
	"errors"
	"slices"
	"time"
)

const (
	sweepInterval = time.Minute
	sweepPage     = 500 // files or accounts at a time
	orphanSweeps  = 10  // sweeps between two searches for files without an entry, longer than any call needs to settle
)

// sweeper deletes what is kept no longer, and renews the plans of accounts that do not call. Only one goroutine uses it.
type sweeper struct {
	o       *Config
	runs    int
	orphans map[string]bool // files without an index entry at the last search
}

// sweep does the work of the sweeper, unless another process does so now.
func (s *sweeper) sweep(ctx context.Context) {
	_, err := s.o.Store.Alone(ctx, func(ctx context.Context) error {
		s.sweepAlone(ctx)
		return nil
	})
	if err != nil {
		s.o.logUnlessEnded(ctx, "sweep", err)
	}
}

// sweepAlone renews plans, deletes expired files, forgets old idempotency keys and, now and then, deletes files that a dead process left
// without an index entry.
func (s *sweeper) sweepAlone(ctx context.Context) {
	if err := s.renewPlans(ctx); err != nil {
		s.o.logUnlessEnded(ctx, "renew plans", err)
	}
	if err := s.deleteExpired(ctx); err != nil {
		s.o.logUnlessEnded(ctx, "delete expired files", err)
	}
	if err := s.o.Store.ForgetKeys(ctx, keyRetention); err != nil {
		s.o.logUnlessEnded(ctx, "forget idempotency keys", err)
	}
	s.runs++
	if s.runs%orphanSweeps != 1 {
		return
	}
	if err := s.deleteOrphans(ctx); err != nil {
		s.o.logUnlessEnded(ctx, "delete files of dead processes", err)
	}
}

// renewPlans renews the plans whose renewal is due.
func (s *sweeper) renewPlans(ctx context.Context) error {
	var last int64
	var failed error // of one account, which does not keep others waiting
	for {
		due, err := s.o.Store.RenewalsDue(ctx, last, sweepPage)
		if err != nil || len(due) == 0 {
			return errors.Join(err, failed)
		}
		for _, account := range due {
			last = account.ID
			if _, err := s.o.Store.RenewDue(ctx, account.ID, s.o.Prices.PlanCredits); err != nil && !errors.Is(err, ErrNotFound) {
				failed = err
			}
		}
	}
}

// deleteExpired deletes the content of expired files. Their entries stay.
func (s *sweeper) deleteExpired(ctx context.Context) error {
	for {
		names, err := s.o.Store.Expired(ctx, sweepPage)
		if err != nil || len(names) == 0 {
			return err
		}
		var deleted []string
		for _, name := range names {
			if err = s.o.Files.Delete(ctx, name); err == nil {
				deleted = append(deleted, name)
			}
			if errors.Is(err, ErrFilesDown) { // for the others, too
				break
			}
		}
		if len(deleted) == 0 {
			return err
		}
		if err := s.o.Store.Removed(ctx, deleted); err != nil {
			return err
		}
	}
}

// deleteOrphans deletes the files that had no index entry at the last search and have none now. One search would not do: a
// call stores its file before the entry, in this process or another.
func (s *sweeper) deleteOrphans(ctx context.Context) error {
	orphans, deleted := map[string]bool{}, 0
	check := func(page []string) error {
		indexed, err := s.o.Store.Indexed(ctx, page)
		for _, name := range page {
			switch {
			case err != nil:
				return err
			case slices.Contains(indexed, name):
			case !s.orphans[name]:
				orphans[name] = true
			default:
				err = s.o.Files.Delete(ctx, name)
				deleted++
			}
		}
		return err
	}
	var page []string
	for name, err := range s.o.Files.Names(ctx) {
		if err != nil {
			return err
		}
		if audioName(name) {
			page = append(page, name)
		}
		if len(page) == sweepPage {
			if err := check(page); err != nil {
				return err
			}
			page = nil
		}
	}
	if err := check(page); err != nil {
		return err
	}
	s.orphans = orphans
	if deleted > 0 {
		s.o.Log.InfoContext(ctx, "deleted files without an index entry", "files", deleted)
	}
	return nil
}
