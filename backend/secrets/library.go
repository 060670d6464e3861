package secrets

import (
	"context"
	"errors"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/voicewright/voicewright/backend"
)

const (
	libraryService = "Voicewright"
	libraryLimit   = time.Minute // the system may be asking the user
)

// library is the keychain of macOS and Windows by go-keyring. Its calls take no context, so a call that is not waited for any
// longer is left behind, at most one: later calls fail at once until it ends.
type library struct {
	busy  chan struct{} // holds one token during a call
	limit time.Duration
}

var _ itemStore = (*library)(nil)

func newLibrary() *library {
	return &library{busy: make(chan struct{}, 1), limit: libraryLimit}
}

func (l *library) get(ctx context.Context, item string) (value string, err error) {
	path := ""
	err = l.call(ctx, func() (err error) {
		path, err = keyring.Get(libraryService, item)
		return err
	})
	if err != nil { // path may still be written
		return "", err
	}
	return path, nil
}

func (l *library) set(ctx context.Context, item, value string) error {
	return l.call(ctx, func() error { return keyring.Set(libraryService, item, value) })
}

func (l *library) remove(ctx context.Context, item string) error {
	err := l.call(ctx, func() error { return keyring.Delete(libraryService, item) })
	if errors.Is(err, errNoItem) {
		return nil
	}
	return err
}

// check looks for an item that is not there.
func (l *library) check(ctx context.Context) error {
	if _, err := l.get(ctx, "check"); !errors.Is(err, errNoItem) {
		return err
	}
	return nil
}

func (l *library) present() bool { return true }

func (l *library) call(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case l.busy <- struct{}{}:
	default:
		return errTimeout()
	}
	ctx, cancel := context.WithTimeoutCause(ctx, l.limit, errTimeout())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer func() { <-l.busy }()
		done <- backend.Contain(f)
	}()
	select {
	case err := <-done:
		if errors.Is(err, keyring.ErrNotFound) {
			return errNoItem
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
