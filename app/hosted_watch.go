package app

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/secrets"
	"github.com/voicewright/voicewright/backend/settings"
)

// hostedWatch follows the settings of the hosted service.
type hostedWatch struct {
	settings *settings.Settings
	secrets  *secrets.Store
	changed  func()
	log      *slog.Logger
	last     atomic.Pointer[hostedSettings]
	moves    sync.WaitGroup         // of secrets, see leaveFile
	life     func() context.Context // ends with close
	end      context.CancelFunc
}

// hostedSettings are the settings on which the account depends.
type hostedSettings struct {
	baseURL         string
	enabled, fileOK bool
	warn, ask       int64
	login           backend.Login
}

// newHostedWatch returns what follows settings that are as they are now.
func newHostedWatch(s *settings.Settings, stored *secrets.Store, changed func(), log *slog.Logger) *hostedWatch {
	life, end := context.WithCancel(context.Background())
	w := &hostedWatch{settings: s, secrets: stored, changed: changed, log: log, life: func() context.Context { return life }, end: end}
	w.last.Store(new(hostedSettingsOf(s)))
	return w
}

// hostedSettingsOf returns the present values.
func hostedSettingsOf(s *settings.Settings) hostedSettings {
	return hostedSettings{
		baseURL: s.String(settings.HostedURL), enabled: s.Bool(settings.HostedEnabled), fileOK: s.Bool(settings.AllowSecretFile),
		warn: int64(s.Number(settings.HostedWarn)), ask: int64(s.Number(settings.HostedAsk)),
		login: loginOf(s),
	}
}

// settingsChanged announces a change of a setting of the hosted service.
func (w *hostedWatch) settingsChanged() {
	now := hostedSettingsOf(w.settings)
	before := *w.last.Swap(&now)
	if before != now {
		w.changed()
	}
	if before.fileOK && !now.fileOK {
		w.moves.Go(w.leaveFile)
	}
}

// leaveFile moves the secrets to the keychain when the encrypted file is no longer allowed. Where there is no keychain they stay.
func (w *hostedWatch) leaveFile() {
	backend.Protect(w.log, "move secrets", func() {
		if err := w.secrets.Migrate(w.life(), secrets.Keychain); err != nil {
			w.log.Warn("the secrets stay in the encrypted file", "error", err)
		}
		w.changed()
	})
}

// close waits for the secrets that are on their way, until ctx ends.
func (w *hostedWatch) close(ctx context.Context) error {
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		w.moves.Wait()
	}()
	select {
	case <-moved:
	case <-ctx.Done():
	}
	w.end()
	<-moved
	return nil
}
