package recordings

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	// CaptureRate is the rate of captured samples in Hz, which speech recognition needs.
	CaptureRate = 16_000
	// MaxCapture is when a capture ends by itself.
	MaxCapture = 10 * time.Minute
)

// Capture is a recording in memory, of which nothing is written to disk.
type Capture struct {
	session *session
	memory  *memorySink
}

// Capture starts a recording into memory: one channel at CaptureRate, at most MaxCapture. An empty device is the system's
// default. It must be stopped. Errors: recording_busy, no_audio_device.
func (s *Service) Capture(ctx context.Context, device string) (*Capture, error) {
	memory := &memorySink{}
	r := backend.Recording{ID: s.opts.NewID(), Purpose: backend.RecordDictation, Device: device}
	started, err := s.start(ctx, plan{recording: r, rate: CaptureRate, limit: MaxCapture, create: func() (sink, error) { return memory, nil }})
	if err != nil {
		return nil, err
	}
	return &Capture{session: started, memory: memory}, nil
}

// Samples returns what was recorded so far. The slice does not change afterwards.
func (c *Capture) Samples() []float32 { return c.memory.all() }

// Level returns the RMS level and the peak of the last moment, in dB below full scale.
func (c *Capture) Level() (level, peak float64) {
	r := c.session.view()
	return r.LevelDB, r.PeakDB
}

// Done is closed when the capture has ended, also by itself: at MaxCapture, or when the microphone was disconnected.
func (c *Capture) Done() <-chan struct{} { return c.session.done }

// Stop ends the capture and closes the microphone; Samples is complete afterwards. The error is why the capture had ended
// before, such as no_audio_device; what was recorded until then is in Samples.
func (c *Capture) Stop(ctx context.Context) error {
	r, err := c.session.move(ctx, backend.RecordingStopped)
	if err != nil {
		return err
	}
	if f := r.Error; f != nil {
		return f.Err()
	}
	return nil
}
