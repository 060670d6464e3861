package servicescale

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/audio"
)

// Speaker is a server with OpenAI's speech API that answers every text with the same short tone, without computing anything. The first
// word of a text names the account for which it is spoken. It is safe for concurrent use.
type Speaker struct {
	mu      sync.Mutex
	delay   func() time.Duration
	fault   func() Fault
	running map[string]int
	spoken  int
	twice   []string
}

// NewSpeaker returns a speaker that answers at once.
func NewSpeaker() *Speaker { return &Speaker{running: map[string]int{}} }

// SetDelay makes the speaker wait before each answer.
func (s *Speaker) SetDelay(delay func() time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delay = delay
}

// Fault is what is wrong with an answer of a Speaker.
type Fault int

// The faults.
const (
	NoFault Fault = iota
	Refusal       // status 500
	Noise         // no audio
	Cut           // the connection breaks within the audio
)

// SetFault has each answer be wrong as fault says.
func (s *Speaker) SetFault(fault func() Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = fault
}

// Twice returns the accounts for which two texts were spoken at once.
func (s *Speaker) Twice() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.twice
}

// Spoken returns how many texts were spoken.
func (s *Speaker) Spoken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spoken
}

// ServeHTTP implements http.Handler.
func (s *Speaker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var speech struct{ Input string }
	if err := json.NewDecoder(r.Body).Decode(&speech); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	account, _, _ := strings.Cut(speech.Input, " ")
	delay, fault := s.begin(account)
	defer s.end(account)
	if delay > 0 {
		select {
		case <-time.After(delay):
		case <-r.Context().Done():
			return
		}
	}
	sound := tone
	switch fault {
	case NoFault:
	case Refusal:
		http.Error(w, "out of order", http.StatusInternalServerError)
		return
	case Noise:
		sound = []byte("no audio")
	case Cut:
		w.Header().Set("Content-Length", strconv.Itoa(len(tone)))
		sound = tone[:len(tone)/2]
	}
	w.Header().Set("Content-Type", "audio/wav")
	_, _ = w.Write(sound) // who asked may be gone
}

// begin counts a text and returns how long its answer takes and what is wrong with it.
func (s *Speaker) begin(account string) (delay time.Duration, fault Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[account]++
	if s.running[account] > 1 {
		s.twice = append(s.twice, account)
	}
	if s.delay != nil {
		delay = s.delay()
	}
	if s.fault != nil {
		fault = s.fault()
	}
	return delay, fault
}

func (s *Speaker) end(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spoken++
	if s.running[account]--; s.running[account] == 0 {
		delete(s.running, account)
	}
}

// ToneBytes is the size of the tone of a Speaker in the format pcm_24000.
const ToneBytes = 2 * toneSamples

const (
	toneRate    = 24_000
	toneSamples = toneRate / 10
)

// tone is a tenth of a second of a square wave, as a WAV file.
var tone = func() []byte {
	samples := make([]float32, toneSamples)
	for i := range samples {
		samples[i] = 0.25 * float32(1-2*(i/50%2))
	}
	return audio.PCM16(audio.WAVHeader(toneRate, 1, uint32(2*len(samples))), samples)
}()
