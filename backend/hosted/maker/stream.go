package maker

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// hostedStream passes the parts of a hosted generation on to its stream and listeners as they arrive.
type hostedStream struct {
	s    *Maker
	j    *generations.Job
	from []int // the old part that each part of a changed text keeps, -1 for a new one; nil for a first generation
	sp   *speech.Spool
	next int // the part that comes next
	err  error
}

// add writes a part to the spool, with the silence before it. Where it cannot be decoded, as without ffmpeg, what follows is not
// heard before the file is there.
func (st *hostedStream) add(ctx context.Context, part int, a backend.HostedAudio) {
	if st.err != nil || part != st.next {
		return
	}
	pause, start := st.j.Hosted.Texts()[part].Pause, int64(-1)
	st.next++
	st.err = st.s.readHosted(ctx, a, func(rate, channels int, samples []float32) (err error) {
		if st.sp == nil {
			if st.sp, err = speech.NewSpool(st.s.synth.TempDir(), st.j.Row.ID, rate, channels); err != nil {
				return err
			}
			st.j.Live.Begin(st.sp)
		}
		if rate != st.sp.Rate || channels != st.sp.Channels {
			return errMixedParts
		}
		if start < 0 {
			if err := audio.Silence(pause, rate, channels, st.sp.Write); err != nil {
				return err
			}
			start = st.sp.Length()
		}
		if err := st.sp.Write(samples); err != nil {
			return err
		}
		st.hear(part, start)
		return nil
	})
}

// hear lets listeners hear the samples of a part that begins at a frame; those of a changed text wait for its first new part.
func (st *hostedStream) hear(part int, start int64) {
	span := speech.Span{Line: part, Start: start, End: st.sp.Length()}
	if st.from != nil {
		span.Text = st.j.Hosted.Texts()[part].Text
	}
	st.j.Live.AddSpan(span)
	switch {
	case st.from == nil:
		st.j.Live.ListenFrom(st.sp, 0)
	case st.from[part] < 0:
		st.j.Live.ListenFrom(st.sp, start)
	}
}

// end writes the parts that were not added while they arrived. Only a stream needs them.
func (st *hostedStream) end(ctx context.Context, parts []backend.HostedAudio) error {
	for i := st.next; st.j.Live.Streamed && i < len(parts); i++ {
		st.add(ctx, i, parts[i])
	}
	if st.err != nil && st.j.Live.Streamed {
		return st.err
	}
	if st.err != nil || st.sp == nil {
		return nil //nolint:nilerr // the file is made without it
	}
	if err := audio.Silence(st.j.Hosted.Script.End, st.sp.Rate, st.sp.Channels, st.sp.Write); err != nil {
		return err
	}
	st.sp.End()
	return nil
}

// close releases the spool of the writer; a reader still uses it.
func (st *hostedStream) close() {
	if st.sp != nil {
		st.s.synth.Drop(st.sp)
	}
}

// Replay lets listeners hear the parts of an ended generation that are stored.
func (s *Maker) Replay(ctx context.Context, j *generations.Job) error {
	parts, err := s.o.Client.Received(ctx, j.Hosted.Speech)
	st := &hostedStream{s: s, j: j}
	for i, part := range parts {
		st.add(ctx, i, part)
	}
	return errors.Join(err, st.err)
}
