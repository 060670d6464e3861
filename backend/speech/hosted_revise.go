package speech

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

var (
	errDialogueText = backend.E(backend.CodeNotInProgress, "The hosted service spoke this dialogue as a whole.", "Change the script that it belongs to.")
	errPartsGone    = backend.E(backend.CodeNotInProgress, "The audio of single passages of this hosted generation is not on this machine.",
		"Generate the new text, which pays for all of it.")
)

// planHosted is planRevision for a hosted generation. Passages of which the text stays are never paid again: where their audio was
// not kept, as by earlier versions of the program, the text cannot be changed.
func (s *Service) planHosted(ctx context.Context, g backend.Generation, r Request) (*job, *revision, error) {
	switch {
	case s.o.Hosted == nil:
		return nil, nil, errNoHosted
	case len(g.Request.Dialogue) > 0:
		return nil, nil, errDialogueText.With("generation_id", g.ID)
	}
	j, err := s.recordedJob(ctx, r, g)
	if err != nil {
		return nil, nil, err
	}
	unpaid, err := s.o.Hosted.Unpaid(ctx, j.hosted.speech)
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	for _, t := range j.hosted.speech.Texts {
		texts = append(texts, t.Text)
	}
	rev := &revision{base: g, from: kept(r.former, texts)}
	j.hosted.kept = len(texts) - rev.spoken()
	if rev.pays(texts, unpaid.Texts) {
		return nil, nil, errPartsGone.With("generation_id", g.ID)
	}
	if len(unpaid.Texts) > 0 {
		rev.unpaid = []backend.HostedSpeech{unpaid}
	}
	quote, err := s.o.Hosted.Quote(ctx, rev.unpaid, r.AcceptCredits)
	rev.quote = &quote
	return j, rev, err
}

// pays reports whether a revision to these texts would pay for one that it keeps.
func (rev *revision) pays(texts []string, unpaid []backend.HostedText) bool {
	spoken := map[string]int{}
	for i, t := range texts {
		if rev.from[i] < 0 {
			spoken[t]++
		}
	}
	for _, t := range unpaid {
		if spoken[t.Text]--; spoken[t.Text] < 0 {
			return true
		}
	}
	return false
}

// reviseHosted runs the revision of a hosted generation: it pays for the new parts, and makes the file of all parts.
func (s *Service) reviseHosted(ctx context.Context, j *job, rev *revision, newText string) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	s.notify(j.set(func(g *backend.Generation) { g.Status = backend.StatusGenerating }))
	st := &hostedStream{s: s, j: j, from: rev.from}
	defer st.close()
	parts, bill, err := s.speakHosted(ctx, j, st)
	if err != nil {
		return err
	}
	if err := st.end(ctx, parts); err != nil {
		return err
	}
	return s.assemble(ctx, j, parts, func(file hostedFile) error {
		return s.storeHostedRevision(ctx, j, rev, file, bill, newText)
	})
}

// storeHostedRevision stores the file of a revision as the next version of its generation.
func (s *Service) storeHostedRevision(
	ctx context.Context, j *job, rev *revision, file hostedFile, bill backend.HostedBill, newText string,
) error {
	now, unlock, err := s.lockBase(ctx, rev)
	if err != nil {
		return err
	}
	defer unlock()
	if file.rate != now.SampleRate || file.channels != now.Channels {
		return errMixedParts
	}
	next := now
	next.Text, next.Error, next.Version = newText, nil, now.Version+1
	next.Duration, next.Chunks, next.Credits = file.seconds(), file.chunks, bill.Credits
	next.Receipt = now.Receipt.Revised(j.hosted.script.End.Milliseconds(), j.hosted.script.Shortened)
	next.Receipt.Chunks = j.hosted.receiptChunks(now.Seed)
	next.Receipt.Hosted = &backend.HostedReceipt{
		Provider: j.hosted.speech.Voice.Provider, VoiceName: j.hosted.speech.Voice.Name, HostedBill: bill,
		RevisionCredits: spentSince(now.Credits, bill.Credits),
	}
	return s.storeVersion(ctx, now, next, func(next backend.Generation, _ takesFolder) (string, error) {
		return file.sha256, moveFinished(ctx, file.path, next.AudioPath)
	})
}

// spentSince returns the credits between two sums, nil where one is unknown.
func spentSince(before, after *int64) *int64 {
	if before == nil || after == nil {
		return nil
	}
	return new(*after - *before)
}

// noteCredits stores what the calls of a generation cost, also those of a revision that failed.
func (s *Service) noteCredits(ctx context.Context, j *job) {
	if j.hosted == nil || j.hosted.spent == nil {
		return
	}
	_, err := s.o.Store.UpdateGeneration(ctx, j.snapshot().ID, func(g *backend.Generation) error {
		g.Credits = j.hosted.spent
		return nil
	})
	if err != nil {
		s.o.Log.Warn("write down what a revision cost", "id", j.snapshot().ID, "error", err)
	}
}

// resumeRevision queues the end of a revision that a crash interrupted: audio that is paid is fetched for the next revision. The
// generation stays as it is, with the error of a call whose answer was lost.
func (s *Service) resumeRevision(ctx context.Context, g backend.Generation) error {
	j, err := s.recordedJob(ctx, again(g), g)
	if err != nil {
		return err
	}
	j.g, j.revises = g, true
	j.g.Status, j.g.Error = backend.StatusQueued, nil
	if err := s.hosted.Reserve(1); err != nil {
		return err
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j.cancel = cancel
	j.work = func() error {
		bill, err := s.o.Hosted.FetchPaid(work, g.ID)
		j.hosted.spent = bill.Credits
		return err
	}
	j.drop = func(err error) { s.endRevision(j, err) }
	s.register(j)
	s.push(work, j)
	return nil
}
