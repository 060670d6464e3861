package takes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// take is the audio of one chunk at the level of its file, with the times of its words from its start.
type take struct {
	audio.Buffer
	words []backend.Word
}

func wordsFile(path string) string { return path + ".json" }

// writeTake writes a take atomically.
func (s *Service) writeTake(path string, t take) error {
	var file bytes.Buffer
	file.Write(audio.PCM16(audio.WAVHeader(t.Rate, t.Channels, uint32(2*len(t.Samples))), t.Samples))
	err := s.synth.WriteFile(path, file.Bytes())
	if err == nil && len(t.words) > 0 {
		var raw []byte
		if raw, err = json.Marshal(t.words); err == nil {
			err = s.synth.WriteFile(wordsFile(path), raw)
		}
	}
	return backend.FileError("write a take", "the data directory", err)
}

func readTake(path string) (t take, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return t, err
	}
	if t.Buffer, err = audio.ReadWAV(bytes.NewReader(raw)); err != nil {
		return t, err
	}
	if raw, err := os.ReadFile(wordsFile(path)); err == nil {
		_ = json.Unmarshal(raw, &t.words) // a take without times can be used
	}
	return t, nil
}

// master returns the path of the uncompressed audio of a generation. A compressed file is decoded once, so that takes do not
// compress it repeatedly.
func (s *Service) master(ctx context.Context, g backend.Generation) (string, error) {
	if g.Format == backend.FormatWAV {
		return g.AudioPath, nil
	}
	dir, err := s.files.make(g)
	if err != nil {
		return "", err
	}
	path := dir.master(g.Receipt.AudioSHA256)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return path, s.o.Encoder.DecodeFile(ctx, g.AudioPath, path, g.SampleRate)
}

// cutTake copies the current audio of a chunk out of the file.
func (s *Service) cutTake(ctx context.Context, g backend.Generation, n int, to string) error {
	from, err := s.master(ctx, g)
	if err != nil {
		return speech.AudioGone(g.ID, err)
	}
	t, err := cut(ctx, g, n, from)
	if err != nil {
		return err
	}
	return s.writeTake(to, t)
}

// edge is how much of the silence around a chunk belongs to its takes, because it holds the fade.
const edge = 5 * time.Millisecond

// edges returns the frames of silence before and after a chunk that belong to its takes. It is none in generations whose pauses
// do not follow the structure of their text.
func edges(g backend.Generation, n int) (before, after int64) {
	end, next := 0.0, g.Duration
	if n > 0 {
		end = g.Chunks[n-1].End
	}
	if n+1 < len(g.Chunks) {
		next = g.Chunks[n+1].Start
	}
	start := audio.Frames(g.Chunks[n].Start, g.SampleRate) - audio.Frames(end, g.SampleRate)
	remaining := audio.Frames(next, g.SampleRate) - audio.Frames(g.Chunks[n].End, g.SampleRate)
	return fades(g, start), fades(g, remaining)
}

// cut returns the current audio of a chunk from the uncompressed audio of its generation.
func cut(ctx context.Context, g backend.Generation, n int, from string) (take, error) {
	c := g.Chunks[n]
	before, after := edges(g, n)
	t := take{words: engines.Shifted(c.Words, audio.Seconds(before, g.SampleRate)-c.Start)}
	t.Rate, t.Channels = g.SampleRate, g.Channels
	start, end := audio.Frames(c.Start, g.SampleRate)-before, audio.Frames(c.End, g.SampleRate)+after
	err := speech.ReadPart(ctx, from, start, end, func(samples []float32) error {
		t.Samples = append(t.Samples, samples...)
		return nil
	})
	if err != nil {
		return take{}, speech.AudioGone(g.ID, err)
	}
	return t, nil
}

// splice puts takes into the file of a generation; all other samples are copied. The caller holds the lock of its files.
func (s *Service) splice(ctx context.Context, g backend.Generation, takes map[int]int) (backend.Generation, error) {
	from, err := s.master(ctx, g)
	if err != nil {
		return g, speech.AudioGone(g.ID, err)
	}
	sp, err := speech.NewSpool(s.synth.TempDir(), g.ID, g.SampleRate, g.Channels)
	if err != nil {
		return g, err
	}
	defer s.synth.Drop(sp)
	joiner := audio.NewJoiner(g.SampleRate, g.Channels, 0, sp.Write)
	old := g
	g.Chunks = slices.Clone(g.Chunks)
	at, moved := int64(0), 0.0
	for n := range g.Chunks {
		c := &g.Chunks[n]
		before, after := edges(old, n)
		start, end := audio.Frames(c.Start, g.SampleRate)-before, audio.Frames(c.End, g.SampleRate)+after
		c.Start, c.End, c.Words = c.Start+moved, c.End+moved, engines.Shifted(c.Words, moved)
		chosen, ok := takes[n]
		if !ok {
			continue
		}
		t, err := readTake(s.files.of(g).file(n, chosen))
		if err != nil {
			return g, speech.AudioGone(g.ID, err)
		}
		if err := copyPart(ctx, joiner, from, at, start); err != nil {
			return g, speech.AudioGone(g.ID, err)
		}
		if err := errors.Join(joiner.Start(), joiner.Write(t.Samples)); err != nil {
			return g, err
		}
		at = end
		length := audio.Seconds(int64(t.Frames())-before-after, g.SampleRate)
		moved += length - (c.End - c.Start)
		c.End, c.Words, c.Take = c.Start+length, engines.Shifted(t.words, c.Start-audio.Seconds(before, g.SampleRate)), chosen
		g.Receipt.Chunks[n].ReceiptTake = g.Receipt.Chunks[n].AllTakes()[chosen]
	}
	if err := copyPart(ctx, joiner, from, at, audio.Frames(g.Duration, g.SampleRate)); err != nil {
		return g, speech.AudioGone(g.ID, err)
	}
	if err := joiner.Close(); err != nil {
		return g, err
	}
	sp.End()
	return s.replaceAudio(ctx, g, sp, speech.Recording{Frames: joiner.Frames(), Measured: speech.Measured{Level: speech.Level{Gain: 1}}})
}

// copyPart joins the frames [from, to) of a WAV file.
func copyPart(ctx context.Context, joiner *audio.Joiner, path string, from, to int64) error {
	if from >= to {
		return nil
	}
	if err := joiner.Start(); err != nil {
		return err
	}
	return speech.ReadPart(ctx, path, from, to, joiner.Write)
}

func asWAV(g backend.Generation) backend.Generation {
	g.Format = backend.FormatWAV
	return g
}
