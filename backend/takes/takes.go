package takes

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/engines"
)

// RegenerateChunk adds a take of one chunk of a finished generation, with another seed unless one is passed. With choose the
// take is put into the file, which is replaced atomically, and the other chunks keep their audio; else the file stays as it is.
// Errors: generation_not_found, not_in_progress when it is not finished, ValidationError for an unknown chunk,
// audio_missing, those of Generate; then nothing is changed.
func (s *Service) RegenerateChunk(ctx context.Context, id string, n int, seed *int64, choose bool) (backend.Generation, error) {
	g, err := s.gens.Unchanging(ctx, id, n)
	if err != nil {
		return g, err
	}
	p, err := s.planOf(ctx, g)
	if err != nil {
		return g, err
	}
	fresh := *cmp.Or(seed, new(int64(-1)))
	if fresh < 0 {
		fresh = s.o.NewSeed()
	}
	err = s.gens.InTurn(ctx, id, func(ctx context.Context) (err error) {
		g, err = s.addTake(ctx, p, g, n, fresh, choose)
		return err
	})
	if err == nil && choose && *cmp.Or(g.Request.Verify, new(false)) {
		_, err = s.gens.Checks.Verify(ctx, []string{id})
	}
	return g, err
}

// planOf returns the plan of a generation as it was made.
func (s *Service) planOf(ctx context.Context, g backend.Generation) (*speech.Plan, error) {
	r := generations.Again(g)
	r.Seed = &g.Seed
	j, err := s.gens.Makers.Prepare(ctx, r, generations.RecordedProfile(g))
	if err != nil {
		return nil, err
	}
	return j.Plan, nil
}

// checkVersion returns an error if the text of a generation was changed, so that its chunks may be others.
func checkVersion(before, now backend.Generation) error {
	if before.Version != now.Version {
		return generations.ErrBeingChanged.With("generation_id", now.ID)
	}
	return nil
}

// addTake generates a take and, with choose, puts it into the file. If chunks overlap, all are generated again for that, and
// without choose only the seed is stored.
func (s *Service) addTake(
	ctx context.Context, p *speech.Plan, before backend.Generation, n int, seed int64, choose bool,
) (_ backend.Generation, err error) {
	loaded, err := s.synth.Load(ctx, p.Voice, nil)
	if err != nil {
		return backend.Generation{}, err
	}
	defer loaded.Release()
	fresh, t, err := s.speakFresh(ctx, p, loaded, before, n, seed)
	if err != nil {
		return backend.Generation{}, err
	}
	done, err := s.gens.Archive.Lock(ctx, before.ID)
	if err != nil {
		return backend.Generation{}, err
	}
	defer done()
	g, err := s.gens.Changeable(ctx, before.ID, n)
	if err == nil {
		err = checkVersion(before, g)
	}
	if err != nil {
		return g, err
	}
	if p.Crossfade == 0 {
		var drop func()
		if drop, err = s.storeTake(ctx, g, n, t); err != nil {
			return g, err
		}
		defer dropAfter(&err, drop)
	}
	listed := appendTake(&g, n, fresh)
	switch {
	case !choose:
		return s.listTake(ctx, g, n)
	case p.Crossfade == 0:
		return s.splice(ctx, g, map[int]int{n: listed})
	default:
		return s.respeak(ctx, p, loaded, g, map[int]int{n: listed})
	}
}

// appendTake adds a take to a chunk, and returns its number.
func appendTake(g *backend.Generation, n int, fresh backend.ReceiptTake) int {
	c := &g.Receipt.Chunks[n]
	c.Takes = append(c.AllTakes(), fresh)
	g.Chunks[n].Takes = len(c.Takes)
	return len(c.Takes) - 1
}

// listTake stores the takes of a chunk in its row; which one is chosen stays.
func (s *Service) listTake(ctx context.Context, g backend.Generation, n int) (backend.Generation, error) {
	out, err := s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), g.ID, func(row *backend.Generation) error {
		row.Chunks[n].Takes, row.Receipt.Chunks[n].Takes = g.Chunks[n].Takes, g.Receipt.Chunks[n].Takes
		return nil
	})
	if err != nil {
		return g, fmt.Errorf("write down the new take: %w", err)
	}
	s.gens.Notify(out)
	return out, nil
}

// speakTake generates a chunk at the level of its file, or lower if its peaks would exceed the ceiling.
func (s *Service) speakTake(
	ctx context.Context, p *speech.Plan, loaded *engines.Loaded, g backend.Generation, n int, fresh *backend.ReceiptTake,
) (take, error) {
	info := loaded.Info()
	var t take
	t.Rate, t.Channels = info.SampleRate, info.Channels
	track := speech.NewTrack(info.SampleRate, info.Channels, 0, func(samples []float32) error {
		t.Samples = append(t.Samples, samples...)
		return nil
	})
	before, after := edges(g, n)
	if err := track.Joiner.Pause(audio.Length(before, info.SampleRate)); err != nil {
		return t, err
	}
	lines := slices.Clone(g.Receipt.Chunks)
	lines[n].ReceiptTake = *fresh
	for _, seg := range p.Segments(lines, info.Pauses) {
		if seg.Line != n {
			continue
		}
		if len(track.Parts) == 0 {
			seg.Asked = 0 // the silence before a chunk is not part of its takes
		}
		placed := len(track.Parts)
		err := p.SpeakSegment(ctx, loaded, seg, speech.SpeakWhole, track.Next(seg))
		unheard := backend.CodeOf(err) == backend.CodeNothingToSpeak && len(track.Parts) == placed
		if err != nil && (!unheard || seg.Last && placed == 0) {
			return t, err
		}
	}
	if err := track.End(audio.Length(after, info.SampleRate)); err != nil {
		return t, err
	}
	if _, chunks := track.Chunks(lines); len(chunks) > 0 {
		t.words = chunks[0].Words
	}
	var err error
	fresh.GainDB, err = levelTake(ctx, p, g.Receipt.GainDB, t)
	return t, err
}

// levelTake brings a new take to the level of its file, whose gain is gainDB, or to a lower one if its peaks would exceed the ceiling,
// which it returns in dB. Error: engine_failed for silence.
func levelTake(ctx context.Context, p *speech.Plan, gainDB float64, t take) (lowerDB *float64, err error) {
	meter := audio.NewMeter(t.Rate, t.Channels)
	meter.Write(t.Samples)
	peak := meter.TruePeak()
	if peak == 0 {
		return nil, speech.ErrSilent
	}
	l, lower := p.LevelOfTake(gainDB, peak)
	if lower {
		lowerDB = new(audio.ToDB(l.Gain))
	}
	return lowerDB, audio.Amplify(ctx, t.Buffer, l.Gain, l.Limit)
}

// keepTake stores a new take of a chunk and puts it into the file.
func (s *Service) keepTake(
	ctx context.Context, g backend.Generation, n int, fresh backend.ReceiptTake, t take,
) (_ backend.Generation, err error) {
	drop, err := s.storeTake(ctx, g, n, t)
	if err != nil {
		return g, err
	}
	defer dropAfter(&err, drop)
	return s.splice(ctx, g, map[int]int{n: appendTake(&g, n, fresh)})
}

// storeTake writes the audio of a new take of a chunk, and that of the current one if it is the only one. drop removes what was written,
// for a take that its row does not get.
func (s *Service) storeTake(ctx context.Context, g backend.Generation, n int, t take) (drop func(), err error) {
	dir, err := s.files.make(g)
	if err != nil {
		return nil, err
	}
	written := []string{dir.file(n, g.Chunks[n].Takes)}
	if g.Chunks[n].Takes < 2 {
		written = append(written, dir.file(n, 0))
	}
	drop = func() {
		for _, path := range written {
			_, _ = os.Remove(path), os.Remove(wordsFile(path))
		}
		_ = os.Remove(dir.path) // does nothing if it has a file
	}
	defer dropAfter(&err, drop)
	if len(written) > 1 {
		if err := s.cutTake(ctx, g, n, dir.file(n, 0)); err != nil {
			return nil, err
		}
	}
	return drop, s.writeTake(written[0], t)
}

// dropAfter calls drop after an error.
func dropAfter(err *error, drop func()) {
	if *err != nil {
		drop()
	}
}

// ChooseTakes puts other takes of chunks (both from 0) into the file, atomically.
// Errors: generation_not_found, not_in_progress, ValidationError for an unknown chunk or take, audio_missing,
// and for chunks that overlap those of Generate.
func (s *Service) ChooseTakes(ctx context.Context, id string, takes map[int]int) (backend.Generation, error) {
	g, err := s.gens.Unchanging(ctx, id)
	if err != nil {
		return g, err
	}
	if err := checkTakes(g, takes); err != nil {
		return g, err
	}
	takes = maps.Clone(takes)
	maps.DeleteFunc(takes, func(n, t int) bool { return g.Chunks[n].Take == t }) // in the file already, perhaps nowhere else
	if len(takes) == 0 {
		return g, nil
	}
	if *cmp.Or(g.Request.CrossfadeMS, new(0)) > 0 {
		return s.respeakTakes(ctx, g, takes)
	}
	ctx, end, err := s.gens.Begin(ctx)
	if err != nil {
		return g, err
	}
	defer end()
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return g, err
	}
	defer done()
	before := g
	if g, err = s.gens.Changeable(ctx, id); err == nil {
		err = checkVersion(before, g)
	}
	if err != nil {
		return g, err
	}
	return s.splice(ctx, g, takes)
}

func checkTakes(g backend.Generation, takes map[int]int) error {
	for _, n := range slices.Sorted(maps.Keys(takes)) {
		loc := []string{"body", "chunks", strconv.Itoa(n)}
		if n < 0 || n >= len(g.Chunks) {
			return backend.Invalid("less_than", "There are chunks 0 to "+strconv.Itoa(len(g.Chunks)-1), loc...)
		}
		if t := takes[n]; t < 0 || t >= g.Chunks[n].Takes {
			return backend.Invalid("less_than", "There are takes 0 to "+strconv.Itoa(g.Chunks[n].Takes-1), append(loc, "take")...)
		}
	}
	return nil
}

// respeakTakes generates a generation with overlapping chunks again, with the seeds of other takes.
func (s *Service) respeakTakes(ctx context.Context, g backend.Generation, takes map[int]int) (backend.Generation, error) {
	p, err := s.planOf(ctx, g)
	if err != nil {
		return g, err
	}
	err = s.gens.InTurn(ctx, g.ID, func(ctx context.Context) error {
		loaded, err := s.synth.Load(ctx, p.Voice, nil)
		if err != nil {
			return err
		}
		defer loaded.Release()
		done, err := s.gens.Archive.Lock(ctx, g.ID)
		if err != nil {
			return err
		}
		defer done()
		before := g
		if g, err = s.gens.Changeable(ctx, g.ID); err == nil {
			err = checkVersion(before, g)
		}
		if err != nil {
			return err
		}
		g, err = s.respeak(ctx, p, loaded, g, takes)
		return err
	})
	return g, err
}

// respeak puts takes into a generation with overlapping chunks: all chunks are generated again from their receipt, and the
// file is replaced.
func (s *Service) respeak(
	ctx context.Context, p *speech.Plan, loaded *engines.Loaded, g backend.Generation, takes map[int]int,
) (backend.Generation, error) {
	for n, t := range takes {
		g.Receipt.Chunks[n].ReceiptTake = g.Receipt.Chunks[n].AllTakes()[t]
		g.Chunks[n].Take = t
	}
	p.Takes = map[int]backend.ReceiptTake{}
	next, i := 0, 0
	for _, piece := range p.Pieces {
		if piece.Text == "" {
			continue
		}
		if next < len(g.Receipt.Chunks) && piece.Text == g.Receipt.Chunks[next].Text {
			p.Takes[i] = g.Receipt.Chunks[next].ReceiptTake
			next++
		}
		i++
	}
	sp, err := speech.NewSpool(s.synth.TempDir(), g.ID, loaded.Info().SampleRate, loaded.Info().Channels)
	if err != nil {
		return g, err
	}
	defer s.synth.Drop(sp)
	j := generations.NewJob(g)
	j.Plan = p
	recording, err := s.synth.Record(ctx, s.gens.RunOf(j, loaded, nil), sp)
	if err != nil {
		return g, err
	}
	sp.End()
	if len(recording.Chunks) != len(g.Chunks) {
		return g, speech.ErrNothing // the new take has nothing to speak
	}
	for i, c := range recording.Chunks {
		c.Take, c.Takes = g.Chunks[i].Take, g.Chunks[i].Takes
		g.Chunks[i] = c
	}
	g.Receipt.GainDB, g.Receipt.Level = audio.ToDB(recording.Gain), recording.Receipt
	return s.replaceAudio(ctx, g, sp, recording)
}
