package enginetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// FixtureTranscriber is a small transcription engine for the tests of other packages. It emits a segment for each begun
// second of audio, "Second 1." and so on, unless its options say otherwise.
type FixtureTranscriber struct {
	options TranscriberOptions
	runs    atomic.Int64
	closed  atomic.Bool
}

// TranscriberOptions change what a FixtureTranscriber does.
type TranscriberOptions struct {
	Language string // detected; empty means en
	// Texts returns the segments; nil: one a second.
	Texts func(samples []float32, o engines.TranscribeOptions) ([]backend.Segment, error)
	// Before is called before the segment with this number, from 0; may be nil.
	Before func(ctx context.Context, o engines.TranscribeOptions, number int) error
}

var _ engines.Transcriber = (*FixtureTranscriber)(nil)

// NewTranscriber returns a FixtureTranscriber.
func NewTranscriber(o TranscriberOptions) *FixtureTranscriber { return &FixtureTranscriber{options: o} }

// Info returns the description of the fixture.
func (*FixtureTranscriber) Info() engines.Info {
	return engines.Info{
		Engine: "fixture-transcriber", SampleRate: engines.TranscriberRate, Channels: 1, Languages: []string{"en", "de"},
		Reproducible: true, Concurrency: 1, Device: "cpu", Threads: 1,
	}
}

// Transcribe emits the segments of samples.
func (f *FixtureTranscriber) Transcribe(
	ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	if f.closed.Load() {
		return "", backend.ErrCancelled.WithCause(errors.New("transcribe: the fixture is closed"))
	}
	f.runs.Add(1)
	texts := f.options.Texts
	if texts == nil {
		texts = seconds
	}
	segments, err := texts(samples, o)
	if err != nil {
		return "", err
	}
	for i, s := range segments {
		if f.options.Before != nil {
			if err := f.options.Before(ctx, o, i); err != nil {
				return "", err
			}
		}
		if err := ctx.Err(); err != nil {
			return "", backend.ErrCancelled.WithCause(err)
		}
		if err := emit(s); err != nil {
			return "", err
		}
		if o.Progress != nil {
			o.Progress(float64(i+1) / float64(len(segments)))
		}
	}
	return cmp.Or(o.Language, f.options.Language, "en"), nil
}

// Runs returns the number of calls of Transcribe.
func (f *FixtureTranscriber) Runs() int { return int(f.runs.Load()) }

// Closed reports whether Close was called.
func (f *FixtureTranscriber) Closed() bool { return f.closed.Load() }

// Close makes every later Transcribe fail.
func (f *FixtureTranscriber) Close() error {
	f.closed.Store(true)
	return nil
}

// seconds returns a segment for each begun second, with two words when words are requested.
func seconds(samples []float32, o engines.TranscribeOptions) ([]backend.Segment, error) {
	var out []backend.Segment
	for from := 0; from < len(samples); from += engines.TranscriberRate {
		to := min(from+engines.TranscriberRate, len(samples))
		out = append(out, backend.Segment{
			ID: len(out), Text: fmt.Sprintf("Second %d.", len(out)+1), Words: []backend.HeardWord{},
			Start: float64(from) / engines.TranscriberRate, End: float64(to) / engines.TranscriberRate,
		})
		if s := &out[len(out)-1]; o.Words {
			middle := (s.Start + s.End) / 2
			s.Words = []backend.HeardWord{
				{Word: "Second", Start: s.Start, End: middle, Probability: 1},
				{Word: fmt.Sprintf("%d.", s.ID+1), Start: middle, End: s.End, Probability: 1},
			}
		}
	}
	return out, nil
}
