// Package datadir is the data directory: its permissions, its lock, and the address of the server that holds it.
package datadir

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Lock is the lock that this process holds on a data directory.
type Lock struct {
	flock *flock.Flock
	dir   string
}

// Acquire creates the directory and locks it for this process. Errors: data_dir_locked when another process has it, not_permitted.
func Acquire(dir string) (*Lock, error) {
	if err := Make(dir); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, backend.FileError("lock the data directory", "the data directory "+dir, err)
	}
	if !ok {
		return nil, backend.E(backend.CodeDataDirLocked, "Another copy of Voicewright is using "+dir+".",
			"Use that copy, close it, or choose another folder with --data.").With("data", dir)
	}
	return &Lock{lock, dir}, nil
}

// Release unlocks the directory. A nil Lock is already released.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	if err := l.flock.Unlock(); err != nil {
		return fmt.Errorf("unlock the data directory: %w", err)
	}
	return nil
}

// AddressFile returns the path of the file with the address of the server.
func AddressFile(dir string) string { return filepath.Join(dir, "server.json") }

// Announce writes the address for other processes of the same user.
func Announce(dir string, a client.Address) error {
	raw, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode the address: %w", err)
	}
	if err := files.Write(AddressFile(dir), raw, 0o600); err != nil {
		return backend.FileError("write the address", "the data directory", err)
	}
	return nil
}

// LockTimeout is how long a command waits for another command to release the data directory.
const LockTimeout = 3 * time.Second

// HealthTimeout is how long a server may take to respond: under load, a small machine is slow.
const HealthTimeout = 5 * time.Second

// FindServer returns the address of the server that holds the directory; ok is false when there is none.
func FindServer(ctx context.Context, dir string) (a client.Address, ok bool) {
	raw, err := os.ReadFile(AddressFile(dir))
	if err != nil || json.Unmarshal(raw, &a) != nil {
		return a, false
	}
	ctx, cancel := context.WithTimeout(ctx, HealthTimeout)
	defer cancel()
	return a, a.Client().Call(ctx, "GET", "/health", nil, nil) == nil
}
