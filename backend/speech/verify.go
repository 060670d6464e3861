package speech

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/queue"
	"github.com/voicewright/voicewright/engines"
)

// VerifyOptions are the settings of proof-listening.
type VerifyOptions struct {
	Always bool    // also for requests that do not ask for it
	Limit  float64 // the word error rate above which a chunk is made again
	// Model returns the transcription model for a language, and whether the user has named it in the settings.
	Model func(language string) (name string, named bool)
}

// verifier holds the generations that wait to be heard, one by one.
type verifier struct {
	queue *queue.Queue[*check]

	mu     sync.Mutex
	checks map[string]*check // that have not ended, by generation
}

// check is the verification of a generation.
type check struct {
	id      string
	retakes bool            // chunks that are not understood are made again
	ctx     context.Context //nolint:containedctx // of the work, which outlives its request
	cancel  context.CancelFunc
	done    chan struct{}
}

func newVerifier() verifier {
	return verifier{queue: queue.New[*check](math.MaxInt32, "generations", errStopped), checks: map[string]*check{}}
}

// Verify queues finished generations to be heard, and returns how many are: unknown ids, and generations without audio of a
// local voice, are left out. Error: interrupted after Close.
func (s *Service) Verify(ctx context.Context, ids []string) (int, error) {
	rows, err := s.o.Store.GenerationsByID(ctx, ids, true)
	if err != nil {
		return 0, err
	}
	accepted := map[string]bool{}
	for _, g := range rows {
		accepted[g.ID] = canBeHeard(g)
	}
	n := 0
	for _, id := range slices.Compact(slices.Clone(ids)) {
		if !accepted[id] {
			continue
		}
		accepted[id] = false // an id that is listed twice is heard once
		c, fresh := s.expect(id, false)
		if fresh {
			if err := s.enqueueCheck(c); err != nil {
				return n, err
			}
			s.notifyNow(id)
		}
		n++
	}
	return n, nil
}

// canBeHeard reports whether a generation has audio of a local voice.
func canBeHeard(g backend.Generation) bool {
	return g.Status == backend.StatusComplete && g.Source == backend.SourceLocal
}

// VerifierOf returns the transcription model that listens to speech in a language, and whether the user has named it in the settings.
func (s *Service) VerifierOf(language string) (name string, named bool) {
	return s.o.Verify().Model(language)
}

// VerifiersInstalled returns nil where Verify would hear generations without a download. Error: model_not_downloaded.
func (s *Service) VerifiersInstalled(ctx context.Context, ids []string) error {
	rows, err := s.o.Store.GenerationsByID(ctx, ids, true)
	if err != nil {
		return err
	}
	checked := map[string]bool{}
	for _, g := range rows {
		if !canBeHeard(g) || checked[g.Language] {
			continue
		}
		checked[g.Language] = true
		name, _ := s.o.Verify().Model(g.Language)
		if err := s.o.Models.Installed(name); err != nil {
			return err
		}
	}
	return nil
}

// expect registers the verification of a generation, unless there is one already.
func (s *Service) expect(id string, retakes bool) (c *check, fresh bool) {
	s.verifier.mu.Lock()
	defer s.verifier.mu.Unlock()
	if c := s.verifier.checks[id]; c != nil {
		return c, false
	}
	c = &check{id: id, retakes: retakes, done: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(s.closing)
	s.verifier.checks[id] = c
	return c, true
}

// enqueueCheck queues a verification that was expected. Error: interrupted after Close; then it has ended.
func (s *Service) enqueueCheck(c *check) error {
	err := s.verifier.queue.Reserve(1)
	if err == nil && !s.verifier.queue.Push(c) {
		err = errStopped
	}
	if err != nil {
		s.endCheck(c)
	}
	return err
}

// endCheck ends a verification, and publishes the generation as it is now.
func (s *Service) endCheck(c *check) {
	c.cancel()
	s.verifier.mu.Lock()
	delete(s.verifier.checks, c.id)
	s.verifier.mu.Unlock()
	s.notifyNow(c.id)
	close(c.done)
}

// checkOf returns the verification of a generation that has not ended, else nil.
func (s *Service) checkOf(id string) *check {
	s.verifier.mu.Lock()
	defer s.verifier.mu.Unlock()
	return s.verifier.checks[id]
}

// notifyNow publishes a generation as it is stored.
func (s *Service) notifyNow(id string) {
	if g, err := s.o.Store.Generation(context.WithoutCancel(s.closing), id); err == nil {
		s.notify(g)
	}
}

// cancelCheck cancels a verification and waits for its end.
func (s *Service) cancelCheck(c *check) {
	c.cancel()
	if s.verifier.queue.Remove(c) {
		s.endCheck(c)
	}
	<-c.done
}

// runChecks verifies generations until the queue is closed.
func (s *Service) runChecks() {
	for c, ok := s.verifier.queue.Next(); ok; c, ok = s.verifier.queue.Next() {
		s.runCheck(c)
	}
}

// runCheck verifies a generation. A failure is stored with it and changes nothing else: its audio can be used.
func (s *Service) runCheck(c *check) {
	defer s.endCheck(c)
	err := backend.Contain(func() error { return s.verify(c.ctx, c) })
	if err == nil || c.ctx.Err() != nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		return
	}
	e := backend.LogFailure(c.ctx, s.o.Log, err, "proof-listening", "id", c.id)
	_, err = s.o.Store.UpdateGeneration(context.WithoutCancel(c.ctx), c.id, func(g *backend.Generation) error {
		g.VerifyError = e.Failure()
		return nil
	})
	if err != nil {
		s.o.Log.Warn("write down why a generation could not be heard", "id", c.id, "error", err)
	}
}

// errReplaced means that the audio was replaced while it was heard.
var errReplaced = errors.New("the audio was replaced")

// verify hears a generation, stores what was understood, and makes chunks again.
func (s *Service) verify(ctx context.Context, c *check) error {
	want := s.o.Verify()
	spoken, err := s.o.Store.Generation(ctx, c.id)
	if err != nil {
		return err
	}
	model, _ := want.Model(spoken.Language)
	loaded, err := s.o.Models.AcquireTranscriber(ctx, model, nil)
	if err != nil {
		return err
	}
	defer loaded.Release()
	g, heard, err := s.verifyOnce(ctx, c.id, loaded)
	for range 2 {
		if !errors.Is(err, errReplaced) {
			break
		}
		g, heard, err = s.verifyOnce(ctx, c.id, loaded)
	}
	if err != nil {
		return err
	}
	for n, v := range heard {
		if !c.retakes || v.WER <= want.Limit || orPointer(g.Request.CrossfadeMS, 0) > 0 {
			continue
		}
		if err := s.retake(ctx, loaded, g, n, want.Limit); err != nil {
			return fmt.Errorf("make a chunk again that was not understood: %w", err)
		}
	}
	return nil
}

// verifyOnce hears a generation and stores what was understood. Error: errReplaced.
func (s *Service) verifyOnce(
	ctx context.Context, id string, loaded *engines.LoadedTranscriber,
) (backend.Generation, []backend.ChunkVerification, error) {
	g, err := s.finished(ctx, id)
	if err != nil {
		return g, nil, err
	}
	heard, err := s.listen(ctx, loaded, g)
	if err != nil {
		return g, nil, err
	}
	g, err = s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), id, func(row *backend.Generation) error {
		if row.Receipt == nil || row.Receipt.AudioSHA256 != g.Receipt.AudioSHA256 {
			return errReplaced
		}
		for n := range row.Receipt.Chunks {
			c := &row.Receipt.Chunks[n]
			c.Verify = &heard[n]
			c.SetTake(row.Chunks[n].Take, c.ReceiptTake)
		}
		row.Receipt.Verify = &backend.Verification{ModelName: loaded.Model, At: s.o.Now().UTC()}
		row.VerifyError = nil
		row.SetVerification()
		return nil
	})
	return g, heard, err
}
