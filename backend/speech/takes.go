package speech

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// RegenerateChunk adds a take of one chunk of a finished generation, with another seed unless one is passed. With choose the
// take is put into the file, which is replaced atomically, and the other chunks keep their audio; else the file stays as it is.
// Errors: generation_not_found, not_in_progress when it is not finished, ValidationError for an unknown chunk,
// audio_missing, those of Generate; then nothing is changed.
func (s *Takes) RegenerateChunk(ctx context.Context, id string, n int, seed *int64, choose bool) (backend.Generation, error) {
	g, err := s.unchanging(ctx, id, n)
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
	err = s.gens.inTurn(ctx, id, func(ctx context.Context) (err error) {
		g, err = s.addTake(ctx, p, g, n, fresh, choose)
		return err
	})
	if err == nil && choose && *cmp.Or(g.Request.Verify, new(false)) {
		_, err = s.gens.Verify(ctx, []string{id})
	}
	return g, err
}

// planOf returns the plan of a generation as it was made.
func (s *Takes) planOf(ctx context.Context, g backend.Generation) (*Plan, error) {
	r := again(g)
	r.Seed = &g.Seed
	j, err := s.gens.prepare(ctx, r, recordedProfile(g))
	if err != nil {
		return nil, err
	}
	return j.plan, nil
}

var errNoTakes = backend.E(backend.CodeNotInProgress, "Only a finished generation of a local voice has takes.",
	"Wait for it to finish, or regenerate it.")

// spoken returns a generation that is complete.
func (s *Service) spoken(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.o.Store.Generation(ctx, id)
	if err == nil && (g.Status != backend.StatusComplete || g.Receipt == nil) {
		err = errNoTakes.With("generation_id", id)
	}
	return g, err
}

// finished returns a generation whose chunks can be changed.
func (s *Service) finished(ctx context.Context, id string, chunks ...int) (backend.Generation, error) {
	g, err := s.spoken(ctx, id)
	if err != nil {
		return g, err
	}
	if g.Source != backend.SourceLocal {
		return g, errNoTakes.With("generation_id", id)
	}
	for _, n := range chunks {
		if n < 0 || n >= len(g.Chunks) {
			return g, backend.Invalid("less_than", "Input should be less than "+strconv.Itoa(len(g.Chunks)), "path", "n")
		}
	}
	return g, nil
}

// unchanging is finished for a generation whose text is not being changed.
func (s *Takes) unchanging(ctx context.Context, id string, chunks ...int) (backend.Generation, error) {
	g, err := s.gens.finished(ctx, id, chunks...)
	if err == nil && s.gens.revising(id) {
		err = errBeingChanged.With("generation_id", id)
	}
	return g, err
}

// sameVersion returns an error if the text of a generation was changed, so that its chunks may be others.
func sameVersion(before, now backend.Generation) error {
	if before.Version != now.Version {
		return errBeingChanged.With("generation_id", now.ID)
	}
	return nil
}

// addTake generates a take and, with choose, puts it into the file. If chunks overlap, all are generated again for that, and
// without choose only the seed is stored.
func (s *Takes) addTake(
	ctx context.Context, p *Plan, before backend.Generation, n int, seed int64, choose bool,
) (backend.Generation, error) {
	loaded, err := s.synth.load(ctx, p.voice, nil)
	if err != nil {
		return backend.Generation{}, err
	}
	defer loaded.Release()
	fresh, t, err := s.speakFresh(ctx, p, loaded, before, n, seed)
	if err != nil {
		return backend.Generation{}, err
	}
	done, err := s.gens.files.lock(ctx, before.ID)
	if err != nil {
		return backend.Generation{}, err
	}
	defer done()
	g, err := s.gens.finished(ctx, before.ID, n)
	if err == nil {
		err = sameVersion(before, g)
	}
	if err != nil {
		return g, err
	}
	if p.crossfade == 0 {
		if err := s.storeTake(ctx, g, n, t); err != nil {
			return g, err
		}
	}
	listed := appendTake(&g, n, fresh)
	switch {
	case !choose:
		return s.listTake(ctx, g, n)
	case p.crossfade == 0:
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
func (s *Takes) listTake(ctx context.Context, g backend.Generation, n int) (backend.Generation, error) {
	out, err := s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), g.ID, func(row *backend.Generation) error {
		row.Chunks[n].Takes, row.Receipt.Chunks[n].Takes = g.Chunks[n].Takes, g.Receipt.Chunks[n].Takes
		return nil
	})
	if err != nil {
		return g, fmt.Errorf("write down the new take: %w", err)
	}
	s.gens.notify(out)
	return out, nil
}

// speakTake generates a chunk at the level of its file, or lower if its peaks would exceed the ceiling.
func (s *Takes) speakTake(
	ctx context.Context, p *Plan, loaded *engines.Loaded, g backend.Generation, n int, fresh *backend.ReceiptTake,
) (take, error) {
	info := loaded.Info()
	var t take
	t.Rate, t.Channels = info.SampleRate, info.Channels
	track := newTrack(info.SampleRate, info.Channels, 0, func(samples []float32) error {
		t.Samples = append(t.Samples, samples...)
		return nil
	})
	before, after := edges(g, n)
	if err := track.joiner.Pause(audio.Length(before, info.SampleRate)); err != nil {
		return t, err
	}
	lines := slices.Clone(g.Receipt.Chunks)
	lines[n].ReceiptTake = *fresh
	for _, seg := range p.segments(lines, info.Pauses) {
		if seg.line != n {
			continue
		}
		if len(track.parts) == 0 {
			seg.asked = 0 // the silence before a chunk is not part of its takes
		}
		placed := len(track.parts)
		err := p.speakSegment(ctx, loaded, seg, speakWhole, track.next(seg))
		unheard := backend.CodeOf(err) == backend.CodeNothingToSpeak && len(track.parts) == placed
		if err != nil && (!unheard || seg.last && placed == 0) {
			return t, err
		}
	}
	if err := track.end(audio.Length(after, info.SampleRate)); err != nil {
		return t, err
	}
	if _, chunks := track.chunks(lines); len(chunks) > 0 {
		t.words = chunks[0].Words
	}
	var err error
	fresh.GainDB, err = p.levelTake(ctx, g.Receipt.GainDB, t)
	return t, err
}

// levelTake brings a new take to the level of its file, whose gain is gainDB, or to a lower one if its peaks would exceed the ceiling, which it returns
// in dB. Error: engine_failed for silence.
func (p *Plan) levelTake(ctx context.Context, gainDB float64, t take) (lowerDB *float64, err error) {
	meter := audio.NewMeter(t.Rate, t.Channels)
	meter.Write(t.Samples)
	peak := meter.TruePeak()
	if peak == 0 {
		return nil, errSilent
	}
	l, lower := p.levelOfTake(gainDB, peak)
	if lower {
		lowerDB = new(audio.ToDB(l.gain))
	}
	return lowerDB, audio.Amplify(ctx, t.Buffer, l.gain, l.limit)
}

// keepTake stores a new take of a chunk and puts it into the file.
func (s *Takes) keepTake(
	ctx context.Context, g backend.Generation, n int, fresh backend.ReceiptTake, t take,
) (backend.Generation, error) {
	if err := s.storeTake(ctx, g, n, t); err != nil {
		return g, err
	}
	return s.splice(ctx, g, map[int]int{n: appendTake(&g, n, fresh)})
}

// storeTake writes the audio of a new take of a chunk, and that of the current one if it is the only one.
func (s *Takes) storeTake(ctx context.Context, g backend.Generation, n int, t take) error {
	dir, err := s.files.make(g)
	if err != nil {
		return err
	}
	if g.Chunks[n].Takes < 2 {
		if err := s.cutTake(ctx, g, n, dir.file(n, 0)); err != nil {
			return err
		}
	}
	return s.writeTake(dir.file(n, g.Chunks[n].Takes), t)
}

// ChooseTakes puts other takes of chunks (both from 0) into the file, atomically.
// Errors: generation_not_found, not_in_progress, ValidationError for an unknown chunk or take, audio_missing,
// and for chunks that overlap those of Generate.
func (s *Takes) ChooseTakes(ctx context.Context, id string, takes map[int]int) (backend.Generation, error) {
	g, err := s.unchanging(ctx, id)
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
	ctx, end, err := s.gens.begin(ctx)
	if err != nil {
		return g, err
	}
	defer end()
	done, err := s.gens.files.lock(ctx, id)
	if err != nil {
		return g, err
	}
	defer done()
	before := g
	if g, err = s.gens.finished(ctx, id); err == nil {
		err = sameVersion(before, g)
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
func (s *Takes) respeakTakes(ctx context.Context, g backend.Generation, takes map[int]int) (backend.Generation, error) {
	p, err := s.planOf(ctx, g)
	if err != nil {
		return g, err
	}
	err = s.gens.inTurn(ctx, g.ID, func(ctx context.Context) error {
		loaded, err := s.synth.load(ctx, p.voice, nil)
		if err != nil {
			return err
		}
		defer loaded.Release()
		done, err := s.gens.files.lock(ctx, g.ID)
		if err != nil {
			return err
		}
		defer done()
		before := g
		if g, err = s.gens.finished(ctx, g.ID); err == nil {
			err = sameVersion(before, g)
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
func (s *Takes) respeak(
	ctx context.Context, p *Plan, loaded *engines.Loaded, g backend.Generation, takes map[int]int,
) (backend.Generation, error) {
	for n, t := range takes {
		g.Receipt.Chunks[n].ReceiptTake = g.Receipt.Chunks[n].AllTakes()[t]
		g.Chunks[n].Take = t
	}
	p.takes = map[int]backend.ReceiptTake{}
	next, i := 0, 0
	for _, piece := range p.pieces {
		if piece.Text == "" {
			continue
		}
		if next < len(g.Receipt.Chunks) && piece.Text == g.Receipt.Chunks[next].Text {
			p.takes[i] = g.Receipt.Chunks[next].ReceiptTake
			next++
		}
		i++
	}
	sp, err := newSpool(s.synth.TempDir(), g.ID, loaded.Info().SampleRate, loaded.Info().Channels)
	if err != nil {
		return g, err
	}
	defer s.synth.drop(sp)
	j := newJob(g)
	j.plan = p
	made, err := s.synth.record(ctx, s.gens.run(j, loaded, nil), sp)
	if err != nil {
		return g, err
	}
	sp.end()
	if len(made.chunks) != len(g.Chunks) {
		return g, errNothing // the new take has nothing to speak
	}
	for i, c := range made.chunks {
		c.Take, c.Takes = g.Chunks[i].Take, g.Chunks[i].Takes
		g.Chunks[i] = c
	}
	g.Receipt.GainDB, g.Receipt.Level = audio.ToDB(made.gain), made.receipt
	return s.replaceAudio(ctx, g, sp, made)
}

// inTurn queues work for a generation and waits for its end. Errors: queue_full, interrupted,
// cancelled, those of work.
func (s *Service) inTurn(ctx context.Context, id string, work func(context.Context) error) error {
	if err := s.queue.Reserve(1); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	key := id + "/" + s.o.NewID()
	j := &job{cancel: cancel, done: make(chan struct{})}
	var failure error // read after done is closed
	j.drop = func(err error) {
		failure = err
		s.mu.Lock()
		delete(s.live, key)
		s.mu.Unlock()
		close(j.done)
	}
	j.work = func() error { return work(ctx) }
	s.mu.Lock()
	s.live[key] = j
	s.mu.Unlock()
	if !s.queue.Push(j) {
		j.drop(errStopped)
	}
	select {
	case <-j.done:
	case <-ctx.Done():
		s.stop(j)
		<-j.done
	}
	return failure
}
