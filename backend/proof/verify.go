package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/engines"
)

// Settings are the settings of proof-listening.
type Settings struct {
	Always bool    // also for requests that do not ask for it
	Limit  float64 // the word error rate above which a chunk is made again
	// Model returns the transcription model for a language, and whether the user has named it in the settings.
	Model func(language string) (name string, named bool)
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
		if !generations.CanBeHeard(g) || checked[g.Language] {
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

// errReplaced means that the audio was replaced while it was heard.
var errReplaced = errors.New("the audio was replaced")

// verify hears a generation, stores what was understood, and makes chunks again.
func (s *Service) verify(ctx context.Context, id string, retakes bool) error {
	want := s.o.Verify()
	spoken, err := s.o.Store.Generation(ctx, id)
	if err != nil {
		return err
	}
	model, _ := want.Model(spoken.Language)
	loaded, err := s.o.Models.AcquireTranscriber(ctx, model, nil)
	if err != nil {
		return err
	}
	defer loaded.Release()
	g, verifications, err := s.verifyOnce(ctx, id, loaded)
	for range 2 {
		if !errors.Is(err, errReplaced) {
			break
		}
		g, verifications, err = s.verifyOnce(ctx, id, loaded)
	}
	if err != nil {
		return err
	}
	hear := func(ctx context.Context, c backend.ReceiptChunk, samples []float32) (backend.ChunkVerification, error) {
		return s.hear(ctx, loaded, g.Language, c, samples)
	}
	for n, v := range verifications {
		if !retakes || v.WER <= want.Limit || *cmp.Or(g.Request.CrossfadeMS, new(0)) > 0 {
			continue
		}
		if err := s.o.Takes.Retake(ctx, g, n, want.Limit, hear); err != nil {
			return fmt.Errorf("make a chunk again that was not understood: %w", err)
		}
	}
	return nil
}

// verifyOnce hears a generation and stores what was understood. Error: errReplaced.
func (s *Service) verifyOnce(
	ctx context.Context, id string, loaded *engines.LoadedTranscriber,
) (backend.Generation, []backend.ChunkVerification, error) {
	g, err := s.gens.Changeable(ctx, id)
	if err != nil {
		return g, nil, err
	}
	verifications, err := s.listen(ctx, loaded, g)
	if err != nil {
		return g, nil, err
	}
	g, err = s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), id, func(row *backend.Generation) error {
		if row.Receipt == nil || row.Receipt.AudioSHA256 != g.Receipt.AudioSHA256 {
			return errReplaced
		}
		for n := range row.Receipt.Chunks {
			c := &row.Receipt.Chunks[n]
			c.Verify = &verifications[n]
			c.SetTake(row.Chunks[n].Take, c.ReceiptTake)
		}
		row.Receipt.Verify = &backend.Verification{ModelName: loaded.Model, At: s.o.Now().UTC()}
		row.VerifyError = nil
		row.SetVerification()
		return nil
	})
	return g, verifications, err
}
