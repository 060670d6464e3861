package speech

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
)

// TextRevision is a generation whose text was changed. Reused and Generated are the chunks of the new text, Reused and Removed those
// of the old one.
type TextRevision struct {
	backend.Generation
	Reused    int // chunks that keep their takes
	Generated int // chunks that are spoken
	Removed   int // chunks that are no longer in the text

	Quote *backend.HostedQuote // of the chunks that are spoken; nil for a local voice
}

// revision is the plan of a TextRevision.
type revision struct {
	base   backend.Generation     // as it was when the revision was requested
	from   []int                  // the old chunk that each new one keeps, -1 for one that is spoken
	unpaid []backend.HostedSpeech // what a hosted one pays for
	quote  *backend.HostedQuote   // its price
}

// PlanRevision returns what Revise would do, and changes nothing. Errors: those of Revise, without those of the price.
func (s *Takes) PlanRevision(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
	_, rev, err := s.planRevision(ctx, id, newText, accepted)
	if err != nil {
		return TextRevision{}, err
	}
	return rev.of(s.gens.Overlay(rev.base)), nil
}

// Revise changes the text of a finished generation and returns at once. Only the chunks that are new are spoken; the others keep
// their samples and takes, and the level of the file stays. Until it has ended the stored generation is the former one, which
// also stays when it fails or is cancelled. The former one can be restored once, see UndoText. A hosted one pays only for the new
// chunks; accepted is the price that the user accepts, nil = none was asked.
// Errors: generation_not_found, not_in_progress when it is not finished, is changed already, is a hosted dialogue, or is hosted and
// the audio of its chunks was not kept; audio_missing, those of Submit.
func (s *Takes) Revise(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
	j, rev, err := s.planRevision(ctx, id, newText, accepted)
	if err != nil {
		return TextRevision{}, err
	}
	out := rev.of(rev.base)
	if j.g.Text == rev.base.Text {
		return out, nil
	}
	if _, err := os.Stat(rev.base.AudioPath); errors.Is(err, fs.ErrNotExist) {
		return TextRevision{}, s.replacedOrGone(ctx, rev.base, err)
	}
	if err := s.gens.checkSpeeches(ctx, accepted, rev.unpaid); err != nil {
		return TextRevision{}, err
	}
	if c := s.gens.checkOf(id); c != nil {
		s.gens.cancelCheck(c)
	}
	if err := s.startRevision(ctx, j, rev); err != nil {
		return TextRevision{}, err
	}
	out.Generation = j.snapshot()
	return out, nil
}

// replacedOrGone returns why the audio of a generation, as it was read, is not there.
func (s *Takes) replacedOrGone(ctx context.Context, before backend.Generation, cause error) error {
	now, err := s.o.Store.Generation(ctx, before.ID)
	if err == nil && now.AudioPath != before.AudioPath { // by another take, which was chosen meanwhile
		return errBeingChanged.With("generation_id", before.ID)
	}
	return audioGone(before.ID, cause)
}

var (
	errBeingChanged = backend.E(backend.CodeNotInProgress, "This generation is being changed.", "Wait for the change to finish, or cancel it.")
	errUnfinished   = backend.E(backend.CodeNotInProgress, "Only the text of a finished generation can be changed.",
		"Wait for it to finish, or generate the new text.")
)

// planRevision compares the new text with the old one. The job has the new text.
func (s *Takes) planRevision(ctx context.Context, id, newText string, accepted *int64) (*job, *revision, error) {
	if err := checkText(strings.TrimSpace(newText)); err != nil {
		return nil, nil, err
	}
	g, err := s.o.Store.Generation(ctx, id)
	switch {
	case err != nil:
		return nil, nil, err
	case s.gens.revising(id):
		return nil, nil, errBeingChanged.With("generation_id", id)
	case g.Status != backend.StatusComplete || g.Receipt == nil:
		return nil, nil, errUnfinished.With("generation_id", id)
	}
	var old []string
	for _, c := range g.Receipt.Chunks {
		old = append(old, c.Text)
	}
	r := again(g)
	r.Text, r.Seed = newText, &g.Seed
	if g.Source == backend.SourceHosted {
		r.AcceptCredits, r.former = accepted, old
		return s.planHosted(ctx, g, r)
	}
	j, err := s.gens.prepare(ctx, r, recordedProfile(g))
	if err != nil {
		return nil, nil, err
	}
	if j.plan.pauses != nil && j.plan.crossfade == 0 {
		j.plan.pieces = text.Replan(j.g.Text, j.plan.maxChars, old)
	}
	return j, j.compare(g, old), nil
}

// compare finds the chunks of a generation that are in the plan too, whose takes the job keeps.
func (j *job) compare(base backend.Generation, old []string) *revision {
	j.plan.takes = map[int]backend.ReceiptTake{}
	var texts []string
	for _, piece := range j.plan.pieces {
		if piece.Text != "" {
			texts = append(texts, piece.Text)
		}
	}
	rev := &revision{base: base, from: text.Kept(old, texts)}
	j.plan.seeds = rev.seeds()
	for i, from := range rev.from {
		if from >= 0 {
			j.plan.takes[i] = base.Receipt.Chunks[from].ReceiptTake
		}
		if j.plan.crossfade > 0 && j.g.Text != base.Text { // where chunks overlap, all are spoken again
			rev.from[i] = -1
		}
	}
	return rev
}

// of returns the counts with a generation.
func (rev *revision) of(g backend.Generation) TextRevision {
	out := TextRevision{Generation: g, Generated: rev.spoken(), Quote: rev.quote}
	out.Reused = len(rev.from) - out.Generated
	out.Removed = len(rev.base.Chunks) - out.Reused
	return out
}

// spoken returns how many chunks are spoken.
func (rev *revision) spoken() (n int) {
	for _, from := range rev.from {
		if from < 0 {
			n++
		}
	}
	return n
}

// startRevision queues a revision, or starts it at once if there is nothing to speak.
func (s *Takes) startRevision(ctx context.Context, j *job, rev *revision) error {
	g := rev.base
	g.Status, g.Progress, g.Error, g.ChunksDone, g.ChunksTotal, g.ETASeconds = backend.StatusQueued, 0, nil, 0, rev.spoken(), nil
	newText := j.g.Text
	j.g, j.revises, j.request = g, true, backend.RequestID(ctx)
	work := context.WithoutCancel(ctx)
	end := func() { s.gens.queueOf(j).GiveBack(1) }
	var err error
	if rev.spoken() > 0 {
		err = s.gens.queueOf(j).Reserve(1)
	} else {
		work, end, err = s.gens.begin(work)
	}
	if err != nil {
		return err
	}
	work, j.cancel = context.WithCancel(work)
	j.work = func() error { return s.performRevision(work, j, rev, newText) }
	if j.hosted != nil {
		j.work = func() error { return s.reviseHosted(work, j, rev, newText) }
	}
	j.drop = func(err error) { s.endRevision(j, err) }
	if !s.gens.register(j) {
		j.cancel()
		end()
		return errBeingChanged.With("generation_id", g.ID)
	}
	if rev.base.Error != nil || s.gens.noted(g.ID) != nil { // of an earlier revision
		s.gens.noteFailure(ctx, g.ID, nil)
	}
	s.gens.notify(j.snapshot())
	switch {
	case rev.spoken() == 0:
		go func() {
			defer end()
			j.drop(backend.Contain(j.work))
		}()
	default:
		s.gens.push(work, j)
	}
	return nil
}

// revising reports whether the text of a generation is being changed.
func (s *Service) revising(id string) bool {
	j := s.job(id)
	return j != nil && j.revises
}

// register adds a job to the live ones, unless its generation has one. The job that made the generation may still be ending.
func (s *Service) register(j *job) bool {
	if maker := s.job(j.g.ID); maker != nil && !maker.revises {
		<-maker.done
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for key := range s.live {
		if key == j.g.ID || strings.HasPrefix(key, j.g.ID+"/") {
			return false
		}
	}
	s.live[j.g.ID] = j
	return true
}

// endRevision ends a revision. After a failure the generation is what it was, with the error; after a cancel without.
func (s *Takes) endRevision(j *job, cause error) {
	ctx := backend.WithRequestID(context.WithoutCancel(s.gens.closing), j.request)
	id := j.snapshot().ID
	if cause != nil {
		e := backend.LogFailure(ctx, s.o.Log, cause, "a revision", "id", id)
		if e.Code != backend.CodeCancelled {
			s.gens.noteFailure(ctx, id, e.Failure())
		}
		j.mu.Lock()
		j.err = e
		j.mu.Unlock()
	}
	s.noteCredits(ctx, j)
	row, err := s.o.Store.Generation(ctx, id)
	if err == nil {
		if failure := s.gens.noted(id); failure != nil {
			row.Error = failure
		}
		j.set(func(g *backend.Generation) { *g = row })
	}
	s.gens.forget(j)
	j.cancel()
	j.live.begin(nil)
	if err == nil {
		s.gens.notify(row)
	}
	close(j.done)
}

// noteFailure stores why a revision failed, as soon as it can be stored; nil removes the failure of an earlier one.
func (s *Service) noteFailure(ctx context.Context, id string, failure *backend.Failure) {
	_, err := s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		g.Error = failure
		return nil
	})
	if err == nil || backend.CodeOf(err) == backend.CodeGenerationNotFound {
		s.noteLater(id, nil)
		return
	}
	s.o.Log.Warn("write down why a revision failed, will be tried again", "id", id, "error", err)
	s.noteLater(id, failure)
}

// performRevision runs a revision.
func (s *Takes) performRevision(ctx context.Context, j *job, rev *revision, newText string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	var loaded *engines.Loaded
	if rev.spoken() > 0 {
		var err error
		loaded, err = s.synth.load(ctx, j.plan.voice, func(phase backend.Status) {
			s.gens.notify(j.set(func(g *backend.Generation) { g.Status = phase }))
		})
		if err != nil {
			return err
		}
		defer loaded.Release()
	}
	s.gens.notify(j.set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	if err := s.reviseStored(ctx, j, rev, loaded, newText); err != nil {
		return err
	}
	if *cmp.Or(rev.base.Request.Verify, new(false)) {
		_, err := s.gens.Verify(ctx, []string{rev.base.ID})
		return err
	}
	return nil
}

// reviseStored makes the new version. What it speaks is in a journal until then, so that the same change does not speak it again
// after a failure, a stop or a crash.
func (s *Takes) reviseStored(ctx context.Context, j *job, rev *revision, loaded *engines.Loaded, newText string) error {
	revise := s.reviseChunks
	if j.plan.crossfade > 0 {
		revise = s.reviseOverlapping
	}
	if rev.spoken() == 0 {
		return revise(ctx, j, rev, loaded, nil, newText)
	}
	stored, err := openJournal(s.synth.revisionPath(rev.base), s.o.Now)
	if err != nil {
		return err
	}
	complete := false
	defer func() { s.leaveRevision(j, rev, stored, complete) }()
	err = revise(ctx, j, rev, loaded, stored, newText)
	complete = err == nil
	return err
}

// lockBase locks the files of the generation that a revision changes, and returns it as it is now. The caller calls unlock.
// Errors: generation_not_found, not_in_progress if its audio is no longer that of the request, cancelled.
func (s *Takes) lockBase(ctx context.Context, rev *revision) (now backend.Generation, unlock func(), err error) {
	unlock, err = s.gens.files.lock(ctx, rev.base.ID)
	if err != nil {
		return now, nil, err
	}
	now, err = s.gens.spoken(ctx, rev.base.ID)
	if err == nil && now.Receipt.AudioSHA256 != rev.base.Receipt.AudioSHA256 { // a take was chosen while the request was read
		err = errBeingChanged.With("generation_id", now.ID)
	}
	if err != nil {
		unlock()
		return now, nil, err
	}
	return now, unlock, nil
}

// leaveRevision closes the journal of a revision, which stays for the next one where this one was stopped or failed.
func (s *Takes) leaveRevision(j *job, rev *revision, stored *journal, complete bool) {
	j.mu.Lock()
	keep := !complete && !j.discard && !stored.empty()
	j.mu.Unlock()
	if err := stored.close(keep); err != nil {
		s.o.Log.Warn("close the finished chunks of a revision", "id", j.g.ID, "error", err)
	}
	if !keep {
		s.gens.synth.removeChunks(s.synth.revisionPath(rev.base))
	}
}
