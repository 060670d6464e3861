package database

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service/sqlite"
)

const (
	lockedWait = 30 * time.Second // for a database that another program has locked
	lockedPoll = 100 * time.Millisecond
)

// Wait repeats an action while another program has locked the database, for up to 30 s or until ctx ends. It calls waiting once, before
// the first wait.
func (d Database) Wait(ctx context.Context, waiting func(), action func() error) error {
	end := time.NewTimer(lockedWait)
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
			return failedf("another program has locked the database %s for %s; `fuser %s` names it: end it or wait until it is done, "+
				"then try again", d.path, lockedWait, d.path)
		case <-time.After(lockedPoll):
		}
	}
}
