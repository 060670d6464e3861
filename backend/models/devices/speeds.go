package devices

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// newest is the weight of the newest measurement, so that one short text does not change much.
const newest = 0.3

// speeds are seconds of work per second of audio, by model and device, in a small file.
type speeds struct {
	path string
	file sync.Mutex // held to write it

	mu      sync.Mutex
	changed bool
	of      map[string]map[string]float64
}

// read reads the file; after an error nothing was measured.
func (s *speeds) read(path string) (err error) {
	s.path = path
	s.of, err = files.ReadMap[map[string]float64](path)
	return err
}

func (s *speeds) record(model, device string, rtf float64) {
	if rtf <= 0 || math.IsInf(rtf, 0) || math.IsNaN(rtf) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of[model] == nil {
		s.of[model] = map[string]float64{}
	}
	if before := s.of[model][device]; before > 0 {
		rtf = before + newest*(rtf-before)
	}
	s.of[model][device] = rtf
	s.changed = true
}

// forget drops what was measured on a device.
func (s *speeds) forget(model, device string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.of[model][device]; ok {
		delete(s.of[model], device)
		s.changed = true
	}
}

// fastest returns the device on which a model was the fastest, usual if that was not measured.
func (s *speeds) fastest(model, usual string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	best, found := usual, s.of[model][usual]
	if found == 0 {
		return usual
	}
	for device, rtf := range s.of[model] {
		if rtf < found || rtf == found && device < best {
			best, found = device, rtf
		}
	}
	return best
}

// write stores what was measured since the last time. Nothing else waits for the disk.
func (s *speeds) write() error {
	s.file.Lock()
	defer s.file.Unlock()
	raw, err := s.unstored()
	if err != nil || raw == nil {
		return err
	}
	if err := files.Write(s.path, append(raw, '\n'), 0o600); err != nil {
		s.mu.Lock()
		s.changed = true
		s.mu.Unlock()
		return backend.FileError("write the measured speeds", "the data directory", err)
	}
	return nil
}

// unstored returns the content of the file; nil where it has that already.
func (s *speeds) unstored() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.path == "" || !s.changed {
		return nil, nil
	}
	raw, err := json.MarshalIndent(s.of, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode the measured speeds: %w", err)
	}
	s.changed = false
	return raw, nil
}
