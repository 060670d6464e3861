package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Store stores the values that the user has set.
type Store interface {
	Settings(ctx context.Context) (map[string]json.RawMessage, error)
	SetSettings(ctx context.Context, values map[string]json.RawMessage) error
}

// Settings are the settings of a data directory. They are safe for concurrent use.
type Settings struct {
	store   Store
	changed []func()
	usable  func(key, value string) string
	puts    sync.Mutex // so that the store and the memory change in the same order; it also guards changed

	mu     sync.RWMutex
	values map[string]string
}

// CheckNew sets what says why a new value cannot be used on this machine, "" when it can. Stored values are not asked about, as a
// disk may be missing for a while. It must be called before the settings are used.
func (s *Settings) CheckNew(usable func(key, value string) string) { s.usable = usable }

// OnChange has f called after each change, behind those that were given before.
func (s *Settings) OnChange(f func()) {
	s.puts.Lock()
	defer s.puts.Unlock()
	s.changed = append(s.changed, f)
}

// Open reads the stored values; a stored value that is no longer valid counts as unset.
func Open(ctx context.Context, store Store) (*Settings, error) {
	stored, err := store.Settings(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	s := &Settings{store: store, values: map[string]string{}}
	for key, raw := range stored {
		var value string
		if def, known := lookup(key); known && json.Unmarshal(raw, &value) == nil && def.problem(value) == "" {
			s.values[key] = value
		}
	}
	return s, nil
}

// All returns every key with its value.
func (s *Settings) All() map[string]any {
	out := map[string]any{}
	for _, def := range Table() {
		out[def.Key] = def.value(s.String(def.Key))
	}
	return out
}

// IsSet reports whether the user has set the key.
func (s *Settings) IsSet(key string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.values[key]
	return ok
}

// String returns the value of a key.
func (s *Settings) String(key string) string {
	s.mu.RLock()
	value, ok := s.values[key]
	s.mu.RUnlock()
	if ok {
		return value
	}
	def, _ := lookup(key)
	return def.Default
}

// Bool returns the value of a boolean key.
func (s *Settings) Bool(key string) bool { return s.String(key) == "true" }

// Number returns the value of a number key.
func (s *Settings) Number(key string) float64 {
	n, _ := strconv.ParseFloat(s.String(key), 64) // values are checked when set, defaults by a test
	return n
}

// Words returns the parts of a value, which spaces or commas separate.
func (s *Settings) Words(key string) []string { return words(s.String(key)) }

// Duration returns the value of a duration key; -1 means never.
func (s *Settings) Duration(key string) time.Duration {
	d, err := parseDuration(s.String(key))
	if err != nil { // cannot happen: values are checked when set, defaults by a test
		return -1
	}
	return d
}

// Put merges a flat object of dotted keys; null resets a key. Nothing is stored when one value is invalid.
// Errors: ValidationError with one entry per unknown key or invalid value.
func (s *Settings) Put(ctx context.Context, given map[string]any) error {
	var invalid backend.ValidationError
	changes := map[string]json.RawMessage{}
	texts := map[string]*string{}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		text, field := s.check(key, given[key])
		if field != nil {
			invalid.Fields = append(invalid.Fields, *field)
			continue
		}
		texts[key], changes[key] = text, nil
		if text != nil {
			changes[key], _ = json.Marshal(*text) // a string can always be encoded
		}
	}
	if len(invalid.Fields) > 0 {
		return &invalid
	}
	s.puts.Lock()
	defer s.puts.Unlock()
	if err := s.store.SetSettings(ctx, changes); err != nil {
		return fmt.Errorf("store the settings: %w", err)
	}
	s.mu.Lock()
	for key, text := range texts {
		if text == nil {
			delete(s.values, key)
		} else {
			s.values[key] = *text
		}
	}
	s.mu.Unlock()
	for _, changed := range s.changed {
		changed()
	}
	return nil
}

// check returns the value to store, nil for a reset, or the error.
func (s *Settings) check(key string, value any) (*string, *backend.FieldError) {
	def, known := lookup(key)
	if !known {
		return nil, &backend.FieldError{Loc: []string{"body", key}, Msg: "There is no such setting", Type: "extra_forbidden"}
	}
	if value == nil {
		return nil, nil
	}
	text, invalid := def.text(value)
	if invalid != nil {
		return nil, invalid
	}
	if s.usable != nil && text != s.String(key) {
		if problem := s.usable(key, text); problem != "" {
			return nil, &backend.FieldError{Loc: []string{"body", key}, Msg: problem, Type: "value_error"}
		}
	}
	return &text, nil
}
