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
func (s *Service) PlanRevision(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
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
func (s *Service) Revise(ctx context.Context, id, newText string, accepted *int64) (TextRevision, error) {
	j, rev, err := s.planRevision(ctx, id, newText, accepted)
	if err != nil {
		return TextRevision{}, err
	}
	out := rev.of(rev.base)
	if j.Row.Text == rev.base.Text {
		return out, nil
	}
	if _, err := os.Stat(rev.base.AudioPath); errors.Is(err, fs.ErrNotExist) {
		return TextRevision{}, s.replacedOrGone(ctx, rev.base, err)
	}
	if err := s.gens.CheckSpeeches(ctx, accepted, rev.unpaid); err != nil {
		return TextRevision{}, err
	}
	s.gens.CancelCheck(id)
	newText = j.Row.Text
	err = s.gens.Change(ctx, j, rev.base, rev.spoken(), func(ctx context.Context) error {
		if rev.quote != nil {
			return s.reviseHosted(ctx, j, rev, newText)
		}
		return s.performRevision(ctx, j, rev, newText)
	})
	if err != nil {
		return TextRevision{}, err
	}
	out.Generation = j.Snapshot()
	return out, nil
}

// replacedOrGone returns why the audio of a generation, as it was read, is not there.
func (s *Service) replacedOrGone(ctx context.Context, before backend.Generation, cause error) error {
	now, err := s.o.Store.Generation(ctx, before.ID)
	if err == nil && now.AudioPath != before.AudioPath { // by another take, which was chosen meanwhile
		return generations.ErrBeingChanged.With("generation_id", before.ID)
	}
	return speech.AudioGone(before.ID, cause)
}

var errUnfinished = backend.E(backend.CodeNotInProgress, "Only the text of a finished generation can be changed.",
	"Wait for it to finish, or generate the new text.")

// planRevision compares the new text with the old one. The job has the new text.
func (s *Service) planRevision(ctx context.Context, id, newText string, accepted *int64) (*generations.Job, *revision, error) {
	if err := speech.CheckText(strings.TrimSpace(newText)); err != nil {
		return nil, nil, err
	}
	g, err := s.o.Store.Generation(ctx, id)
	switch {
	case err != nil:
		return nil, nil, err
	case s.gens.Revising(id):
		return nil, nil, generations.ErrBeingChanged.With("generation_id", id)
	case g.Status != backend.StatusComplete || g.Receipt == nil:
		return nil, nil, errUnfinished.With("generation_id", id)
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
	j, err := s.gens.Prepare(ctx, r, generations.RecordedProfile(g))
	if err != nil {
		return nil, nil, err
	}
	if j.Plan.Pauses != nil && j.Plan.Crossfade == 0 {
		j.Plan.Pieces = text.Replan(j.Row.Text, j.Plan.MaxChars, old)
	}
	return j, compare(j, g, old), nil
}

// compare finds the chunks of a generation that are in the plan too, whose takes the job keeps.
func compare(j *generations.Job, base backend.Generation, old []string) *revision {
	j.Plan.Takes = map[int]backend.ReceiptTake{}
	var texts []string
	for _, piece := range j.Plan.Pieces {
		if piece.Text != "" {
			texts = append(texts, piece.Text)
		}
	}
	rev := &revision{base: base, from: text.Kept(old, texts)}
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

// performRevision runs a revision.
func (s *Service) performRevision(ctx context.Context, j *generations.Job, rev *revision, newText string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
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
func (s *Service) reviseStored(ctx context.Context, j *generations.Job, rev *revision, loaded *engines.Loaded, newText string) error {
	revise := s.reviseChunks
	if j.Plan.Crossfade > 0 {
		revise = s.reviseOverlapping
	}
	if rev.spoken() == 0 {
		return revise(ctx, j, rev, loaded, nil, newText)
	}
	stored, err := speech.OpenJournal(s.synth.RevisionPath(rev.base), s.o.Now)
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
func (s *Service) lockBase(ctx context.Context, rev *revision) (now backend.Generation, unlock func(), err error) {
	unlock, err = s.gens.Lock(ctx, rev.base.ID)
	if err != nil {
		return now, nil, err
	}
	now, err = s.gens.Complete(ctx, rev.base.ID)
	if err == nil && now.Receipt.AudioSHA256 != rev.base.Receipt.AudioSHA256 { // a take was chosen while the request was read
		err = generations.ErrBeingChanged.With("generation_id", now.ID)
	}
	if err != nil {
		unlock()
		return now, nil, err
	}
	return now, unlock, nil
}

// leaveRevision closes the journal of a revision, which stays for the next one where this one was stopped or failed.
func (s *Service) leaveRevision(j *generations.Job, rev *revision, stored *speech.Journal, complete bool) {
	keep := !complete && !j.Discarded() && !stored.Empty()
	if err := stored.Close(keep); err != nil {
		s.o.Log.Warn("close the finished chunks of a revision", "id", j.Row.ID, "error", err)
	}
	if !keep {
		s.synth.RemoveChunks(s.synth.RevisionPath(rev.base))
	}
}
