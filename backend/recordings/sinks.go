package recordings

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// fileSink writes a WAV file that can be read at any time: until it is closed its header says that the samples go to the end.
type fileSink struct {
	file *os.File
	wav  *audio.WAVWriter
}

func createFile(path string) (*fileSink, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fileError("create a recording", err)
	}
	w, err := audio.NewWAVWriter(f, SampleRate, 1)
	if err != nil {
		return nil, errors.Join(fileError("create a recording", err), f.Close(), os.Remove(path))
	}
	return &fileSink{f, w}, nil
}

func (s *fileSink) write(samples []float32) error {
	return fileError("write a recording", s.wav.Write(samples))
}

func (s *fileSink) close() error {
	return fileError("close a recording", firstError(s.wav.Close(), files.Sync(s.file), s.file.Close()))
}

func (s *fileSink) discard() error { return firstError(s.file.Close(), os.Remove(s.file.Name())) }

func fileError(op string, err error) error { return backend.FileError(op, "the data directory", err) }

// repair writes the sizes into the header of a file whose recording was ended by a crash.
func repair(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("repair a recording: %w", err)
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	if err != nil {
		return fmt.Errorf("repair a recording: %w", err)
	}
	if _, err := f.WriteAt(audio.WAVHeader(info.Rate, 1, uint32(2*info.Frames)), 0); err != nil {
		return fmt.Errorf("repair a recording: %w", err)
	}
	return nil
}

// seconds returns the duration of a recorded file.
func seconds(path string) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	if err != nil {
		return 0, err
	}
	return float64(info.Frames) / float64(info.Rate), nil
}

// memorySink holds samples in memory.
type memorySink struct {
	mu      sync.Mutex
	samples []float32
}

func (m *memorySink) write(samples []float32) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.samples = append(m.samples, samples...)
	return nil
}

func (m *memorySink) close() error { return nil }

func (m *memorySink) discard() error { return nil }

// all returns the samples so far. They do not change afterwards, because samples are only appended.
func (m *memorySink) all() []float32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.samples[:len(m.samples):len(m.samples)]
}
