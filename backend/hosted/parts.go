package hosted

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Parts stores the paid calls of generations; package sqlite implements it.
type Parts interface {
	// AddHostedPart stores a call that is about to be made and sets its Seq. Error: generation_not_found.
	AddHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error)
	// UpdateHostedPart stores what is known of a call now. Error: generation_not_found.
	UpdateHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error)
	// HostedParts returns the calls of a generation, the oldest first.
	HostedParts(ctx context.Context, generationID string) ([]backend.HostedPart, error)
	// HostedPartsIn returns the calls in one of these states, the oldest first.
	HostedPartsIn(ctx context.Context, states ...backend.HostedState) ([]backend.HostedPart, error)
	// DeleteHostedParts forgets the calls of a generation.
	DeleteHostedParts(ctx context.Context, generationID string) error
}

// running is what happens to the parts of generations.
type running struct {
	mu        sync.Mutex
	speaking  map[string]bool  // the generations of Speak
	recovered bool             // the calls of the program's last run are marked
	lost      map[int64]string // calls whose answers were lost when the program ended last, and their generations
}

// begin marks a generation as being spoken; false if it is already.
func (r *running) begin(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.speaking[id] {
		return false
	}
	if r.speaking == nil {
		r.speaking = map[string]bool{}
	}
	r.speaking[id] = true
	return true
}

func (r *running) end(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.speaking, id)
}

// wasLost reports whether the answer of a call was lost when the program ended last.
func (r *running) wasLost(seq int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost[seq] != ""
}

// partsDir returns the folder of the audio of a generation's parts.
func (s *Service) partsDir(generationID string) string {
	return filepath.Join(s.o.Dir, "audio", "hosted", generationID)
}

// Pending returns the generations whose audio is paid and was not fetched, and those with a call whose answer was lost when the
// program ended last: Speak with FetchOnly completes them or returns why it cannot.
func (s *Service) Pending(ctx context.Context) ([]string, error) {
	if err := s.Recover(ctx); err != nil {
		return nil, err
	}
	answered, err := s.o.Parts.HostedPartsIn(ctx, backend.HostedAnswered)
	if err != nil {
		return nil, err
	}
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	ids := slices.Collect(maps.Values(s.running.lost))
	for _, p := range answered {
		if !s.running.speaking[p.GenerationID] {
			ids = append(ids, p.GenerationID)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Recover marks the calls that were under way when the program ended as lost, and removes audio of which no call is known. It
// makes no call of the service. Later calls of it do nothing.
func (s *Service) Recover(ctx context.Context) error {
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	if s.running.recovered {
		return nil
	}
	sent, err := s.o.Parts.HostedPartsIn(ctx, backend.HostedSent)
	if err != nil {
		return err
	}
	s.running.lost = map[int64]string{}
	for _, p := range sent {
		if s.running.speaking[p.GenerationID] {
			continue
		}
		p.State = backend.HostedLost
		if err := s.updatePart(ctx, p); err != nil {
			return err
		}
		s.running.lost[p.Seq] = p.GenerationID
	}
	s.running.recovered = true
	if err := s.forgetRequests(ctx); err != nil {
		return err
	}
	return s.sweepParts(ctx)
}

// updatePart stores what changed about a call, unless its generation was deleted meanwhile.
func (s *Service) updatePart(ctx context.Context, p backend.HostedPart) error {
	_, err := s.o.Parts.UpdateHostedPart(ctx, p)
	if backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return nil
	}
	return err
}

// forgetRequests removes the texts of lost calls that can't be asked for any more.
func (s *Service) forgetRequests(ctx context.Context) error {
	lost, err := s.o.Parts.HostedPartsIn(ctx, backend.HostedLost)
	if err != nil {
		return err
	}
	for _, p := range lost {
		if p.Request == "" || !s.isOld(p) {
			continue
		}
		p.Request = ""
		if err := s.updatePart(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// sweepParts removes the audio that no call has any more, and what is left of downloads.
func (s *Service) sweepParts(ctx context.Context) error {
	entries, err := os.ReadDir(s.partsDir(""))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return backend.FileError("list the audio of hosted parts", "the data directory", err)
	}
	for _, e := range entries {
		if s.running.speaking[e.Name()] {
			continue
		}
		parts, err := s.o.Parts.HostedParts(ctx, e.Name())
		if err != nil {
			return err
		}
		if err := sweepFolder(s.partsDir(e.Name()), parts); err != nil {
			s.o.Log.WarnContext(ctx, "remove the audio of hosted parts", "error", err)
		}
	}
	return nil
}

// sweepFolder removes all files of a folder that are not the audio of these calls, and the folder if there are none.
func sweepFolder(folder string, parts []backend.HostedPart) error {
	if len(parts) == 0 {
		return files.RemoveAll(folder)
	}
	used := map[string]bool{}
	for _, p := range parts {
		used[filepath.Base(p.File)] = true
	}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !used[e.Name()] {
			err = errors.Join(err, os.Remove(filepath.Join(folder, e.Name())))
		}
	}
	return err
}

// Forget removes the calls of a generation and their audio.
func (s *Service) Forget(ctx context.Context, generationID string) error {
	if !filepath.IsLocal(generationID) {
		return fmt.Errorf("forget hosted parts: the id %q", generationID)
	}
	err := s.o.Parts.DeleteHostedParts(ctx, generationID)
	return errors.Join(err, backend.FileError("remove the audio of hosted parts", "the data directory",
		files.RemoveAll(s.partsDir(generationID))))
}
