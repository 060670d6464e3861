package takes

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// loudness is how loud some audio is: its mean energy, relative to that at 0 LUFS, and its length in frames.
type loudness struct {
	energy float64
	frames int64
}

// loudnessOf returns the loudness of spans of samples, which is none if they are too short or too quiet to measure.
func loudnessOf(ctx context.Context, passages []passage) (loudness, error) {
	var meter *audio.Meter
	var n int64
	for _, p := range passages {
		if meter == nil {
			meter = audio.NewMeter(p.source.Rate, p.source.Channels)
		}
		err := p.source.Read(ctx, p.start, p.end, func(samples []float32) error {
			meter.Write(samples)
			return nil
		})
		if err != nil {
			return loudness{}, errAudioShort(err)
		}
		n += p.end - p.start
	}
	if meter == nil {
		return loudness{}, nil
	}
	lufs, ok := meter.Integrated()
	if !ok {
		return loudness{}, nil
	}
	return loudness{math.Pow(10, lufs/10), n}, nil
}

// measure sets the loudness in the receipt of a new version. Only the passages that were spoken, and the smaller one of those that
// are kept and those that are gone, are measured; the loudness of the others follows.
func (t *timeline) measure(ctx context.Context, next *backend.Generation) error {
	level := next.Receipt.Level
	if level == nil || level.LUFS == nil {
		return nil
	}
	var kept, fresh, removed []passage
	stays := make([]bool, len(t.g.Chunks))
	var keptFrames, removedFrames int64
	for _, p := range t.passages {
		if p.from < 0 {
			fresh = append(fresh, p)
			continue
		}
		stays[p.from] = true
		kept, keptFrames = append(kept, p), keptFrames+p.end-p.start
	}
	for n, stays := range stays {
		if !stays {
			p := passage{from: n}
			t.keep(&p)
			removed, removedFrames = append(removed, p), removedFrames+p.end-p.start
		}
	}
	added, err := loudnessOf(ctx, fresh)
	if err != nil {
		return err
	}
	var same loudness
	if removedFrames > keptFrames {
		if same, err = loudnessOf(ctx, kept); err != nil {
			return err
		}
	} else {
		out, err := loudnessOf(ctx, removed)
		if err != nil {
			return err
		}
		all := loudness{math.Pow(10, *level.LUFS/10), keptFrames + removedFrames}
		same = loudness{(all.energy*float64(all.frames) - out.energy*float64(out.frames)) / float64(max(keptFrames, 1)), keptFrames}
	}
	sum := max(same.energy, 0)*float64(same.frames) + added.energy*float64(added.frames)
	if sum > 0 {
		level.LUFS = new(speech.Hundredths(10 * math.Log10(sum/float64(same.frames+added.frames))))
	}
	return nil
}

// speakOverlapping speaks all chunks of a new text again, as chunks overlap. Those that were in the old text keep their seeds.
func (rev *revision) speakOverlapping(ctx context.Context, loaded *engines.Loaded, stored *journal.Journal) error {
	s, j := rev.service, rev.job
	info := loaded.Info()
	sp, err := speech.NewSpool(s.synth.TempDir(), rev.base.ID, info.SampleRate, info.Channels)
	if err != nil {
		return err
	}
	defer s.synth.Drop(sp)
	recording, err := s.synth.Record(ctx, s.gens.RunOf(j, loaded, stored), sp)
	if err != nil {
		return err
	}
	sp.End()
	now, unlock, err := rev.lockBase(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	next := now
	next.Text, next.Error, next.Version = rev.text, nil, now.Version+1
	next.SampleRate, next.Channels, next.Duration = info.SampleRate, info.Channels, audio.Seconds(recording.Frames, info.SampleRate)
	next.Chunks = recording.Chunks
	next.Receipt = now.Receipt.Revised(j.Plan.LastPause().Milliseconds(), j.Plan.Shortened())
	next.Receipt.Chunks, next.Receipt.GainDB, next.Receipt.Level = recording.Takes, audio.ToDB(recording.Gain), recording.Receipt
	return s.storeVersion(ctx, now, next, func(next backend.Generation, _ takesFolder) (string, error) {
		file, err := s.synth.Render(ctx, next, sp, recording, next.AudioPath)
		return file.SHA256, err
	})
}

// Level levels the audio of a generation again as a whole, with all its takes. Errors: generation_not_found, not_in_progress,
// audio_missing, engine_failed for silence.
func (s *Service) Level(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.gens.Unchanging(ctx, id)
	if err != nil {
		return g, err
	}
	ctx, end, err := s.gens.Begin(ctx)
	if err != nil {
		return g, err
	}
	defer end()
	unlock, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return g, err
	}
	defer unlock()
	if g, err = s.gens.Unchanging(ctx, id); err != nil {
		return g, err
	}
	sp, err := speech.NewSpool(s.synth.TempDir(), id, g.SampleRate, g.Channels)
	if err != nil {
		return g, err
	}
	defer s.synth.Drop(sp)
	recording, err := s.levelFile(ctx, g, sp)
	if err != nil {
		return g, err
	}
	old := g
	if g, err = s.levelled(ctx, g, recording); err != nil {
		s.files.sweep(ctx, replacement{ID: id}, old, false)
		return old, err
	}
	return s.replaceAudio(ctx, g, sp, recording)
}

// levelFile reads the audio of a generation into a spool and finds its level.
func (s *Service) levelFile(ctx context.Context, g backend.Generation, sp *speech.Spool) (speech.Recording, error) {
	var recording speech.Recording
	path, err := s.master(ctx, g)
	if err != nil {
		return recording, speech.AudioGone(g.ID, err)
	}
	l, err := s.synth.Leveller(ctx, g.ID, &speech.Plan{Normalize: true, Limit: *cmp.Or(g.Request.Limit, new(true))}, g.SampleRate, g.Channels)
	if err != nil {
		return recording, err
	}
	defer l.Close()
	recording.Frames = audio.Frames(g.Duration, g.SampleRate)
	err = speech.ReadPart(ctx, path, 0, recording.Frames, func(samples []float32) error {
		return errors.Join(l.Write(samples), sp.Write(samples))
	})
	if err != nil {
		return recording, speech.AudioGone(g.ID, err)
	}
	sp.End()
	recording.Measured, err = l.Find()
	return recording, err
}

// levelled writes the takes of a generation at a new level, as those of its next version, and returns it with its receipt.
func (s *Service) levelled(ctx context.Context, g backend.Generation, recording speech.Recording) (backend.Generation, error) {
	old, next := s.files.of(g), g
	former, ok, err := s.o.Store.FormerVersion(ctx, g.ID)
	if err != nil {
		return g, err
	}
	if next.Version++; ok {
		next.Version = max(next.Version, former.Version+1)
	}
	added := audio.ToDB(recording.Gain)
	receipt := *g.Receipt
	receipt.GainDB, receipt.Level, receipt.Chunks = receipt.GainDB+added, recording.Receipt, slices.Clone(receipt.Chunks)
	next.Receipt = &receipt
	for n := range receipt.Chunks {
		c := &receipt.Chunks[n]
		c.Takes = slices.Clone(c.Takes)
		c.ReceiptTake = louder(c.ReceiptTake, added)
		for i := range c.Takes {
			c.Takes[i] = louder(c.Takes[i], added)
		}
		if err := s.levelTakes(ctx, old, s.files.of(next), n, g.Chunks[n].Takes, recording.Level); err != nil {
			return g, err
		}
	}
	return next, nil
}

// louder returns a take with its own gain, if it has one, raised.
func louder(t backend.ReceiptTake, db float64) backend.ReceiptTake {
	if t.GainDB != nil {
		t.GainDB = new(*t.GainDB + db)
	}
	return t
}

// levelTakes copies the takes of a chunk at another level.
func (s *Service) levelTakes(ctx context.Context, from, to takesFolder, n, takes int, l speech.Level) error {
	if takes < 2 {
		return nil
	}
	for i := range takes {
		t, err := readTake(from.file(n, i))
		if err != nil {
			continue // only its seed is stored
		}
		if err := audio.Amplify(ctx, t.Buffer, l.Gain, l.Limit); err != nil {
			return err
		}
		if err := s.writeTake(to.file(n, i), t); err != nil {
			return err
		}
	}
	return nil
}
