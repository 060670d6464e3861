package vad

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/engines"
)

// Trim returns the part of a recording from its first to its last speech with a margin on both sides, in samples at Rate. ok
// is false if there is no speech. Errors are those of Speech.
func (d *Detector) Trim(ctx context.Context, samples []float32, margin time.Duration) (part engines.Span, ok bool, err error) {
	speech, err := d.Speech(ctx, samples)
	if err != nil || len(speech) == 0 {
		return engines.Span{}, false, err
	}
	by := int(margin.Seconds() * Rate)
	return engines.Span{
		Start: max(0, speech[0].Start-by),
		End:   min(len(samples), speech[len(speech)-1].End+by),
	}, true, nil
}
