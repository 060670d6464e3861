package recordings

import (
	"errors"
	"log/slog"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// fakes is a sound system with one microphone.
type fakes struct {
	mu        sync.Mutex
	mic       *fakeMic
	open      int           // microphones that are not closed
	hang      chan struct{} // Open and List wait for it; nil = they do not
	failing   error         // of Open
	panicking bool          // Open panics
}

func (f *fakes) wait() {
	if f.hang != nil {
		<-f.hang
	}
}

// List implements Microphones.
func (f *fakes) List() ([]backend.AudioDevice, error) {
	f.wait()
	return []backend.AudioDevice{{ID: "desk", Name: "Desk", Default: true}}, nil
}

// Open implements Microphones.
func (f *fakes) Open(_ string, rate int, in Input) (Microphone, error) {
	f.wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.panicking {
		panic("on purpose")
	}
	if f.failing != nil {
		return nil, f.failing
	}
	f.open++
	f.mic = &fakeMic{system: f, rate: rate, in: in}
	return f.mic, nil
}

func (f *fakes) microphone() *fakeMic {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mic
}

func (f *fakes) opened() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open
}

// fakeMic delivers a tone of 1 kHz for as long as it runs, 10 ms at a time.
type fakeMic struct {
	system *fakes
	rate   int
	in     Input

	mu      sync.Mutex
	level   float64 // amplitude, 0 = 0.5
	mute    bool    // delivers nothing, like one that was disconnected
	stop    chan struct{}
	stopped sync.WaitGroup
	failing error // of Start
	at      int
}

// Start implements Microphone.
func (m *fakeMic) Start() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing != nil {
		return m.failing
	}
	stop := make(chan struct{})
	m.stop = stop
	m.stopped.Go(func() {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				m.deliver()
			}
		}
	})
	return nil
}

func (m *fakeMic) deliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.mute {
		return
	}
	level := m.level
	if level == 0 {
		level = 0.5
	}
	samples := make([]float32, m.rate/100)
	for i := range samples {
		samples[i] = float32(level * math.Sin(2*math.Pi*1000*float64(m.at)/float64(m.rate)))
		m.at++
	}
	m.in.Samples(samples)
}

func (m *fakeMic) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// Pause implements Microphone.
func (m *fakeMic) Pause() error {
	m.mu.Lock()
	stop := m.stop
	m.stop = nil
	m.mu.Unlock()
	if stop == nil {
		return nil
	}
	close(stop)
	m.stopped.Wait()
	return nil
}

// Close implements Microphone.
func (m *fakeMic) Close() {
	_ = m.Pause()
	m.system.mu.Lock()
	defer m.system.mu.Unlock()
	m.system.open--
}

// rig is a service with a fake sound system and what it published.
type rig struct {
	*Service
	system *fakes

	mu        sync.Mutex
	published []backend.Recording
	statuses  []backend.RecordingStatus // those published as new
}

func newRig(t *testing.T, dir string, system *fakes) *rig {
	t.Helper()
	r := &rig{system: system}
	s, err := New(Options{
		Dir: dir, Microphones: system, NewID: uuid.NewString, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Notify: func(now backend.Recording, changed bool) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.published = append(r.published, now)
			if changed {
				r.statuses = append(r.statuses, now.Status)
			}
		},
	})
	require.NoError(t, err)
	r.Service = s
	return r
}

func (r *rig) seen() ([]backend.Recording, []backend.RecordingStatus) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.published, r.statuses
}

var errBroken = errors.New("broken")
