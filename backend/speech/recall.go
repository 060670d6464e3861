package speech

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// recalled is the generation, stopped or failed, whose finished chunks somebody listened to last. They are in a temporary file,
// joined as in the complete audio, until another one is heard or its chunks are used or removed.
type recalled struct {
	mu  sync.Mutex
	job *job // which listeners follow; nil without one
}

// audible returns the job whose audio can be heard for a generation: the running one, or its finished chunks up to the first that is
// missing. Errors: generation_not_found, not_in_progress if there is neither, which wraps ErrComplete if it is complete.
func (s *Service) audible(ctx context.Context, id string) (*job, error) {
	if j := s.job(id); j != nil {
		return j, nil
	}
	g, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return nil, err
	}
	if !g.Status.Ended() || g.Partial == nil {
		return nil, notRunning(g)
	}
	return s.recall(ctx, g)
}

// ErrComplete is why a complete generation is not heard as a running one.
var ErrComplete = errors.New("the generation is complete")

func notRunning(g backend.Generation) error {
	err := errNotRunning.With("generation_id", g.ID)
	if g.Status == backend.StatusComplete {
		return err.WithCause(ErrComplete)
	}
	return err
}

var errNotRunning = backend.E(backend.CodeNotInProgress, "This generation is not running.", "Play its audio_url if it is complete.")

func (s *Service) recall(ctx context.Context, g backend.Generation) (*job, error) {
	s.recalled.mu.Lock()
	defer s.recalled.mu.Unlock()
	if j := s.recalled.job; j != nil && j.g.ID == g.ID && j.failure() == nil {
		return j, nil
	}
	s.dropRecalled()
	j, err := s.recallJob(ctx, g)
	if err != nil {
		return nil, err
	}
	work, end, err := s.begin(s.closing)
	if err != nil {
		return nil, err
	}
	work, j.cancel = context.WithCancel(work)
	s.recalled.job = j
	go func() {
		defer end()
		err := backend.Contain(func() error { return s.replayChunks(work, j) })
		if err != nil {
			s.o.Log.Warn("read the finished chunks of a generation", "id", g.ID, "error", err)
		}
		j.mu.Lock()
		j.err = err
		j.mu.Unlock()
		if j.live.sound != nil {
			j.live.sound.end()
		}
		j.live.begin(nil)
		close(j.done)
	}()
	return j, nil
}

// recallJob returns the job of an ended generation, as far as listeners need it.
func (s *Service) recallJob(ctx context.Context, g backend.Generation) (*job, error) {
	if g.Source == backend.SourceHosted {
		j, err := s.maker.recordedJob(ctx, again(g), g)
		if err == nil {
			j.g = g
		}
		return j, err
	}
	j := newJob(g)
	j.plan = levelledAs(g.Request)
	j.plan.voice = voice{model: g.ModelName, engine: g.Engine, id: g.Voice, language: g.Language}
	return j, nil
}

// replayChunks joins the finished chunks of an ended generation for its listeners.
func (s *Service) replayChunks(ctx context.Context, j *job) error {
	if j.hosted != nil {
		return s.maker.replay(ctx, j)
	}
	f, err := os.Open(s.synth.journalPath(j.g.ID))
	if err != nil {
		return backend.FileError("open the finished chunks", "the data directory", err)
	}
	defer func() { _ = f.Close() }()
	stored := &journal{file: f}
	if err := stored.read(); err != nil {
		return backend.FileError("read the finished chunks", "the data directory", err)
	}
	return s.replayJournal(ctx, j, stored)
}

func (s *Service) replayJournal(ctx context.Context, j *job, stored *journal) error {
	segments, rate, channels := stored.first()
	if rate == 0 {
		return nil // they are silent
	}
	sp, err := newSpool(s.synth.TempDir(), j.g.ID, rate, channels)
	if err != nil {
		return err
	}
	j.live.begin(sp)
	t := newTrack(rate, channels, j.plan.crossfade, sp.write)
	for _, seg := range segments {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		if err := stored.replay(seg.Key, t.next(segment{line: seg.Line, asked: seg.Asked, own: seg.Own})); err != nil {
			return err
		}
		if len(t.parts) > 0 && sp.length() > 0 {
			j.live.addSpan(t.lastChunk())
			j.live.letListen()
		}
	}
	return t.end(0)
}

// forgetRecalled removes the temporary audio of a generation that runs again, or whose chunks are removed.
func (s *Service) forgetRecalled(id string) {
	s.recalled.mu.Lock()
	defer s.recalled.mu.Unlock()
	if j := s.recalled.job; j != nil && j.g.ID == id {
		s.dropRecalled()
	}
}

// dropRecalled removes the temporary audio, if there is any. The caller holds the lock.
func (s *Service) dropRecalled() {
	j := s.recalled.job
	if j == nil {
		return
	}
	j.cancel()
	<-j.done
	if j.live.sound != nil {
		s.synth.drop(j.live.sound)
	}
	s.recalled.job = nil
}
