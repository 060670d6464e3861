package profiles

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines"
)

// Diarizers has the model that tells voices apart. Errors: model_not_downloaded.
type Diarizers interface {
	DiarizerDownloaded() bool
	AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error)
}

// comparedSeconds is how much of the samples of a profile a new one is compared with.
const comparedSeconds = 60

// hearsVoices returns what tells the voices of a recording apart; nil where its model is not installed.
func (r *recorder) hearsVoices() func(ctx context.Context, mono []float32) ([]samples.Voice, error) {
	if r.o.Diarizers == nil || !r.o.Diarizers.DiarizerDownloaded() {
		return nil
	}
	return r.voices
}

// voices returns what each person says in mono audio at engines.TranscriberRate, without what they say at once.
func (r *recorder) voices(ctx context.Context, mono []float32) ([]samples.Voice, error) {
	model, err := r.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	if err != nil {
		return nil, err
	}
	defer model.Release()
	found, err := model.Diarize(ctx, inMemory(mono), engines.DiarizeOptions{})
	if err != nil {
		return nil, err
	}
	var out []samples.Voice
	for _, alone := range apart(mono, found.Turns) {
		vector, ok, err := model.Print(ctx, alone)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, samples.Voice{Seconds: float64(len(alone)) / engines.TranscriberRate, Print: vector})
		}
	}
	return out, nil
}

// apart returns what each speaker says while nobody else does, joined.
func apart(mono []float32, turns []engines.Turn) (speakers [][]float32) {
	talking := make([]int8, len(mono))
	span := func(t engines.Turn) (from, to int) {
		return int(t.Start * engines.TranscriberRate), min(int(t.End*engines.TranscriberRate), len(mono))
	}
	for _, t := range turns {
		for from, to := span(t); from < to; from++ {
			talking[from] = min(talking[from]+1, 2)
		}
		for len(speakers) <= t.Speaker {
			speakers = append(speakers, nil)
		}
	}
	for _, t := range turns {
		for from, to := span(t); from < to; from++ {
			if talking[from] == 1 {
				speakers[t.Speaker] = append(speakers[t.Speaker], mono[from])
			}
		}
	}
	return speakers
}

// warnOfOtherPerson adds a warning to a new sample of a profile that is of another person than the samples before it, where the model
// that hears that is installed. Error: cancelled.
func (s *sampleStore) warnOfOtherPerson(ctx context.Context, sample *backend.Sample, sound audio.Buffer) error {
	if s.o.Diarizers == nil || !s.o.Diarizers.DiarizerDownloaded() {
		return nil
	}
	w, other, err := s.otherPerson(ctx, sample.ProfileID, sound)
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case err != nil:
		s.o.Log.Warn("compare the voice of a sample with the others", "error", err) // the sample is good without that
	case other:
		sample.Warnings = append(sample.Warnings, w)
	}
	return nil
}

func (s *sampleStore) otherPerson(ctx context.Context, profileID string, sound audio.Buffer) (backend.SampleWarning, bool, error) {
	list, err := s.o.Store.Samples(ctx, profileID)
	if err != nil || len(list) == 0 {
		return backend.SampleWarning{}, false, err
	}
	rules := engines.CloneRules{Longest: comparedSeconds}
	before, err := s.cloning.join(ctx, fitting(list, rules), rules)
	if err != nil {
		return backend.SampleWarning{}, false, err
	}
	model, err := s.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	if err != nil {
		return backend.SampleWarning{}, false, err
	}
	defer model.Release()
	var prints [2][]float32
	for i, b := range []audio.Buffer{before, sound} {
		mono, err := b.MonoAt(ctx, engines.TranscriberRate)
		if err != nil {
			return backend.SampleWarning{}, false, err
		}
		vector, ok, err := model.Print(ctx, mono.Samples)
		if err != nil || !ok {
			return backend.SampleWarning{}, false, err
		}
		prints[i] = vector
	}
	w, other := samples.OfOtherPerson(prints[0], prints[1])
	return w, other, nil
}

// inMemory is sound in memory.
type inMemory []float32

var _ engines.SoundSource = inMemory(nil)

// Samples returns how many there are.
func (s inMemory) Samples() int { return len(s) }

// Read copies the samples from start on.
func (s inMemory) Read(_ context.Context, into []float32, start int) error {
	copy(into, s[start:])
	return nil
}
