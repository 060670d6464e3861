package scripts

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/speech"
)

// JoinScript makes the file of a script from its current turns. Errors: script_not_found, generation_not_found and
// not_in_progress naming the turn that was deleted or is not finished, audio_missing.
func (s *Service) JoinScript(ctx context.Context, id string) (backend.ScriptWithTurns, error) {
	return s.joinWith(ctx, id, func(*backend.Script) {})
}

// joinWith is JoinScript of a changed row, which is stored together with its file.
func (s *Service) joinWith(ctx context.Context, id string, change func(*backend.Script)) (backend.ScriptWithTurns, error) {
	ctx, end, err := s.gens.Begin(ctx)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	defer end()
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	defer done()
	stored, err := s.o.Store.Script(ctx, id)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	change(&stored)
	out, err := s.oneWithTurns(ctx, stored)
	if err != nil {
		return out, err
	}
	if err := out.CheckTurns(); err != nil {
		return out, err
	}
	path := cmp.Or(stored.AudioPath, s.freePath(stored))
	joined, err := s.writeScript(ctx, out, path)
	if err != nil {
		return out, withScript(err, id)
	}
	out.Script, err = s.o.Store.UpdateScript(ctx, id, func(row *backend.Script) error {
		change(row)
		joined.into(row, path)
		return nil
	})
	if backend.CodeOf(err) == backend.CodeScriptNotFound {
		s.removeScriptFiles(id)
	}
	return out, err
}

// joined is a file of a script.
type joined struct {
	frames int64
	rate   int      // Hz
	turns  []string // SHA-256 of the files that are in it

	receipt backend.ScriptReceipt
}

// into makes it the joined file of a script.
func (j joined) into(row *backend.Script, path string) {
	row.AudioPath, row.Duration, row.SampleRate, row.Joined = path, audio.Seconds(j.frames, j.rate), j.rate, j.turns
	row.Receipt = &j.receipt
}

// writeScript joins the turns at the highest of their rates and replaces the file atomically.
func (s *Service) writeScript(ctx context.Context, script backend.ScriptWithTurns, path string) (out joined, err error) {
	rate, channels := 0, 1
	for _, g := range script.Turns {
		rate, channels = max(rate, g.SampleRate), max(channels, g.Channels)
	}
	levels, err := s.levelVoices(ctx, script, rate, channels)
	if err != nil {
		return out, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return out, backend.FileError("make the folder of scripts", "the data directory", err)
	}
	err = files.ReplaceFrom(s.synth.TempDir(), path, 0o600, func(f *os.File) error {
		w, err := audio.NewWAVWriter(f, rate, channels)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(script.Turns, backend.Generation.Cloned) {
			if err := w.Tag(map[string]string{"comment": backend.SyntheticSpeech(script.Turns...)}); err != nil {
				return err
			}
		}
		out = joined{rate: rate, receipt: levels.receipt}
		err = levels.limiter().Through(rate, channels, func(emit func([]float32) error) (err error) {
			joiner := audio.NewJoiner(rate, channels, 0, emit)
			out.turns, err = s.joinTurns(ctx, script, joiner, levels, rate, channels)
			out.frames = joiner.Frames()
			return err
		}, w.Write)
		return errors.Join(err, w.Close())
	})
	return out, backend.FileError("write the audio", "the data directory", err)
}

// joinTurns joins the turns and returns the SHA-256 of each file.
func (s *Service) joinTurns(
	ctx context.Context, script backend.ScriptWithTurns, joiner *audio.Joiner, levels voiceLevels, rate, channels int,
) (read []string, err error) {
	for i, g := range script.Turns {
		if i > 0 && script.Turns[i-1].ID == g.ID { // a dialogue in one file
			read = append(read, read[i-1])
			continue
		}
		if i > 0 {
			if err := joiner.Pause(time.Duration(script.GapMS) * time.Millisecond); err != nil {
				return nil, err
			}
		}
		if err := joiner.Start(); err != nil {
			return nil, err
		}
		sha256, err := s.readTurn(ctx, g.ID, rate, channels, levels.of(g.ID).Emitting(joiner.Write))
		if err != nil {
			return nil, speech.AudioGone(g.ID, err)
		}
		read = append(read, sha256)
	}
	return read, joiner.Close()
}

// readTurn calls emit with the samples of a generation at a rate, block by block, and returns the SHA-256 of its file. The
// file is locked until the end.
func (s *Service) readTurn(
	ctx context.Context, id string, rate, channels int, emit func([]float32) error,
) (sha256 string, err error) {
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return "", err
	}
	defer done()
	g, err := s.gens.Complete(ctx, id)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(g.AudioPath); err != nil {
		return "", err
	}
	path, drop, err := s.synth.Decoded(ctx, g.AudioPath, g.SampleRate)
	defer drop()
	if err != nil {
		return "", err
	}
	spreading := func(samples []float32) error { return emit(spread(samples, g.Channels, channels)) }
	if g.SampleRate == rate {
		return g.Receipt.AudioSHA256, speech.ReadPart(ctx, path, 0, audio.Frames(g.Duration, rate), spreading)
	}
	return g.Receipt.AudioSHA256, resamplePart(ctx, path, g, rate, spreading)
}

// The seconds that are resampled at a time, and the context on each side, which is longer than the filter.
const (
	resampledSeconds = 10
	resampleMargin   = 1
)

// resamplePart calls emit with the samples of a WAV file at another rate, with flat memory. Whole seconds are whole
// frames at every rate, so the blocks fit together without a seam.
func resamplePart(ctx context.Context, path string, g backend.Generation, rate int, emit func([]float32) error) error {
	total := audio.Frames(g.Duration, g.SampleRate)
	from, channels := int64(g.SampleRate), g.Channels
	for at := int64(0); at < total; at += resampledSeconds * from {
		start, end := max(at-resampleMargin*from, 0), min(at+(resampledSeconds+resampleMargin)*from, total)
		block := audio.Buffer{Rate: g.SampleRate, Channels: channels}
		err := speech.ReadPart(ctx, path, start, end, func(samples []float32) error {
			block.Samples = append(block.Samples, samples...)
			return nil
		})
		if err != nil {
			return err
		}
		samples := block.Resampled(rate).Samples
		samples = samples[int(at-start)/int(from)*rate*channels:]
		if err := emit(samples[:min(resampledSeconds*rate*channels, len(samples))]); err != nil {
			return err
		}
	}
	return nil
}

// spread copies mono samples to several channels; other samples are returned unchanged.
func spread(samples []float32, have, want int) []float32 {
	if have >= want {
		return samples
	}
	out := make([]float32, 0, len(samples)*want)
	for _, x := range samples {
		for range want {
			out = append(out, x)
		}
	}
	return out
}
