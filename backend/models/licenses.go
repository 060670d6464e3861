package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// licences stores in a small file which licences the user accepted, and when.
type licences struct {
	path string

	mu   sync.Mutex
	when map[string]time.Time
}

// read reads the file; after an error no licence counts as accepted.
func (l *licences) read(path string) error {
	l.path, l.when = path, map[string]time.Time{}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return backend.FileError("read the accepted licences", "the data directory", err)
	}
	if err := json.Unmarshal(raw, &l.when); err != nil || l.when == nil {
		l.when = map[string]time.Time{}
		return err
	}
	return nil
}

func (l *licences) accepted(model string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.when[model].IsZero()
}

// accept stores that the user accepted the licence of a model.
func (l *licences) accept(model string, now time.Time) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.when[model].IsZero() {
		return nil
	}
	l.when[model] = now.UTC()
	raw, err := json.MarshalIndent(l.when, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the accepted licences: %w", err)
	}
	if err := files.Write(l.path, append(raw, '\n'), 0o600); err != nil {
		delete(l.when, model)
		return backend.FileError("write the accepted licence", "the data directory", err)
	}
	return nil
}
