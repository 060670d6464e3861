package main

import (
	"context"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

const (
	databaseWait = 30 * time.Second // of a start, for a database that another program has locked
	databasePoll = 100 * time.Millisecond
)

// untilUnlocked repeats an action on the database at path while another program has locked it, for up to databaseWait or until ctx
// ends. It calls waiting once, before the first wait.
func untilUnlocked(ctx context.Context, path string, waiting func(), action func() error) error {
	end := time.NewTimer(databaseWait)
	defer end.Stop()
	for {
		err := action()
		if !sqlite.IsLocked(err) {
			return err
		}
		waiting()
		waiting = func() {}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-end.C:
			return lockedError(path)
		case <-time.After(databasePoll):
		}
	}
}

// lockedError returns the error for a database that stays locked.
func lockedError(path string) error {
	return exitError{exit.Failed, fmt.Errorf("another program has locked the database %s for %s; `fuser %s` names it: "+
		"end it or wait until it is done, then try again", path, databaseWait, path)}
}
