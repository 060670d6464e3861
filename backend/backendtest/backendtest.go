// Package backendtest has helpers for the tests of several packages.
package backendtest

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// RequireCode checks that err has a code, a sentence and a remedy.
func RequireCode(t *testing.T, want backend.Code, err error) {
	t.Helper()
	require.NotNil(t, Failure(t, want, err))
}

// RequireInvalid requires that err is a ValidationError whose first field has this type and this name.
func RequireInvalid(t *testing.T, typ, field string, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, typ, invalid.Fields[0].Type)
	require.Equal(t, field, invalid.Fields[0].Loc[len(invalid.Fields[0].Loc)-1])
}

// Failure returns err, which must have this code, a sentence and a remedy.
func Failure(t *testing.T, want backend.Code, err error) *backend.Error {
	t.Helper()
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, want, e.Code, "%v", err)
	require.NotEmpty(t, e.Detail)
	require.NotEmpty(t, e.Remedy)
	return e
}

// PanicTrigger panics once at the point for which it is set.
type PanicTrigger struct{ point atomic.Value }

// Set sets the point.
func (p *PanicTrigger) Set(point string) { p.point.Store(point) }

// At panics if the trigger is set for this point.
func (p *PanicTrigger) At(point string) {
	if p.point.CompareAndSwap(point, "") {
		panic("on demand in " + point)
	}
}

// Fired reports whether the trigger has panicked since Set.
func (p *PanicTrigger) Fired() bool { return p.point.Load() == "" }

// Log is a log for concurrent writers.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write appends to the log.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String returns the log.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
