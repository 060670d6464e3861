//go:build keychain

package secrets

import (
	"context"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/secrets/secretstest"
)

// promptService is a Secret Service with one locked item and a prompt, for which no program with windows is needed.
type promptService struct {
	conn    *dbus.Conn
	answer  func(completed func(dismissed bool)) // by the user, when the prompt is shown
	silent  bool                                 // never answers calls
	shown   chan struct{}
	closed  chan struct{} // Dismiss was called
	release chan struct{} // ends silent calls
}

const (
	promptPath = dbus.ObjectPath("/org/freedesktop/secrets/prompt/p1")
	itemPath   = dbus.ObjectPath("/org/freedesktop/secrets/collection/c/1")
)

// startPrompts puts a promptService on the bus of a session.
func startPrompts(t *testing.T, s *secretstest.Session, p *promptService) {
	t.Helper()
	p.conn = s.Connect(t)
	p.shown, p.closed, p.release = make(chan struct{}), make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(p.release) })
	require.NoError(t, p.conn.Export(p, servicePath, iService))
	require.NoError(t, p.conn.Export(p, promptPath, iPrompt))
	require.NoError(t, p.conn.Export(p, itemPath, iItem))
	_, err := p.conn.RequestName(busName, 0)
	require.NoError(t, err)
}

// The methods of the Secret Service API that the tests need.

func (p *promptService) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	if p.silent {
		<-p.release
	}
	return dbus.MakeVariant(""), "/org/freedesktop/secrets/session/s1", nil
}

func (p *promptService) SearchItems(map[string]string) (unlocked, isLocked []dbus.ObjectPath, err *dbus.Error) {
	return []dbus.ObjectPath{}, []dbus.ObjectPath{itemPath}, nil
}

func (p *promptService) Unlock([]dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	return []dbus.ObjectPath{}, promptPath, nil
}

func (p *promptService) GetSecret(session dbus.ObjectPath) (secret, *dbus.Error) {
	return secret{Session: session, Value: []byte("unlocked value"), ContentType: "text/plain"}, nil
}

func (p *promptService) Prompt(string) *dbus.Error {
	close(p.shown)
	if p.answer != nil {
		go p.answer(func(dismissed bool) {
			_ = p.conn.Emit(promptPath, iPrompt+".Completed", dismissed, dbus.MakeVariant([]dbus.ObjectPath{itemPath}))
		})
	}
	return nil
}

func (p *promptService) Dismiss() *dbus.Error {
	close(p.closed)
	return nil
}

func TestUserUnlocksTheKeychain(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	startPrompts(t, s, &promptService{answer: func(completed func(bool)) { completed(false) }})
	value, err := onBus(s, true, patient).get(t.Context(), "item")
	require.NoError(t, err)
	assert.Equal(t, "unlocked value", value)
}

func TestUserDoesNotUnlockTheKeychain(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	startPrompts(t, s, &promptService{answer: func(completed func(bool)) { completed(true) }})
	_, err := onBus(s, true, patient).get(t.Context(), "item")
	requireUnavailable(t, err, "dismissed")
}

func TestNobodyAnswersThePrompt(t *testing.T) {
	t.Parallel()
	s, p := secretstest.Start(t), &promptService{}
	startPrompts(t, s, p)
	l := patient
	l.prompt = 10 * time.Millisecond
	_, err := onBus(s, true, l).get(t.Context(), "item")
	requireUnavailable(t, err, "dismissed")
	<-p.closed
}

func TestCallerLeavesThePrompt(t *testing.T) {
	t.Parallel()
	s, p := secretstest.Start(t), &promptService{}
	startPrompts(t, s, p)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-p.shown
		cancel()
	}()
	_, err := onBus(s, true, patient).get(ctx, "item")
	require.ErrorIs(t, err, context.Canceled)
}

func TestPromptIsNotShownWithoutADesktop(t *testing.T) {
	t.Parallel()
	s, p := secretstest.Start(t), &promptService{}
	startPrompts(t, s, p)
	_, err := onBus(s, false, patient).get(t.Context(), "item")
	requireUnavailable(t, err, "locked")
	select {
	case <-p.shown:
		t.Error("the prompt was shown")
	default:
	}
}

func TestKeychainThatNeverAnswers(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	startPrompts(t, s, &promptService{silent: true})
	l := patient
	l.answer = 20 * time.Millisecond
	for range 20 {
		_, err := onBus(s, true, l).get(t.Context(), "item")
		requireUnavailable(t, err, "timeout")
	}
}
