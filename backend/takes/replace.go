package takes

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// replaceAudio writes the spool as the new file of a generation, beside the old one, then updates the row with its
// path, times and receipt in one transaction. A failure leaves file and row unchanged. The caller holds the lock of
// its files.
func (s *Service) replaceAudio(
	ctx context.Context, g backend.Generation, sp *speech.Spool, recording speech.Recording,
) (_ backend.Generation, err error) {
	old, path := g.AudioPath, nextVersion(g.AudioPath)
	note, err := json.Marshal(replacement{g.ID, []string{old, path}})
	if err != nil {
		return g, fmt.Errorf("note the replacement of a file: %w", err)
	}
	if err := s.synth.WriteFile(s.files.replacementFile(g.ID), note); err != nil {
		return g, backend.FileError("note the replacement of a file", "the data directory", err)
	}
	out := g
	defer func() {
		current := g
		if err == nil {
			current = out
		}
		s.files.sweep(ctx, replacement{g.ID, []string{old, path}}, current, backend.CodeOf(err) == backend.CodeGenerationNotFound)
		_ = os.Remove(s.files.replacementFile(g.ID))
	}()
	file, err := s.synth.Render(ctx, g, sp, recording, path)
	if err != nil {
		return g, err
	}
	if g.Format != backend.FormatWAV { // the next take starts from these samples, not from their compressed form
		if _, err := s.synth.Render(ctx, asWAV(g), sp, recording, s.files.of(g).master(file.SHA256)); err != nil {
			return g, err
		}
	}
	out, err = s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), g.ID, func(row *backend.Generation) error {
		row.AudioPath, row.Chunks, row.Duration = path, g.Chunks, audio.Seconds(recording.Frames, g.SampleRate)
		row.Receipt.Chunks, row.Receipt.AudioSHA256 = g.Receipt.Chunks, file.SHA256
		row.Receipt.GainDB, row.Receipt.Level, row.Version = g.Receipt.GainDB, g.Receipt.Level, g.Version
		row.Receipt.Sum()
		row.SetVerification()
		return nil
	})
	if err != nil {
		return g, fmt.Errorf("write down the new takes: %w", err)
	}
	s.gens.Notify(out)
	return out, nil
}

// nextVersion names the file that comes after path: <id>.wav, <id>.1.wav, <id>.2.wav, ...
func nextVersion(path string) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	version := 0
	if number := filepath.Ext(stem); number != "" {
		if n, err := strconv.Atoi(number[1:]); err == nil {
			stem, version = strings.TrimSuffix(stem, number), n
		}
	}
	return stem + "." + strconv.Itoa(version+1) + ext
}
