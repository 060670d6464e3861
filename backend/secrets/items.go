package secrets

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
)

// An itemStore stores values under the names of items. Every call ends soon after its context, and within a time limit. Errors:
// secrets_unavailable.
type itemStore interface {
	// get returns errNoItem where there is no such item.
	get(ctx context.Context, item string) (string, error)
	set(ctx context.Context, item, value string) error
	// remove succeeds where there is no such item.
	remove(ctx context.Context, item string) error
	// check returns why the place cannot be used, without asking the user for anything.
	check(ctx context.Context) error
	// present reports whether the place may exist, without using it.
	present() bool
}

// errNoItem says that a place has no item of this name.
var errNoItem = errors.New("no such item")

// maxPart is how many bytes of a value one item holds. Windows takes 2,560; macOS about 3,000, with the names.
const maxPart = 2000

// items returns the names of the items that hold the parts of a value.
func (e entry) items() []string {
	names := make([]string, e.Parts)
	for i := range names {
		names[i] = e.Item + "/" + strconv.Itoa(i)
	}
	return names
}

// put stores a value in a place, has the index name it there, and removes the former value. The new items are in the index
// before they are written, so that they are found after a kill.
func (s *Store) put(ctx context.Context, to, name, value, note string) error {
	parts := slices.Collect(slices.Chunk([]byte(value), maxPart))
	if len(parts) == 0 {
		parts = [][]byte{nil}
	}
	former := s.entry(name)
	fresh := entry{Place: to, Parts: len(parts), Note: note}
	err := s.change(func(x *index) {
		if x.ID == "" {
			x.ID = s.opts.NewID()
		}
		fresh.Item = x.freeItem(name, former, to)
		x.retire(fresh)
	})
	if err != nil {
		return err
	}
	if err := s.write(ctx, fresh, parts); err != nil {
		return err
	}
	err = s.change(func(x *index) {
		x.unretire(fresh)
		x.retire(former)
		x.Entries[name] = fresh
	})
	if err != nil {
		return err
	}
	s.remember(name, value)
	s.sweep(ctx, to, former.Place, File)
	return nil
}

// write stores the parts of a value and reads them back.
func (s *Store) write(ctx context.Context, e entry, parts [][]byte) error {
	p := s.places[e.Place]
	for i, item := range e.items() {
		err := p.set(ctx, item, string(parts[i]))
		if err == nil {
			var back string
			if back, err = p.get(ctx, item); err == nil && back != string(parts[i]) {
				err = errors.New("another value was read back")
			}
		}
		if err = s.used(e.Place, err); err != nil {
			return err
		}
	}
	return nil
}

// read returns the value of an entry.
func (s *Store) read(ctx context.Context, name string, e entry) (string, error) {
	var value []byte
	for _, item := range e.items() {
		part, err := s.places[e.Place].get(ctx, item)
		if errors.Is(err, errNoItem) {
			return "", errNotFound(name).With("reason", "removed")
		}
		if err = s.used(e.Place, err); err != nil {
			return "", err
		}
		value = append(value, part...)
	}
	return string(value), nil
}

// removeItems removes the items of an entry from its place.
func (s *Store) removeItems(ctx context.Context, e entry) error {
	for _, item := range e.items() {
		if err := s.used(e.Place, s.places[e.Place].remove(ctx, item)); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes the obsolete items of some places. What cannot be removed stays in the index for the next time.
func (s *Store) sweep(ctx context.Context, places ...string) {
	for _, e := range slices.Clone(s.index.Obsolete) {
		if !slices.Contains(places, e.Place) || e.Place == Keychain && s.unusable() {
			continue
		}
		err := s.removeItems(ctx, e)
		if err == nil {
			err = s.change(func(x *index) { x.unretire(e) })
		}
		if err != nil {
			s.opts.Log.WarnContext(ctx, "obsolete secrets stay for now", "place", e.Place, "error", err)
			return
		}
	}
}

// used records whether the keychain could be used, unless the caller left, and returns err as one of this package.
func (s *Store) used(place string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if err != nil && !errors.As(err, new(*backend.Error)) {
		err = errUnusable(place).WithCause(err)
	}
	if place == Keychain {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.failed = err != nil
	}
	return err
}

func (s *Store) unusable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}
