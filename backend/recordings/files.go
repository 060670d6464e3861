package recordings

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// unusedAfter is the age at which a start removes a recording that nothing has claimed.
const unusedAfter = 24 * time.Hour

// path returns the file of a recording. Its name has the purpose, so that a start can remove the audio of dictation.
func (s *Service) path(r backend.Recording) string {
	return filepath.Join(s.opts.Dir, string(r.Purpose)+"-"+r.ID+".wav")
}

// find returns the file of a recording and its purpose. Names are compared with those in the folder, so an id never leads out
// of it. Error: not_found.
func (s *Service) find(id string) (string, backend.RecordingPurpose, error) {
	entries, err := os.ReadDir(s.opts.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", fileError("list recordings", err)
	}
	for _, e := range entries {
		for _, purpose := range backend.RecordingPurposes {
			if e.Name() == string(purpose)+"-"+id+".wav" {
				return filepath.Join(s.opts.Dir, e.Name()), purpose, nil
			}
		}
	}
	return "", "", errNotFound.With("id", id)
}

// stored returns a recording of a former run of the program.
func (s *Service) stored(id string) (backend.Recording, error) {
	path, purpose, err := s.find(id)
	if err != nil {
		return backend.Recording{}, err
	}
	duration, err := seconds(path)
	if err != nil {
		return backend.Recording{}, fileError("read a recording", err)
	}
	return backend.Recording{
		ID: id, Status: backend.RecordingStopped, Purpose: purpose, Seconds: duration, LevelDB: silenceDB, PeakDB: silenceDB,
	}, nil
}

// File returns the path of a recording's audio, which is a WAV file and readable while it grows. Error: not_found.
func (s *Service) File(_ context.Context, id string) (string, error) {
	path, _, err := s.find(id)
	return path, err
}

// RecordingFile returns the path of the audio of a recording that has ended, for what uses it. Errors: not_found,
// recording_busy while it is running.
func (s *Service) RecordingFile(ctx context.Context, id string) (string, error) {
	if _, ok := s.running(id); ok {
		return "", errRunning.With("id", id)
	}
	return s.File(ctx, id)
}

// remove deletes the file of a recording. Error: not_found.
func (s *Service) remove(id string) error {
	path, _, err := s.find(id)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return fileError("delete a recording", err)
	}
	s.forget(id)
	return nil
}

func (s *Service) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ended, id)
}

// tidy removes recordings that nothing has claimed and those of dictation, and repairs what a crash left.
func (s *Service) tidy() error {
	entries, err := os.ReadDir(s.opts.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fileError("list recordings", err)
	}
	for _, e := range entries {
		path := filepath.Join(s.opts.Dir, e.Name())
		info, err := e.Info()
		if err != nil {
			continue // removed meanwhile
		}
		old := s.opts.Now().Sub(info.ModTime()) > unusedAfter
		if old || strings.HasPrefix(e.Name(), string(backend.RecordDictation)+"-") {
			err = os.Remove(path)
		} else {
			err = repair(path)
		}
		if err != nil {
			s.opts.Log.Warn("a recording could not be tidied", "error", err)
		}
	}
	return nil
}
