package maker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
)

// Run speaks a job with the hosted service.
func (s *Maker) Run(ctx context.Context, j *generations.Job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	clock := speech.Stopwatch{Now: s.o.Now, Last: s.o.Now(), Seconds: map[string]float64{}}
	if err := s.gens.Move(ctx, j, func(g *backend.Generation) { g.Status = backend.StatusGenerating }); err != nil {
		return err
	}
	st := &hostedStream{s: s, j: j}
	defer st.close()
	parts, bill, err := s.speakHosted(ctx, j, st)
	if err != nil {
		return err
	}
	if err := st.end(ctx, parts); err != nil {
		return err
	}
	clock.Lap("speak")
	return s.assemble(ctx, j, parts, func(file hostedFile) error {
		path := s.gens.Archive.Path(j.Row)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return backend.FileError("make the audio directory", "the data directory", err)
		}
		if err := speech.MoveFinished(ctx, file.Path, path); err != nil {
			return err
		}
		file.Path = path
		clock.Lap("write")
		return s.completeHosted(ctx, j, file, bill, clock.Seconds)
	})
}

// speakHosted returns the audio of all parts. Its progress is published.
func (s *Maker) speakHosted(ctx context.Context, j *generations.Job, st *hostedStream) ([]backend.HostedAudio, backend.HostedBill, error) {
	h := j.Hosted
	want := h.Speech
	want.Stored = func(part int, a backend.HostedAudio) {
		j.Stored(len(h.Texts()), hostedSeconds(a))
		st.add(ctx, part, a)
	}
	parts, bill, err := s.o.Client.Speak(ctx, want, func(done, total int, wait *backend.Wait) {
		s.gens.Notify(j.Set(func(g *backend.Generation) {
			done, total := max(0, done-h.Kept), total-h.Kept
			g.ChunksDone, g.ChunksTotal, g.Wait = done, total, wait
			if total > 0 {
				g.Progress = max(g.Progress, 0.95*float64(done)/float64(total))
			}
		}))
	})
	h.Spent = bill.Credits
	switch {
	case ctx.Err() != nil:
		return nil, bill, errCancelledCall(err).WithCause(errors.Join(ctx.Err(), err))
	case err != nil:
		return nil, bill, err
	case len(parts) != len(h.Texts()):
		return nil, bill, fmt.Errorf("the hosted service spoke %d of %d parts", len(parts), len(h.Texts()))
	}
	h.From = nil
	for _, p := range parts {
		h.From = append(h.From, p.From)
	}
	return parts, bill, nil
}

// errCancelledCall words a cancel, after which a call ended with err.
func errCancelledCall(err error) *backend.Error {
	if backend.CodeOf(err) != backend.CodeHostedAnswerLost {
		return backend.ErrCancelled
	}
	remedy := "Check your credits. If you start it again, this part is sent again."
	if backend.AsError(err).Params["reason"] == backend.HostedRepeat {
		remedy = "If you start it again within 24 hours, its answer is asked for, and this part is not charged twice."
	}
	return backend.E(backend.CodeCancelled, "The work was cancelled during a call of the hosted service, which may have been charged.", remedy)
}

// completeHosted stores the finished generation with its receipt in one transaction. Its parts stay for a change of its text.
func (s *Maker) completeHosted(
	ctx context.Context, j *generations.Job, file hostedFile, bill backend.HostedBill, spent map[string]float64,
) error {
	h := j.Hosted
	err := s.gens.Move(ctx, j, func(g *backend.Generation) {
		g.Status, g.Progress, g.Partial = backend.StatusComplete, 1, nil
		g.AudioPath, g.Duration, g.SampleRate, g.Channels = file.Path, file.seconds(), file.rate, file.channels
		g.Chunks, g.Credits = file.chunks, bill.Credits
		g.Receipt = &backend.Receipt{
			AppVersion: s.o.Version, Engine: backend.HostedEngine, ModelName: g.ModelName, ModelFiles: []backend.FileHash{},
			Voice: g.Voice, Language: g.Language, Seed: g.Seed, Speed: g.Speed, Parameters: parameters(h, g.Format),
			Shortened: h.Script.Shortened, Chunks: h.ReceiptChunks(g.Seed), Device: hostedDevice, Runtimes: map[string]string{},
			AudioSHA256: file.SHA256, Seconds: spent,
			Hosted: &backend.HostedReceipt{Provider: h.Speech.Voice.Provider, VoiceName: h.Speech.Voice.Name, HostedBill: bill},
		}
		g.Receipt.Sum()
	})
	if err != nil {
		if row, err := s.o.Store.Generation(context.WithoutCancel(ctx), j.Row.ID); err != nil || row.AudioPath != file.Path {
			_ = os.Remove(file.Path) // no row names it; the parts are still there
		}
		return fmt.Errorf("complete the generation: %w", err)
	}
	return nil
}

// Forget removes the parts of a deleted generation.
func (s *Maker) Forget(ctx context.Context, id string) {
	err := backend.Contain(func() error { return s.o.Client.Forget(context.WithoutCancel(ctx), id) })
	if err != nil {
		s.o.Log.Warn("remove the parts of a hosted generation", "id", id, "error", err)
	}
}

// parameters returns the options that were sent, for the receipt.
func parameters(h *generations.HostedPlan, format string) map[string]any {
	o := h.Speech.Options
	all := map[string]any{"format": format, "response_format": o.ResponseFormat, "pause_end_ms": h.Script.End.Milliseconds()}
	for name, value := range map[string]any{
		"stability": o.Stability, "similarity_boost": o.SimilarityBoost,
		"speaker_boost": o.SpeakerBoost, "language_override": o.LanguageOverride,
	} {
		switch v := value.(type) {
		case *float64:
			if v != nil {
				all[name] = *v
			}
		case *bool:
			if v != nil {
				all[name] = *v
			}
		}
	}
	return all
}

// Spoken returns what is sent to the hosted service.
func (s *Maker) Spoken(ctx context.Context, j *generations.Job) (generations.Spoken, error) {
	receipt := backend.Receipt{Chunks: j.Hosted.ReceiptChunks(j.Row.Seed)}
	receipt.Sum()
	out := generations.Spoken{
		Spoken: receipt.SpokenText, Dropped: receipt.DroppedTags, Sentences: []string{}, Chunks: []string{},
		Shortened: append([]string{}, j.Hosted.Script.Shortened...), Pauses: []generations.Pause{},
	}
	for i, c := range receipt.Chunks {
		for _, sentence := range text.Sentences(c.Text) {
			out.Sentences = append(out.Sentences, strings.TrimSpace(sentence))
		}
		out.Chunks = append(out.Chunks, c.Text)
		if c.PauseMS > 0 {
			out.Pauses = append(out.Pauses, generations.Pause{Chunk: i, Seconds: float64(c.PauseMS) / 1000, Break: c.Break})
		}
	}
	if end := j.Hosted.Script.End; end > 0 {
		out.Pauses = append(out.Pauses, generations.Pause{Chunk: len(receipt.Chunks), Seconds: end.Seconds(), Break: speech.MarkupBreak})
	}
	out.Seconds = s.gens.Previews.Estimate(ctx, j, out.Spoken, out.Pauses)
	return out, nil
}
