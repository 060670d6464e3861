// Package app is the program: it builds everything, connects it, and starts and stops it.
package app

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backup"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/dictation"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/recordings"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/backend/voiceprints"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx/gpu"
	"github.com/voicewright/voicewright/engines/vad"
)

// Config says where the studio stores its data and who may connect to it.
type Config struct {
	Data         string                 // the data directory
	Models       string                 // the models directory; empty = below Data
	Token        func() (string, error) // of the local API, called when the directory is locked; nil or "" = none is required
	Offline      bool
	AllowOrigins []string
	AllowHosts   []string
	TLS          bool
	Addr         func() net.Addr // the address that the server listens on, once it is known
	UI           fs.FS
	Log          *slog.Logger
	BuiltIn      engines.Speaker         // replaces the built-in voice in tests
	Providers    map[string]gpu.Provider // replaces the GPUs that ONNX Runtime may know in tests
	// AskPassphrase requests the passphrase of the encrypted file for secrets, as secrets.Options.Ask; nil: nobody can be asked.
	AskPassphrase func(ctx context.Context, create bool) (string, bool)
}

// Studio is the running backend with its API, without a listener.
type Studio struct {
	API        *httpapi.API
	token      string
	db         *sqlite.DB
	known      func() ([]registry.Entry, error) // the models of the registry
	hub        *hub.Client
	models     *models.Manager
	speech     *studio.Studio
	books      *books.Service
	recordings *recordings.Service
	profiles   *profiles.Service
	transcribe *transcribe.Service
	voices     *voiceprints.Store // of known speakers
	detector   *vad.Detector
	dictation  *dictation.Service
	hosted     *hostedParts
	settings   *settings.Settings
	builtIn    engines.Speaker
	log        *slog.Logger
	changes    settingsChanges
	restorer   *restorer
	closers    []func(context.Context) error // in the order of opening
}

// Open locks the data directory for this process and builds the studio on it.
// Errors: data_dir_locked, not_permitted, insufficient_disk, database_corrupt, model_corrupt.
func Open(ctx context.Context, c Config) (_ *Studio, err error) {
	lock, err := datadir.Acquire(c.Data)
	if err != nil {
		return nil, err
	}
	s := &Studio{log: c.Log, changes: newSettingsChanges(), known: sync.OnceValues(registry.Load)}
	s.onClose(withoutContext(lock.Release))
	s.inBackground(ctx, func(context.Context) { // while the database opens; an error is returned where the registry is needed
		_ = backend.Contain(func() error {
			_, err := s.known()
			return err
		})
	})
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(ctx))
		}
	}()
	if err := backup.Finish(c.Data); err != nil { // finishes a restore that was interrupted
		return nil, err
	}
	files.SweepOwned(c.Data)                   // it is locked
	_ = os.Remove(datadir.AddressFile(c.Data)) // of a server that was killed; another program may have its port by now
	if c.Token != nil {
		if s.token, err = c.Token(); err != nil {
			return nil, err
		}
	}
	if s.db, err = sqlite.Open(ctx, sqlite.Options{
		Path: filepath.Join(c.Data, datadir.DatabaseFile), Now: time.Now, NewID: newID, Place: place(c.Data),
	}); err != nil {
		return nil, err
	}
	s.onClose(withoutContext(s.db.Close))
	s.restorer = newRestorer(c.Data, s.db)
	if err := s.db.EnsureBuiltIn(ctx, c.builtInLanguage()); err != nil {
		return nil, err
	}
	return s, s.build(ctx, c)
}

// offline reports whether the network must not be used, by the flag or by the current setting.
func (s *Studio) offline(c Config) func() bool {
	return func() bool { return c.Offline || s.settings.Bool(settings.Offline) }
}

// startRetention deletes old history and transcripts while the studio runs, and at once when a setting changes.
func (s *Studio) startRetention(ctx context.Context) {
	// They log errors and panics, and return when ctx ends.
	s.inBackground(ctx,
		func(ctx context.Context) { _ = s.speech.Generations.Archive.Retain(ctx, s.changes.history) },
		func(ctx context.Context) { _ = s.transcribe.Retain(ctx, s.changes.transcripts) },
	)
}

// inBackground runs functions beside the studio, until it is closed; then their context ends. They contain their panics.
func (s *Studio) inBackground(ctx context.Context, functions ...func(ctx context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	for _, f := range functions {
		running.Go(func() { f(ctx) })
	}
	s.onClose(func(context.Context) error {
		cancel()
		running.Wait()
		return nil
	})
}

// settingsChanges announce to each reader that a setting has changed.
type settingsChanges struct{ history, transcripts, dictation chan struct{} }

func newSettingsChanges() settingsChanges {
	return settingsChanges{make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)}
}

func (c settingsChanges) announce() {
	for _, reader := range []chan struct{}{c.history, c.transcripts, c.dictation} {
		select {
		case reader <- struct{}{}:
		default: // a change is announced already
		}
	}
}

// onClose has what was opened closed by Close, before what was opened earlier. The context is that of Close.
func (s *Studio) onClose(f func(context.Context) error) { s.closers = append(s.closers, f) }

// withoutContext returns what closes without a context, for onClose.
func withoutContext(f func() error) func(context.Context) error {
	return func(context.Context) error { return f() }
}

// Close closes what was opened, the last first. Running speech may finish until ctx ends.
func (s *Studio) Close(ctx context.Context) error {
	var errs []error
	for _, f := range slices.Backward(s.closers) {
		errs = append(errs, f(ctx))
	}
	return errors.Join(errs...)
}

// newID returns a UUID version 7, which sorts by time.
func newID() string { return uuid.Must(uuid.NewV7()).String() }
