package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// hostedStream passes the parts of a hosted generation on to a stream as they arrive.
type hostedStream struct {
	s    *Service
	j    *job
	sp   *spool
	next int // the part that comes next
	err  error
}

// add writes a part to the spool, with the silence before it.
func (st *hostedStream) add(ctx context.Context, part int, a backend.HostedAudio) {
	if st.err != nil || part != st.next {
		return
	}
	pause := st.j.hosted.texts()[part].Pause
	st.next++
	st.err = st.s.readHosted(ctx, a, func(rate, channels int, samples []float32) (err error) {
		if st.sp == nil {
			if st.sp, err = newSpool(st.s.TempDir(), st.j.g.ID, rate, channels); err != nil {
				return err
			}
		}
		if rate != st.sp.rate || channels != st.sp.channels {
			return errMixedParts
		}
		if err := silence(pause, rate, channels, st.sp.write); err != nil {
			return err
		}
		pause = 0
		if err := st.sp.write(samples); err != nil {
			return err
		}
		st.j.begin(st.sp)
		return nil
	})
}

// end writes the parts that were not added while they arrived. Without a stream it does nothing.
func (st *hostedStream) end(ctx context.Context, parts []backend.HostedAudio) error {
	if !st.j.streamed {
		return nil
	}
	for i := st.next; i < len(parts); i++ {
		st.add(ctx, i, parts[i])
	}
	if st.err != nil || st.sp == nil {
		return st.err
	}
	if err := silence(st.j.hosted.script.End, st.sp.rate, st.sp.channels, st.sp.write); err != nil {
		return err
	}
	st.sp.end()
	return nil
}

// close releases the spool of the writer; a reader still uses it.
func (st *hostedStream) close() {
	if st.sp != nil {
		st.s.drop(st.sp)
	}
}
