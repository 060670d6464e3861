package takes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// TakeAudio returns the audio of one take of a chunk (both from 0) as a WAV file, chosen or not, so that takes can be
// compared. Errors: generation_not_found, not_in_progress, ValidationError for an unknown chunk or take, audio_missing for a
// take that is not chosen if chunks overlap, as only their seeds are stored; runtime_missing for a compressed generation
// that must be decoded.
func (s *Service) TakeAudio(ctx context.Context, id string, n, take int) (backend.ExportedFile, error) {
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	defer done()
	g, err := s.gens.Changeable(ctx, id, n)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	if take < 0 || take >= g.Chunks[n].Takes {
		return backend.ExportedFile{}, backend.Invalid("less_than", "Input should be less than "+strconv.Itoa(g.Chunks[n].Takes), "path", "take")
	}
	out := backend.ExportedFile{Name: fmt.Sprintf("%s %d-%d.wav", g.FileName(), n+1, take+1), Close: func() {}}
	if take != g.Chunks[n].Take {
		out.Path = s.files.of(g).file(n, take)
		if _, err := os.Stat(out.Path); err != nil {
			return backend.ExportedFile{}, backend.E(backend.CodeAudioMissing, "This take has no audio file of its own.",
				"Choose it to play it.").With("generation_id", id).WithCause(err)
		}
		return out, nil
	}
	part, err := s.chosenTake(ctx, g, n)
	if err != nil {
		return backend.ExportedFile{}, err
	}
	part.words = nil
	out.Path = filepath.Join(s.synth.TempDir(), s.o.NewID()+".wav")
	out.Close = func() { _ = os.Remove(out.Path) }
	return out, s.writeTake(out.Path, part)
}

// decoded is like Synthesizer.Decoded but uses the master if there is one. It creates none, so listening to a take leaves no files.
func (s *Service) decoded(ctx context.Context, g backend.Generation) (path string, drop func(), err error) {
	if g.Format != backend.FormatWAV {
		master := s.files.of(g).master(g.Receipt.AudioSHA256)
		if _, err := os.Stat(master); err == nil {
			return master, func() {}, nil
		}
	}
	return s.synth.Decoded(ctx, g.AudioPath, g.SampleRate)
}

// TakeSummary describes a take of a chunk.
type TakeSummary struct {
	Seed     int64
	Duration float64      // seconds; 0 without audio
	Peaks    []audio.Peak // none without audio
}

// List returns the takes of a chunk (from 0), each with n peaks of its audio. If chunks overlap, only the chosen one has audio.
// Errors: generation_not_found, not_in_progress, ValidationError for an unknown chunk, audio_missing; runtime_missing for a
// compressed generation that must be decoded.
func (s *Service) List(ctx context.Context, id string, chunk, n int) ([]TakeSummary, error) {
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return nil, err
	}
	defer done()
	g, err := s.gens.Changeable(ctx, id, chunk)
	if err != nil {
		return nil, err
	}
	takes := g.Receipt.Chunks[chunk].AllTakes()
	out := make([]TakeSummary, len(takes))
	for i, t := range takes {
		sound, err := s.takeSamples(ctx, g, chunk, i)
		if err != nil {
			return nil, err
		}
		out[i].Seed = t.Seed
		if frames := sound.Frames(); frames > 0 {
			out[i].Duration, out[i].Peaks = audio.Seconds(int64(frames), sound.Rate), sound.Peaks(n)
		}
	}
	return out, nil
}

// takeSamples returns the audio of a take: its file, else for the chosen one a part of the generation's audio, else none.
func (s *Service) takeSamples(ctx context.Context, g backend.Generation, chunk, take int) (audio.Buffer, error) {
	stored, err := readTake(s.files.of(g).file(chunk, take))
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return stored.Buffer, err
	}
	if take != g.Chunks[chunk].Take {
		return audio.Buffer{}, nil
	}
	part, err := s.chosenTake(ctx, g, chunk)
	return part.Buffer, err
}

// chosenTake returns the chosen take of a chunk, cut out of the audio of the generation.
func (s *Service) chosenTake(ctx context.Context, g backend.Generation, chunk int) (take, error) {
	from, drop, err := s.decoded(ctx, g)
	defer drop()
	if err != nil {
		return take{}, speech.AudioGone(g.ID, err)
	}
	return cut(ctx, g, chunk, from)
}
