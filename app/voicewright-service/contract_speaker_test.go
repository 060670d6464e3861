package main_test

import (
	"context"
	"math"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// speaker is a provider that remembers what it was asked to speak, and fails or waits on request.
type speaker struct {
	id      service.ProviderID
	started chan string // the first text of each call

	mu    sync.Mutex
	calls []service.Speech
	fail  error
	lost  error         // the answer to Voices
	gate  chan struct{} // while it is there, calls wait until it is closed
}

func newSpeaker(id service.ProviderID) *speaker {
	return &speaker{id: id, started: make(chan string, 1000)}
}

var _ service.Provider = (*speaker)(nil)

func (s *speaker) Voices(context.Context) ([]service.Voice, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lost != nil {
		return nil, s.lost
	}
	var all []service.Voice
	for i, name := range []string{"Ada", "Ben", "Cleo"} {
		all = append(all, service.Voice{
			ID: service.VoiceID(s.id, name), Native: name, Name: name, Gender: []string{"female", "male", "female"}[i], Provider: s.id,
			Accent: []string{"United Kingdom", "United States", ""}[i], Language: []string{"en", "en", "de"}[i],
			Category: []string{"conversational", "narrator", "conversational"}[i],
		})
	}
	return all, nil
}

func (s *speaker) Speak(ctx context.Context, speech service.Speech) (audio.Buffer, error) {
	s.mu.Lock()
	s.calls = append(s.calls, speech)
	gate, fail := s.gate, s.fail
	s.mu.Unlock()
	s.started <- speech.Turns[0].Text
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return audio.Buffer{}, ctx.Err()
		}
	}
	if fail != nil {
		return audio.Buffer{}, fail
	}
	const rate = 24000
	samples := make([]float32, rate/2)
	for i := range samples {
		samples[i] = 0.3 * float32(math.Sin(2*math.Pi*440*float64(i)/rate))
	}
	return audio.Buffer{Samples: samples, Rate: rate, Channels: 1}, nil
}

func (s *speaker) failWith(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// list makes the list of voices fail, or work again.
func (s *speaker) list(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = err
}

// hold makes calls wait until release.
func (s *speaker) hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = make(chan struct{})
}

func (s *speaker) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gate != nil {
		close(s.gate)
		s.gate = nil
	}
}

func (s *speaker) reset() {
	s.release()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls, s.fail = nil, nil
	for len(s.started) > 0 {
		<-s.started
	}
}

// last returns the last call.
func (s *speaker) last(t require.TestingT) service.Speech {
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NotEmpty(t, s.calls, "%s was not called", s.id)
	return s.calls[len(s.calls)-1]
}

func (s *speaker) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls)
}
