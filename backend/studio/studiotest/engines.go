package studiotest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// Engine is a fixture with something done before, or instead of, its speaking.
type Engine struct {
	*enginetest.Fixture
	SpeakFunc func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error
}

// Speak calls SpeakFunc.
func (e Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return e.SpeakFunc(ctx, u, emit)
}

// AnyVoice lets a speaker with one voice stand for models with other voices.
type AnyVoice struct{ engines.Speaker }

// Speak speaks with the one voice, whatever voice is asked for.
func (a AnyVoice) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	u.Voice = ""
	return a.Speaker.Speak(ctx, u, emit)
}

// SpeaksOnly returns an engine that speaks these sentences, and waits in every other one until its context ends.
func SpeaksOnly(sentences ...string) Engine {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return Engine{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		if slices.Contains(sentences, u.Text) {
			return f.Speak(ctx, u, emit)
		}
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}}
}

// Gated returns an engine that waits in every chunk until it is opened, or its context ends. entered gets a value for each.
func Gated() (e Engine, entered chan engines.Utterance, open func()) {
	gate := make(chan struct{})
	entered = make(chan engines.Utterance, 1000)
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return Engine{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		entered <- u
		select {
		case <-gate:
			return f.Speak(ctx, u, emit)
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}}, entered, sync.OnceFunc(func() { close(gate) })
}

// Peaky returns a voice of short pulses: its peaks are far above its loudness, as those of the built-in voice are.
func Peaky() Engine {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	return Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		return f.Speak(ctx, u, func(b audio.Buffer) error {
			const period = 200 // frames: 120 Hz
			for i := range b.Samples {
				at := float64(i % period)
				loudness := 0.6 + 0.3*math.Sin(float64(i)/4000+float64(u.Seed%7))
				b.Samples[i] = float32(loudness * math.Exp(-at/14) * math.Sin(0.25*at))
			}
			return emit(b)
		})
	}}
}

// Counting is an engine that counts its calls, and fails where Allow says so.
type Counting struct {
	Engine
	mu     *sync.Mutex
	ByText map[string]int          // the finished calls
	may    func(text string) error // nil = everything
}

// Allow sets what is asked before each call: an error fails it, ErrWait holds it up.
func (c *Counting) Allow(may func(text string) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.may = may
}

// Calls returns how often a text was spoken.
func (c *Counting) Calls(text string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ByText[text]
}

// Total returns how many calls were finished.
func (c *Counting) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, k := range c.ByText {
		n += k
	}
	return n
}

// NewCounting returns an engine that was not called yet.
func NewCounting() *Counting {
	c := &Counting{mu: &sync.Mutex{}, ByText: map[string]int{}}
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	c.Engine = Engine{f, func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		c.mu.Lock()
		may := c.may
		c.mu.Unlock()
		if may != nil {
			err := may(u.Text)
			if errors.Is(err, ErrWait) {
				<-ctx.Done()
			} else if err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := f.Speak(ctx, u, emit); err != nil {
			return err
		}
		c.mu.Lock()
		c.ByText[u.Text]++
		c.mu.Unlock()
		return nil
	}}
	return c
}

// ErrWait makes a Counting wait until its context ends.
var ErrWait = errors.New("wait")

// Failing returns what makes a Counting fail in a passage of Passages or Sentences.
func Failing(passage int) func(string) error {
	return func(text string) error {
		if strings.Contains(text, "the "+Word(passage)+" passage") {
			return backend.E(backend.CodeEngineFailed, "The engine broke.", "Retry it.")
		}
		return nil
	}
}

// BrittleEncoder is an encoder that can be told to fail.
type BrittleEncoder struct {
	studio.Encoder
	Fails  atomic.Bool            // every call
	Before atomic.Pointer[func()] // called once, before it encodes
}

// Encode fails, or calls the encoder.
func (b *BrittleEncoder) Encode(ctx context.Context, from, to, format string, meta map[string]string) error {
	if f := b.Before.Swap(nil); f != nil {
		(*f)()
	}
	if b.Fails.Load() {
		return errors.New("the encoder fell over")
	}
	return b.Encoder.Encode(ctx, from, to, format, meta)
}
