package takes

import (
	"bytes"
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// maxRetakes is how often a chunk that is not understood is made again.
const maxRetakes = 2

// verifier transcribes mono samples at engines.TranscriberRate and compares them with a chunk.
type verifier = func(ctx context.Context, c backend.ReceiptChunk, samples []float32) (backend.ChunkVerification, error)

// Retake makes a chunk again with other seeds until it is understood, at most maxRetakes times, and stores the best one if it
// is better than the current take. It ends where another seed changes nothing.
func (s *Service) Retake(ctx context.Context, g backend.Generation, n int, limit float64, verify verifier) error {
	current := g.Receipt.Chunks[n]
	best, last := *current.Verify, s.samplesOf(ctx, g, n)
	var kept *backend.ReceiptTake
	var sound take
	for i := range maxRetakes {
		if best.WER <= limit {
			break
		}
		fresh, t, err := s.speakAgain(ctx, g, n, speech.ChunkSeed(current.Seed, i))
		if err != nil {
			return err
		}
		samples := audio.PCM16(nil, t.Samples)
		if bytes.Equal(samples, last) {
			break
		}
		last = samples
		mono := t.Mono().Resampled(engines.TranscriberRate)
		verification, err := verify(ctx, backend.ReceiptChunk{Text: current.Text, ReceiptTake: fresh}, mono.Samples)
		if err != nil {
			return err
		}
		if verification.WER < best.WER {
			best, sound = verification, t
			fresh.Verify = &verification
			kept = &fresh
		}
	}
	if kept == nil {
		return nil
	}
	done, err := s.gens.Archive.Lock(ctx, g.ID)
	if err != nil {
		return err
	}
	defer done()
	now, err := s.gens.Changeable(ctx, g.ID, n)
	if err != nil || now.Version != g.Version || now.Chunks[n].Take != g.Chunks[n].Take || now.Chunks[n].Takes != g.Chunks[n].Takes {
		return err // the user changed the text, or made or chose another take
	}
	_, err = s.keepTake(ctx, now, n, *kept, sound)
	return err
}

// samplesOf returns the current audio of a chunk as 16-bit samples; nil where it is stored compressed, or cannot be read.
func (s *Service) samplesOf(ctx context.Context, g backend.Generation, n int) []byte {
	if g.Format != backend.FormatWAV {
		return nil
	}
	t, err := cut(ctx, g, n, g.AudioPath)
	if err != nil {
		return nil
	}
	return audio.PCM16(nil, t.Samples)
}

// speakAgain generates a chunk with another seed, in its turn of the queue, and stores nothing.
func (s *Service) speakAgain(
	ctx context.Context, g backend.Generation, n int, seed int64,
) (fresh backend.ReceiptTake, t take, err error) {
	p, err := s.planOf(ctx, g)
	if err != nil {
		return fresh, t, err
	}
	err = s.gens.InTurn(ctx, g.ID, func(ctx context.Context) error {
		loaded, err := s.synth.Load(ctx, p.Voice, nil)
		if err != nil {
			return err
		}
		defer loaded.Release()
		fresh, t, err = s.speakFresh(ctx, p, loaded, g, n, seed)
		return err
	})
	return fresh, t, err
}

// speakFresh generates a take of a chunk, at the level of its file. Without one, as where chunks overlap, only its text and
// seed are returned.
func (s *Service) speakFresh(
	ctx context.Context, p *speech.Plan, loaded *engines.Loaded, g backend.Generation, n int, seed int64,
) (fresh backend.ReceiptTake, t take, err error) {
	voicing, err := s.synth.Voicing(ctx, p.Voice, p.Words, loaded.Info())
	if err != nil {
		return fresh, t, err
	}
	sample, err := s.synth.Sample(ctx, p.Voice, loaded.Info())
	if err != nil {
		return fresh, t, err
	}
	fresh = speech.NewTake(voicing, g.Receipt.Chunks[n].Text, sample, seed)
	if p.Crossfade == 0 {
		t, err = s.speakTake(ctx, p, loaded, g, n, &fresh)
	}
	return fresh, t, err
}
