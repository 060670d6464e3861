package transcribe

import (
	"context"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// limits are those of the audio of one transcription: small files can hold weeks of silence.
type limits struct {
	hours   float64 // 0 = no limit
	samples int64   // that were taken
	space   *files.Space
}

func (f *folder) newLimits() *limits {
	l := &limits{space: files.NewSpace(f.o.Free, f.o.Dir)}
	if f.o.MaxHours != nil {
		l.hours = f.o.MaxHours()
	}
	return l
}

// take counts samples that are about to be written. Errors: unsupported_media (too_long), insufficient_disk.
func (l *limits) take(ctx context.Context, samples int) error {
	if l.samples += int64(samples); l.hours > 0 && seconds(l.samples) > l.hours*3600 {
		e := audio.TooLong(l.hours)
		e.Remedy = "Use a shorter piece of it, or raise the limit in Settings (audio.max_hours)."
		return e
	}
	return l.space.Use(ctx, 2*int64(samples))
}
