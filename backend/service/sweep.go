package service

import (
	"context"
	"slices"
	"time"
)

const (
	sweepInterval = time.Minute
	sweepPage     = 500 // files at a time
	orphanSweeps  = 10  // sweeps between two searches for files without an entry, longer than any call needs to settle
)

// sweeper deletes what is kept no longer. Only one goroutine uses it.
type sweeper struct {
	o       *Config
	runs    int
	orphans map[string]bool // files without an index entry at the last search
}

// sweep deletes expired files, forgets old idempotency keys and, now and then, deletes files that a dead process left without an
// index entry.
func (s *sweeper) sweep(ctx context.Context) {
	if err := s.deleteExpired(ctx); err != nil {
		s.o.logUnlessEnded(ctx, "delete expired files", err)
	}
	if err := s.o.Store.ForgetKeys(ctx, s.o.Now().Add(-keyRetention)); err != nil {
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

// deleteExpired deletes the content of expired files. Their entries stay.
func (s *sweeper) deleteExpired(ctx context.Context) error {
	for {
		files, err := s.o.Store.Expired(ctx, s.o.Now(), sweepPage)
		if err != nil || len(files) == 0 {
			return err
		}
		var deleted []string
		for _, f := range files {
			if err = s.o.Files.Delete(ctx, f.Name); err == nil {
				deleted = append(deleted, f.Name)
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
	names, err := s.o.Files.Names(ctx)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !audioName(name) })
	orphans := map[string]bool{}
	for page := range slices.Chunk(names, sweepPage) {
		indexed, err := s.o.Store.Indexed(ctx, page)
		if err != nil {
			return err
		}
		for _, name := range page {
			orphans[name] = true
		}
		for _, name := range indexed {
			delete(orphans, name)
		}
	}
	deleted := 0
	for name := range orphans {
		if !s.orphans[name] {
			continue
		}
		if err := s.o.Files.Delete(ctx, name); err != nil {
			return err
		}
		delete(orphans, name)
		deleted++
	}
	s.orphans = orphans
	if deleted > 0 {
		s.o.Log.InfoContext(ctx, "deleted files without an index entry", "files", deleted)
	}
	return nil
}
