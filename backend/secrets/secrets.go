// Package secrets stores secrets in the keychain of the operating system or, where the user allows it, in an encrypted file.
//
// An index file in the data directory records which secrets there are, where, and a public note for each, but no secret. So
// the keychain is not used, and nobody is asked to unlock it, before a secret is needed. A new value is written beside the
// former one and read back before the index names it, and the index lists what is to be removed: a process that is killed
// loses no secret, and what it left is removed by the next change.
package secrets

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// The names of the secrets.
const (
	HostedKey     = "hosted.key"     // an API key of the hosted service
	HostedSession = "hosted.session" // the sign-in at the hosted service, with its refresh token
)

// The places of secrets.
const (
	Keychain = "keychain"
	File     = "file"
	None     = "none"
)

// Options are what a Store needs.
type Options struct {
	Dir       string      // the data directory
	AllowFile func() bool // whether the user allows the encrypted file; nil: no
	// Passphrase returns the passphrase of the encrypted file, and whether there is one; nil: there is none.
	Passphrase func() (string, bool)
	// Ask requests the passphrase from the user where there is none and the file is written for the first time (create), or was
	// written with one; ok is false when nobody can be asked, or nothing was entered. nil: nobody.
	Ask   func(ctx context.Context, create bool) (passphrase string, ok bool)
	NewID func() string // nil: random
	Log   *slog.Logger  // nil: none

	keychain itemStore // of tests; nil: the keychain of the operating system
}

// Store stores the secrets of one data directory. It is safe for concurrent use; no other process uses the directory.
type Store struct {
	opts   Options
	places map[string]itemStore

	busy chan struct{} // holds one token while places are used: a keychain may be waiting for the user, so callers wait with a context

	mu      sync.Mutex
	index   index
	damaged error             // why the index cannot be read
	values  map[string]string // that were read or written: a request to the hosted service must not wait for the keychain
	misses  map[string]miss   // the last failure to read each
	failed  bool              // the last use of the keychain failed
}

// miss is how often a secret could not be read, and why the last time.
type miss struct {
	count int
	err   error
}

// Open reads the index of a data directory and uses no keychain. A damaged index is an error of the later calls, because the
// program works without secrets.
func Open(o Options) (*Store, error) {
	if o.AllowFile == nil {
		o.AllowFile = func() bool { return false }
	}
	if o.Passphrase == nil {
		o.Passphrase = func() (string, bool) { return "", false }
	}
	if o.Ask == nil {
		o.Ask = func(context.Context, bool) (string, bool) { return "", false }
	}
	if o.NewID == nil {
		o.NewID = rand.Text
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.keychain == nil {
		o.keychain = systemKeychain()
	}
	s := &Store{
		opts:   o,
		places: map[string]itemStore{Keychain: o.keychain, File: newFile(o.Dir, o.Passphrase, o.Ask)},
		busy:   make(chan struct{}, 1),
		values: map[string]string{},
		misses: map[string]miss{},
	}
	s.index, s.damaged = readIndex(o.Dir)
	return s, nil
}

// Get returns a secret. Callers at the same time share one attempt. Errors: secret_not_found, secrets_unavailable.
func (s *Store) Get(ctx context.Context, name string) (string, error) {
	if value, done, err := s.known(name); done {
		return value, err
	}
	before := s.missed(name)
	if err := s.acquire(ctx); err != nil {
		return "", err
	}
	defer s.release()
	if value, done, err := s.known(name); done { // another caller read or changed it meanwhile
		return value, err
	}
	if now := s.missed(name); now.count != before.count { // a keychain that does not answer is not waited for again
		return "", now.err
	}
	value, err := s.read(ctx, name, s.entry(name))
	if err != nil {
		s.miss(name, err)
		return "", err
	}
	s.remember(name, value)
	return value, nil
}

func (s *Store) missed(name string) miss {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.misses[name]
}

// miss records that a secret could not be read, unless the caller left.
func (s *Store) miss(name string, err error) {
	if !errors.As(err, new(*backend.Error)) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misses[name] = miss{s.misses[name].count + 1, err}
}

// known returns what Get can answer without a place: a value in memory, or an error.
func (s *Store) known(name string) (value string, done bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damaged != nil {
		return "", true, s.damaged
	}
	if _, stored := s.index.Entries[name]; !stored {
		return "", true, errNotFound(name)
	}
	value, done = s.values[name]
	return value, done, nil
}

// Set stores a secret with a public note, in the place of its former value or else in the keychain, and where that fails in the
// encrypted file if the user allows it. Errors: secrets_unavailable.
func (s *Store) Set(ctx context.Context, name, value, note string) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	if s.damaged != nil {
		return s.damaged
	}
	allowed := s.opts.AllowFile()
	if allowed && s.entry(name).Place == File {
		return s.put(ctx, File, name, value, note)
	}
	err := s.put(ctx, Keychain, name, value, note)
	if err == nil || ctx.Err() != nil || backend.AsError(err).Code != backend.CodeSecretsUnavailable {
		return err
	}
	if !allowed {
		return allowFile(err)
	}
	s.opts.Log.WarnContext(ctx, "the keychain cannot be used, the encrypted file is", "error", err)
	return s.put(ctx, File, name, value, note)
}

// Delete removes a secret; one that is not stored is no error. Errors: secrets_unavailable, and then it is still stored.
func (s *Store) Delete(ctx context.Context, name string) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	if s.damaged != nil {
		return s.damaged
	}
	if e := s.entry(name); e.Place != "" {
		if err := s.removeItems(ctx, e); err != nil {
			return err
		}
		if err := s.change(func(x *index) { delete(x.Entries, name) }); err != nil {
			return err
		}
		s.forget(name)
	}
	s.sweep(ctx, Keychain, File)
	return nil
}

// Note returns the public note of a secret, and whether it is stored. It uses no keychain.
func (s *Store) Note(name string) (note string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.index.Entries[name]
	return e.Note, ok
}

// Place returns where secrets are stored, or, as long as there are none, where the first one would be: keychain, file or none.
// It uses no keychain, so that the keychain works is a guess.
func (s *Store) Place(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damaged != nil {
		return None, s.damaged
	}
	place := ""
	for _, e := range s.index.Entries {
		place = max(place, e.Place) // one in the keychain counts
	}
	guess := None
	switch {
	case !s.failed && s.places[Keychain].present():
		guess = Keychain
	case s.opts.AllowFile():
		guess = File
	}
	return cmp.Or(place, guess), nil
}

// Migrate moves all secrets to the keychain or the file. A secret that cannot be moved stays where it is, and is the error.
// Errors: secrets_unavailable.
func (s *Store) Migrate(ctx context.Context, to string) error {
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	if s.damaged != nil {
		return s.damaged
	}
	if to == File && !s.opts.AllowFile() {
		return errFileNotAllowed()
	}
	for _, name := range s.names() {
		e := s.entry(name)
		if e.Place == to {
			continue
		}
		value, err := s.read(ctx, name, e)
		if err == nil {
			err = s.put(ctx, to, name, value, e.Note)
		}
		if err != nil {
			return err
		}
	}
	s.sweep(ctx, Keychain, File)
	return nil
}

// Close forgets the secrets in memory.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.values)
	return nil
}

// acquire waits for the places. They are not held after an error, which is that of ctx.
func (s *Store) acquire(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) release() { <-s.busy }
