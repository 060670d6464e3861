package maker

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
)

var (
	errDialogueText = backend.E(backend.CodeNotInProgress, "The hosted service spoke this dialogue as a whole.",
		"Change the script that it belongs to.")
	errPartsGone = backend.E(backend.CodeNotInProgress, "The audio of single passages of this hosted generation is not on this machine.",
		"Generate the new text, which pays for all of it.")
)

// spentSince returns the credits between two sums, nil where one is unknown.
func spentSince(before, after *int64) *int64 {
	if before == nil || after == nil {
		return nil
	}
	return new(*after - *before)
}

// PlanChange plans a new text of a hosted generation. Passages of which the text stays are never paid again: where their audio was
// not kept, as by earlier versions of the program, the text cannot be changed.
func (s *Maker) PlanChange(
	ctx context.Context, g backend.Generation, r generations.Request,
) (*generations.Job, generations.HostedChange, error) {
	var c generations.HostedChange
	if len(g.Request.Dialogue) > 0 {
		return nil, c, errDialogueText.With("generation_id", g.ID)
	}
	j, err := s.recordedJob(ctx, r, g)
	if err != nil {
		return nil, c, err
	}
	unpaid, err := s.Unpaid(ctx, j.Hosted.Speech)
	if err != nil {
		return nil, c, err
	}
	var texts []string
	for _, t := range j.Hosted.Speech.Texts {
		texts = append(texts, t.Text)
	}
	c.From = text.Kept(r.Former, texts)
	for _, from := range c.From {
		if from >= 0 {
			j.Hosted.Kept++
		}
	}
	if paysKept(c.From, texts, unpaid.Texts) {
		return nil, c, errPartsGone.With("generation_id", g.ID)
	}
	if len(unpaid.Texts) > 0 {
		c.Unpaid = []backend.HostedSpeech{unpaid}
	}
	quote, err := s.o.Client.Quote(ctx, c.Unpaid, r.AcceptCredits)
	c.Quote = &quote
	return j, c, err
}

// paysKept reports whether a change to these texts would pay for one that it keeps.
func paysKept(from []int, texts []string, unpaid []backend.HostedText) bool {
	fresh := map[string]int{}
	for i, t := range texts {
		if from[i] < 0 {
			fresh[t]++
		}
	}
	for _, t := range unpaid {
		if fresh[t.Text]--; fresh[t.Text] < 0 {
			return true
		}
	}
	return false
}

// Change pays for the new parts of a changed text, and makes the file of all parts, which store moves. next is the generation with the
// new audio, without its text and path.
func (s *Maker) Change(
	ctx context.Context, j *generations.Job, from []int,
	store func(file speech.File, next func(now backend.Generation) (backend.Generation, error)) error,
) error {
	st := &hostedStream{s: s, j: j, from: from}
	defer st.close()
	parts, bill, err := s.speakHosted(ctx, j, st)
	if err != nil {
		return err
	}
	if err := st.end(ctx, parts); err != nil {
		return err
	}
	return s.assemble(ctx, j, parts, func(file hostedFile) error {
		return store(file.File, func(now backend.Generation) (backend.Generation, error) {
			return change(j.Hosted, now, file, bill)
		})
	})
}

// change returns a generation with the audio of its changed text.
func change(h *generations.HostedPlan, now backend.Generation, file hostedFile, bill backend.HostedBill) (backend.Generation, error) {
	if file.rate != now.SampleRate || file.channels != now.Channels {
		return now, errMixedParts
	}
	next := now
	next.Duration, next.Chunks, next.Credits = file.seconds(), file.chunks, bill.Credits
	next.Receipt = now.Receipt.Revised(h.Script.End.Milliseconds(), h.Script.Shortened)
	next.Receipt.Chunks = h.ReceiptChunks(now.Seed)
	next.Receipt.Hosted = &backend.HostedReceipt{
		Provider: h.Speech.Voice.Provider, VoiceName: h.Speech.Voice.Name, HostedBill: bill,
		RevisionCredits: spentSince(now.Credits, bill.Credits),
	}
	return next, nil
}

// fetchPaid stores the paid audio of a generation that was not fetched, and pays nothing.
func (s *Maker) fetchPaid(ctx context.Context, j *generations.Job) error {
	bill, err := s.o.Client.FetchPaid(ctx, j.Row.ID)
	j.Hosted.Spent = bill.Credits
	return err
}
