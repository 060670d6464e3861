package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/s3"
)

// audioPlace is where --files has the audio.
type audioPlace struct {
	folder      string     // empty where it is in an object store
	objects     s3.Address // of the store
	credentials s3.Credentials
}

// audio returns where --files has the audio.
func (s options) audio() (audioPlace, error) {
	switch {
	case strings.HasPrefix(s.files, "s3:"):
		return s.objectStore()
	case s.files == "" || strings.Contains(s.files, "://"):
		return audioPlace{}, usagef("--files must be a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST, not %q", withoutPassword(s.files))
	case s.filesCredentials != "":
		return audioPlace{}, usagef("--files-credentials is for an object store; leave it out, or give " +
			"--files s3://BUCKET/PREFIX?endpoint=https://HOST")
	}
	dir, err := filepath.Abs(s.files)
	if err != nil {
		return audioPlace{}, usagef("--files: %w", err)
	}
	return audioPlace{folder: dir}, nil
}

func (s options) objectStore() (p audioPlace, err error) {
	if p.objects, err = s3.Parse(s.files); err != nil {
		return p, usagef("--files %w", err)
	}
	if p.credentials, err = s3.ReadCredentials(s.filesCredentials, os.Getenv); err != nil {
		return p, usagef("--files-credentials: %w", err)
	}
	return p, nil
}

// local reports whether the audio is on this machine.
func (p audioPlace) local() bool { return p.folder != "" || p.objects.Local() }

// open opens the audio files; closeFiles ends what they began.
func (p audioPlace) open(log *slog.Logger) (files service.Files, closeFiles func() error, err error) {
	if p.folder != "" {
		files, err = folder.Open(p.folder)
		return files, func() error { return nil }, err
	}
	store, err := s3.Open(s3.Options{Address: p.objects, Credentials: p.credentials, Log: log})
	if err != nil {
		return nil, nil, err
	}
	return store, store.Close, nil
}

// openFiles opens the audio files for the service. An object store is prepared in the background.
func (p *runningService) openFiles(ctx context.Context, place audioPlace, log *slog.Logger) (service.Files, error) {
	if place.folder != "" {
		if err := makeFolder(place.folder); err != nil {
			return nil, err
		}
	}
	files, closeFiles, err := place.open(log)
	if err != nil {
		return nil, err
	}
	p.onClose(closeFiles)
	if store, ok := files.(*s3.Store); ok {
		ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
		prepared := make(chan struct{})
		go func() {
			defer close(prepared)
			backend.Protect(log, "prepare the store of files", func() { store.Prepare(ctx) })
		}()
		p.onClose(func() error {
			cancel()
			<-prepared
			return nil
		})
	}
	return files, nil
}

// remove removes audio and returns the names of what was there: --files may name another place than that of the service.
func (p audioPlace) remove(ctx context.Context, names []string) (removed []string, err error) {
	if _, err := os.Stat(p.folder); p.folder != "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	files, closeFiles, err := p.open(slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeFiles()) }()
	for _, name := range names {
		content, _, err := files.Open(ctx, name)
		if errors.Is(err, service.ErrNotFound) {
			continue
		}
		if err == nil {
			err = errors.Join(content.Close(), files.Delete(ctx, name))
		}
		if err != nil {
			return removed, err
		}
		removed = append(removed, name)
	}
	return removed, nil
}
