package generations

import (
	"context"
	"errors"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// Player plays generations that are not complete: running ones, and the finished chunks of one that was stopped or failed. It keeps the
// finished chunks of the generation that was listened to last in a temporary file, joined as in the complete audio, until another one is
// listened to, or the chunks are used or removed.
type Player struct {
	base
	gens *Service

	mu       sync.Mutex
	recalled *Job               // which listeners of finished chunks follow; nil without one
	end      context.CancelFunc // of the work that joins them
}

// audible returns the job whose audio can be heard for a generation: the running one, or its finished chunks up to the first that is
// missing. Errors: generation_not_found, not_in_progress if there is neither, which wraps ErrComplete if it is complete.
func (p *Player) audible(ctx context.Context, id string) (*Job, error) {
	if j := p.gens.jobs.Job(id); j != nil {
		return j, nil
	}
	g, err := p.o.Store.Generation(ctx, id)
	if err != nil {
		return nil, err
	}
	if !g.Status.Ended() || g.Partial == nil {
		return nil, notRunningError(g)
	}
	return p.recall(ctx, g)
}

// ErrComplete is why a complete generation is not heard as a running one.
var ErrComplete = errors.New("the generation is complete")

func notRunningError(g backend.Generation) error {
	err := errNotRunning.With("generation_id", g.ID)
	if g.Status == backend.StatusComplete {
		return err.WithCause(ErrComplete)
	}
	return err
}

var errNotRunning = backend.E(backend.CodeNotInProgress, "This generation is not running.", "Play its audio_url if it is complete.")

func (p *Player) recall(ctx context.Context, g backend.Generation) (*Job, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j := p.recalled; j != nil && j.Row.ID == g.ID && j.failure() == nil {
		return j, nil
	}
	p.drop()
	j, err := p.gens.Makers.recorded(ctx, g)
	if err != nil {
		return nil, err
	}
	work, end, err := p.gens.Begin(p.gens.jobs.Closing())
	if err != nil {
		return nil, err
	}
	work, p.end = context.WithCancel(work)
	p.recalled = j
	go func() {
		defer end()
		err := backend.Contain(func() error { return j.Maker.Replay(work, j) })
		if err != nil {
			p.o.Log.Warn("read the finished chunks of a generation", "id", g.ID, "error", err)
		}
		j.mu.Lock()
		j.err = err
		j.mu.Unlock()
		if j.Live.Sound != nil {
			j.Live.Sound.End()
		}
		j.Live.Begin(nil)
		p.gens.jobs.Finish(j)
	}()
	return j, nil
}

// forget removes the temporary audio of a generation that runs again, or whose chunks are removed.
func (p *Player) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if j := p.recalled; j != nil && j.Row.ID == id {
		p.drop()
	}
}

// drop removes the temporary audio, if there is any. The caller holds the lock.
func (p *Player) drop() {
	j := p.recalled
	if j == nil {
		return
	}
	p.end()
	<-j.Done()
	if j.Live.Sound != nil {
		p.synth.Drop(j.Live.Sound)
	}
	p.recalled = nil
}

// recorded returns the job of an ended generation.
func (m *Makers) recorded(ctx context.Context, g backend.Generation) (*Job, error) {
	if g.Source == backend.SourceLocal {
		return m.local.Recorded(ctx, g)
	}
	if m.hosted == nil {
		return nil, ErrNoHosted
	}
	return m.hosted.Recorded(ctx, g)
}

// close removes the temporary audio.
func (p *Player) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
}
