package generations

import (
	"context"
	"io"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// Stream is a generation whose audio is read while it runs.
type Stream struct {
	Generation backend.Generation
	Rate       int // Hz
	Channels   int
	player     *Player
	job        *Job
	sound      speech.Sound
	level      speech.Level
}

// Stream accepts a generation and returns when its first samples are available. The caller must call WriteTo or Close.
// Errors: those of Generate.
func (p *Player) Stream(ctx context.Context, r Request) (*Stream, error) {
	j, err := p.gens.submit(ctx, r, true)
	if err != nil {
		return nil, err
	}
	select {
	case <-j.Live.Started:
	case <-ctx.Done():
		p.gens.jobs.Stop(j)
		<-j.Done()
	}
	j.mu.Lock()
	sound := j.Live.Sound
	j.mu.Unlock()
	if sound == nil { // it ended without a sample
		_, err := p.gens.Wait(ctx, j)
		return nil, err
	}
	l, err := j.Maker.Level(ctx, j, nil)
	if err != nil {
		l = speech.Level{Gain: 1}
	}
	st := &Stream{Generation: j.Snapshot(), player: p, job: j, sound: sound, level: l}
	st.Rate, st.Channels = sound.Format()
	return st, nil
}

// WriteTo writes 16-bit little-endian PCM, at the voice's measured level, until the generation has ended.
// When ctx ends or the writer fails before, the generation is cancelled. Errors: why it failed.
func (st *Stream) WriteTo(ctx context.Context, w io.Writer) error {
	err := speech.WritePCM(ctx, w, st.sound, st.level)
	if err != nil {
		st.player.gens.jobs.Stop(st.job)
	}
	<-st.job.Done()
	if failure := st.job.failure(); failure != nil {
		return failure
	}
	return err
}

// Close releases the audio.
func (st *Stream) Close() error { return st.sound.Release() }
