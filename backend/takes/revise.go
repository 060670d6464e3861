package takes

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
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

// revision is the plan of a TextRevision, and carries it out.
type revision struct {
	service *Service
	job     *generations.Job       // shows the generation while it is changed
	base    backend.Generation     // as it was when the revision was requested
	text    string                 // the new one
	from    []int                  // the old chunk that each new one keeps, -1 for one that is spoken
	unpaid  []backend.HostedSpeech // what a hosted one pays for
	quote   *backend.HostedQuote   // its price, nil for a local voice
}

// PlanRevision returns what Revise would do, and changes nothing. Errors: those of Revise, without those of the price.
func (s *Service) PlanRevision(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
	rev, err := s.planRevision(ctx, id, newText, accepted)
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
func (s *Service) Revise(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
	rev, err := s.planRevision(ctx, id, newText, accepted)
	if err != nil {
		return TextRevision{}, err
	}
	out := rev.of(rev.base)
	if rev.text == rev.base.Text {
		return out, nil
	}
	if _, err := os.Stat(rev.base.AudioPath); errors.Is(err, fs.ErrNotExist) {
		return TextRevision{}, s.errReplaced(ctx, rev.base, err)
	}
	if err := s.gens.Makers.CheckSpeeches(ctx, accepted, rev.unpaid); err != nil {
		return TextRevision{}, err
	}
	s.gens.Checks.Cancel(id)
	if err := s.gens.Change(ctx, rev.job, rev.base, rev.spoken(), rev.perform); err != nil {
		return TextRevision{}, err
	}
	out.Generation = rev.job.Snapshot()
	return out, nil
}

// errReplaced returns why the audio of a generation, as it was read, is not there.
func (s *Service) errReplaced(ctx context.Context, before backend.Generation, cause error) error {
	now, err := s.o.Store.Generation(ctx, before.ID)
	if err == nil && now.AudioPath != before.AudioPath { // by another take, which was chosen meanwhile
		return generations.ErrBeingChanged.With("generation_id", before.ID)
	}
	return speech.AudioGone(before.ID, cause)
}

var errUnfinished = backend.E(backend.CodeNotInProgress, "Only the text of a finished generation can be changed.",
	"Wait for it to finish, or generate the new text.")

// planRevision compares the new text with the old one.
func (s *Service) planRevision(ctx context.Context, id, newText string, accepted *int64) (*revision, error) {
	if err := speech.CheckText(strings.TrimSpace(newText)); err != nil {
		return nil, err
	}
	g, err := s.o.Store.Generation(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case s.gens.Revising(id):
		return nil, generations.ErrBeingChanged.With("generation_id", id)
	case g.Status != backend.StatusComplete || g.Receipt == nil:
		return nil, errUnfinished.With("generation_id", id)
	}
	var old []string
	for _, c := range g.Receipt.Chunks {
		old = append(old, c.Text)
	}
	r := generations.Again(g)
	r.Text, r.Seed = newText, &g.Seed
	if g.Source == backend.SourceHosted {
		r.AcceptCredits, r.Former = accepted, old
		return s.planHosted(ctx, g, r)
	}
	j, err := s.gens.Makers.Prepare(ctx, r, generations.RecordedProfile(g))
	if err != nil {
		return nil, err
	}
	if j.Plan.Pauses != nil && j.Plan.Crossfade == 0 {
		j.Plan.Pieces = text.Replan(j.Row.Text, j.Plan.MaxChars, old)
	}
	return s.compare(j, g, old), nil
}

// compare returns the revision to the text of a job, which keeps the takes of the chunks of base that are in its plan too.
func (s *Service) compare(j *generations.Job, base backend.Generation, old []string) *revision {
	j.Plan.Takes = map[int]backend.ReceiptTake{}
	var texts []string
	for _, piece := range j.Plan.Pieces {
		if piece.Text != "" {
			texts = append(texts, piece.Text)
		}
	}
	rev := &revision{service: s, job: j, base: base, text: j.Row.Text, from: text.Kept(old, texts)}
	j.Plan.Seeds = rev.seeds()
	for i, from := range rev.from {
		if from >= 0 {
			j.Plan.Takes[i] = base.Receipt.Chunks[from].ReceiptTake
		}
		if j.Plan.Crossfade > 0 && j.Row.Text != base.Text { // where chunks overlap, all are spoken again
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

// perform changes the text.
func (rev *revision) perform(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if rev.quote != nil {
		return rev.performHosted(ctx)
	}
	s, j := rev.service, rev.job
	var loaded *engines.Loaded
	if rev.spoken() > 0 {
		var err error
		loaded, err = s.synth.Load(ctx, j.Plan.Voice, func(phase backend.Status) {
			s.gens.Notify(j.Set(func(g *backend.Generation) { g.Status = phase }))
		})
		if err != nil {
			return err
		}
		defer loaded.Release()
	}
	s.gens.Notify(j.Set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	if err := rev.performLocal(ctx, loaded); err != nil {
		return err
	}
	if *cmp.Or(rev.base.Request.Verify, new(false)) {
		_, err := s.gens.Checks.Verify(ctx, []string{rev.base.ID})
		return err
	}
	return nil
}

// performLocal makes the new version with a model, which is nil where there is nothing to speak. What it speaks is in a journal until
// then, so that the same change does not speak it again after a failure, a stop or a crash.
func (rev *revision) performLocal(ctx context.Context, loaded *engines.Loaded) error {
	perform := rev.joinPassages
	if rev.job.Plan.Crossfade > 0 {
		perform = rev.speakOverlapping
	}
	if rev.spoken() == 0 {
		return perform(ctx, loaded, nil)
	}
	stored, err := journal.Open(rev.service.synth.RevisionPath(rev.base), rev.service.o.Now)
	if err != nil {
		return err
	}
	complete := false
	defer func() { rev.closeJournal(stored, complete) }()
	err = perform(ctx, loaded, stored)
	complete = err == nil
	return err
}

// lockBase locks the files of the generation that a revision changes, and returns it as it is now. The caller calls unlock.
// Errors: generation_not_found, not_in_progress if its audio is no longer that of the request, cancelled.
func (rev *revision) lockBase(ctx context.Context) (now backend.Generation, unlock func(), err error) {
	gens := rev.service.gens
	unlock, err = gens.Archive.Lock(ctx, rev.base.ID)
	if err != nil {
		return now, nil, err
	}
	now, err = gens.Complete(ctx, rev.base.ID)
	if err == nil && now.Receipt.AudioSHA256 != rev.base.Receipt.AudioSHA256 { // a take was chosen while the request was read
		err = generations.ErrBeingChanged.With("generation_id", now.ID)
	}
	if err != nil {
		unlock()
		return now, nil, err
	}
	return now, unlock, nil
}

// closeJournal closes the journal of a revision, which stays for the next one where this one was stopped or failed.
func (rev *revision) closeJournal(stored *journal.Journal, complete bool) {
	s, j := rev.service, rev.job
	keep := !complete && !j.Discarded() && !stored.Empty()
	if err := stored.Close(keep); err != nil {
		s.o.Log.Warn("close the finished chunks of a revision", "id", j.Row.ID, "error", err)
	}
	if !keep {
		s.synth.RemoveChunks(s.synth.RevisionPath(rev.base))
	}
}
