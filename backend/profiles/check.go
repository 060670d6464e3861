package profiles

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// Check is what a recording is like, without a profile.
type Check struct {
	backend.Sample
	From, To float64 // seconds of the recording that are kept
	Duration float64 // of the recording, as far as it is read
	Peaks    []float32
	Models   []CheckedModel
}

// CheckedModel is a model that clones voices, and why it cannot use a recording.
type CheckedModel struct {
	ModelName   string
	DisplayName string
	Downloaded  bool
	SizeMB      int
	Fits        backend.Fits
	Languages   []string
	Problem     *backend.Failure // nil if it can
}

// Check measures a recording and stores nothing. Errors: those of AddSample but the ones of a profile.
func (s *sampleStore) Check(ctx context.Context, n NewSample) (Check, error) {
	if err := checkTranscript(n.Transcript); err != nil {
		return Check{}, err
	}
	sample, r, err := s.recorder.analyse(ctx, n, "")
	if err != nil {
		return Check{}, err
	}
	sample.ID = ""
	c := Check{Sample: sample, From: r.From, To: r.To, Duration: r.Duration, Peaks: r.Peaks, Models: []CheckedModel{}}
	for _, status := range s.cloning.cloners() {
		m, err := s.cloning.cloner(status.ModelName)
		if err != nil {
			continue // removed meanwhile
		}
		checked := CheckedModel{
			ModelName: m.Name, DisplayName: m.DisplayName, Downloaded: status.Downloaded, SizeMB: status.SizeMB, Fits: status.Fits,
			Languages: m.Languages,
		}
		if r.Seconds <= m.Clones.Over {
			checked.Problem = backend.FailureOf(errTooShort(m, r.Seconds))
		}
		c.Models = append(c.Models, checked)
	}
	return c, nil
}
