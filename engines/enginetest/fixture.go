package enginetest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// Fixture is a small speech engine for the tests of other packages: it emits a tone for each sentence, whose pitch
// depends on text, voice and seed, and whose length on the number of characters and the speed. It is instant and
// deterministic.
type Fixture struct {
	options FixtureOptions
	spoken  atomic.Int64
	closed  atomic.Bool
}

// FixtureOptions change what a Fixture does; the zero value speaks at once with one voice at 24,000 Hz.
type FixtureOptions struct {
	SampleRate int             // Hz; 0 means 24,000
	Voices     []engines.Voice // nil means one voice "0"
	Delay      time.Duration   // before each emit; ends with the context
	Fail       error           // returned instead of the emit with the number FailAfter
	Block      bool            // wait until the context ends instead of the emit with the number FailAfter
	FailAfter  int             // emits that go well, for Fail and Block
}

var _ engines.Speaker = (*Fixture)(nil)

// NewFixture returns a Fixture.
func NewFixture(o FixtureOptions) *Fixture {
	if o.SampleRate == 0 {
		o.SampleRate = 24000
	}
	if o.Voices == nil {
		o.Voices = []engines.Voice{{ID: "0", Name: "Tone", Language: "en"}}
	}
	return &Fixture{options: o}
}

// Info returns the description of the fixture: speeds from 0.5 to 2, eight callers.
func (f *Fixture) Info() engines.Info {
	return engines.Info{
		Engine: "fixture", SampleRate: f.options.SampleRate, Channels: 1,
		Languages: []string{"en"}, Voices: f.options.Voices, MinSpeed: 0.5, MaxSpeed: 2,
		Reproducible: true, Concurrency: 8, Device: "cpu", Threads: 1,
		Runtimes: map[string]string{"fixture": "1"},
	}
}

// Speak emits one buffer per sentence (ended by . ! or ?).
func (f *Fixture) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if f.closed.Load() {
		return backend.ErrCancelled.WithCause(errors.New("speak: the fixture is closed"))
	}
	voice, err := f.voice(u.Voice)
	if err != nil {
		return err
	}
	sentences := split(u.Text)
	if len(sentences) == 0 {
		return backend.E(backend.CodeNothingToSpeak, "The text has nothing that can be spoken.", "Write a word.")
	}
	f.spoken.Add(1)
	for i, s := range sentences {
		if err := f.pause(ctx, i); err != nil {
			return err
		}
		if err := emit(f.tone(s, voice, u)); err != nil {
			return err
		}
	}
	return nil
}

// Spoken returns the number of calls of Speak that had something to say.
func (f *Fixture) Spoken() int { return int(f.spoken.Load()) }

// Closed reports whether Close was called.
func (f *Fixture) Closed() bool { return f.closed.Load() }

// Close makes every later Speak fail.
func (f *Fixture) Close() error {
	f.closed.Store(true)
	return nil
}

func (f *Fixture) voice(id string) (string, error) {
	for i, v := range f.options.Voices {
		if v.ID == id || (id == "" && i == 0) {
			return v.ID, nil
		}
	}
	return "", backend.E(backend.CodeNotFound, fmt.Sprintf("The voice %q does not exist.", id), "Choose another voice.")
}

// pause waits or fails before the emit with number i, as the options say.
func (f *Fixture) pause(ctx context.Context, i int) error {
	if i >= f.options.FailAfter {
		if f.options.Block {
			<-ctx.Done()
		}
		if f.options.Fail != nil {
			return f.options.Fail
		}
	}
	if f.options.Delay > 0 {
		timer := time.NewTimer(f.options.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	return nil
}

func (f *Fixture) tone(sentence, voice string, u engines.Utterance) audio.Buffer {
	speed := u.Speed
	if speed <= 0 {
		speed = 1
	}
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s|%s|%d", sentence, voice, u.Seed)
	step := 2 * math.Pi * (200 + float64(h.Sum32()%800)) / float64(f.options.SampleRate)
	seconds := 0.05 * float64(len([]rune(sentence))) / speed
	samples := make([]float32, int(seconds*float64(f.options.SampleRate)))
	for i := range samples {
		samples[i] = float32(0.5 * math.Sin(step*float64(i)))
	}
	return audio.Buffer{Samples: samples, Rate: f.options.SampleRate, Channels: 1}
}

// split cuts a text into its sentences and drops those without a letter or digit.
func split(text string) []string {
	var out []string
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".!?\n", r) }) {
		if s = strings.TrimSpace(s); strings.IndexFunc(s, speakable) >= 0 {
			out = append(out, s)
		}
	}
	return out
}

func speakable(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
