package speech

import (
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// RegenerateChunk speaks one chunk of a finished generation again, with another seed unless one is given, as its newest take,
// which becomes the chosen one. The other chunks keep their sound; the file is replaced in one step.
// Errors: generation_not_found, not_in_progress when it is not finished, ValidationError for a chunk that it has not,
// audio_missing, those of Submit and of speaking; then everything is as it was.
func (s *Service) RegenerateChunk(ctx context.Context, id string, n int, seed *int64) (backend.Generation, error) {
	g, err := s.finished(ctx, id, n)
	if err != nil {
		return g, err
	}
	j, err := s.prepare(ctx, again(g), recordedProfile(g))
	if err != nil {
		return g, err
	}
	j.g = g
	fresh := orPointer(seed, -1)
	if fresh < 0 {
		fresh = s.o.NewSeed()
	}
	err = s.inTurn(ctx, id, func(ctx context.Context) (err error) {
		g, err = s.addTake(ctx, j, id, n, fresh)
		return err
	})
	return g, err
}

// finished returns a generation whose chunks can be changed.
func (s *Service) finished(ctx context.Context, id string, chunks ...int) (backend.Generation, error) {
	g, err := s.o.Store.Generation(ctx, id)
	switch {
	case err != nil:
		return g, err
	case g.Status != backend.StatusComplete || g.Receipt == nil || g.Source != backend.SourceLocal:
		return g, backend.E(backend.CodeNotInProgress, "Only a finished generation of a local voice has takes.",
			"Wait for its end, or make it again.").With("generation_id", id)
	}
	for _, n := range chunks {
		if n < 0 || n >= len(g.Chunks) {
			return g, backend.Invalid("less_than", "Input should be less than "+strconv.Itoa(len(g.Chunks)), "path", "n")
		}
	}
	return g, nil
}

// addTake speaks a take and puts it into the file. Where chunks overlap nothing can be cut out, so all are spoken again.
func (s *Service) addTake(ctx context.Context, j *job, id string, n int, seed int64) (backend.Generation, error) {
	loaded, err := s.o.Models.Acquire(ctx, j.voice.model, nil)
	if err != nil {
		return backend.Generation{}, err
	}
	defer loaded.Release()
	voicing, err := s.voicing(ctx, j.voice, j.g.Request.Pronunciations, loaded.Info())
	if err != nil {
		return backend.Generation{}, err
	}
	fresh := newTake(voicing, j.g.Receipt.Chunks[n].Text, seed)
	var t take
	if j.crossfade == 0 {
		if t, err = s.speakTake(ctx, j, loaded, n, &fresh); err != nil {
			return backend.Generation{}, err
		}
	}
	done, err := s.files.lock(ctx, id)
	if err != nil {
		return backend.Generation{}, err
	}
	defer done()
	g, err := s.finished(ctx, id, n)
	if err != nil {
		return g, err
	}
	if j.crossfade == 0 {
		return s.keepTake(ctx, g, n, fresh, t)
	}
	c := &g.Receipt.Chunks[n]
	c.Takes = append(c.AllTakes(), fresh)
	g.Chunks[n].Takes = len(c.Takes)
	return s.respeak(ctx, j, loaded, g, map[int]int{n: len(c.Takes) - 1})
}

// speakTake speaks a chunk at the level of its file, or below where its peaks would pass the ceiling.
func (s *Service) speakTake(
	ctx context.Context, j *job, loaded *engines.Loaded, n int, fresh *backend.ReceiptTake,
) (take, error) {
	info, g := loaded.Info(), j.g
	var t take
	t.Rate, t.Channels = info.SampleRate, info.Channels
	track := newTrack(info.SampleRate, info.Channels, 0, func(samples []float32) error {
		t.Samples = append(t.Samples, samples...)
		return nil
	})
	before, after := edges(g, n)
	if err := track.joiner.Pause(samplesLong(before, info.SampleRate)); err != nil {
		return t, err
	}
	lines := slices.Clone(g.Receipt.Chunks)
	lines[n].ReceiptTake = *fresh
	for _, seg := range j.segments(lines, info.Pauses) {
		if seg.line != n {
			continue
		}
		if len(track.parts) == 0 {
			seg.asked = 0 // the silence before a chunk is not part of its takes
		}
		placed := len(track.parts)
		err := j.speakSegment(ctx, loaded, seg, track.next(seg))
		unheard := backend.CodeOf(err) == backend.CodeNothingToSpeak && len(track.parts) == placed
		if err != nil && (!unheard || seg.last && placed == 0) {
			return t, err
		}
	}
	if err := track.end(samplesLong(after, info.SampleRate)); err != nil {
		return t, err
	}
	if _, chunks := track.chunks(lines); len(chunks) > 0 {
		t.words = chunks[0].Words
	}
	meter := audio.NewMeter(info.SampleRate, info.Channels)
	meter.Write(t.Samples)
	peak := meter.TruePeak()
	if peak == 0 {
		return t, errSilent
	}
	l, lower := j.levelOfTake(peak)
	if lower {
		fresh.GainDB = new(decibels(l.gain))
	}
	l.apply(t.Buffer)
	return t, nil
}

// keepTake stores the present take of a chunk, and the new one, and puts that into the file.
func (s *Service) keepTake(
	ctx context.Context, g backend.Generation, n int, fresh backend.ReceiptTake, t take,
) (backend.Generation, error) {
	dir, err := s.takesDir(g.ID)
	if err != nil {
		return g, err
	}
	if g.Chunks[n].Takes < 2 {
		if err := s.cutTake(ctx, g, n, dir.file(n, 0)); err != nil {
			return g, err
		}
	}
	c := &g.Receipt.Chunks[n]
	c.Takes = append(c.AllTakes(), fresh)
	chosen := len(c.Takes) - 1
	if err := s.writeTake(dir.file(n, chosen), t); err != nil {
		return g, err
	}
	g.Chunks[n].Takes = len(c.Takes)
	return s.splice(ctx, g, map[int]int{n: chosen})
}

// ChooseTakes puts other takes of chunks (both from 0) into the file, in one step.
// Errors: generation_not_found, not_in_progress, ValidationError for a chunk or take that there is not, audio_missing, and
// for chunks that overlap those of speaking.
func (s *Service) ChooseTakes(ctx context.Context, id string, takes map[int]int) (backend.Generation, error) {
	g, err := s.finished(ctx, id)
	if err != nil {
		return g, err
	}
	if err := checkTakes(g, takes); err != nil {
		return g, err
	}
	if orPointer(g.Request.CrossfadeMS, 0) > 0 {
		return s.respeakTakes(ctx, g, takes)
	}
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return g, err
	}
	defer end()
	done, err := s.files.lock(ctx, id)
	if err != nil {
		return g, err
	}
	defer done()
	if g, err = s.finished(ctx, id); err != nil {
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

// respeakTakes speaks a generation whose chunks overlap again, with the seeds of other takes.
func (s *Service) respeakTakes(ctx context.Context, g backend.Generation, takes map[int]int) (backend.Generation, error) {
	j, err := s.prepare(ctx, again(g), recordedProfile(g))
	if err != nil {
		return g, err
	}
	err = s.inTurn(ctx, g.ID, func(ctx context.Context) error {
		loaded, err := s.o.Models.Acquire(ctx, j.voice.model, nil)
		if err != nil {
			return err
		}
		defer loaded.Release()
		done, err := s.files.lock(ctx, g.ID)
		if err != nil {
			return err
		}
		defer done()
		if g, err = s.finished(ctx, g.ID); err != nil {
			return err
		}
		g, err = s.respeak(ctx, j, loaded, g, takes)
		return err
	})
	return g, err
}

// respeak puts takes into a generation whose chunks overlap: all chunks are spoken again as their receipt says, and the file
// is replaced.
func (s *Service) respeak(
	ctx context.Context, j *job, loaded *engines.Loaded, g backend.Generation, takes map[int]int,
) (backend.Generation, error) {
	for n, t := range takes {
		g.Receipt.Chunks[n].ReceiptTake = g.Receipt.Chunks[n].AllTakes()[t]
		g.Chunks[n].Take = t
	}
	j.g, j.takes = g, map[int]backend.ReceiptTake{}
	next, i := 0, 0
	for _, piece := range j.plan {
		if piece.Text == "" {
			continue
		}
		if next < len(g.Receipt.Chunks) && piece.Text == g.Receipt.Chunks[next].Text {
			j.takes[i] = g.Receipt.Chunks[next].ReceiptTake
			next++
		}
		i++
	}
	sp, err := newSpool(s.TempDir(), g.ID, loaded.Info().SampleRate, loaded.Info().Channels)
	if err != nil {
		return g, err
	}
	defer s.drop(sp)
	made, err := s.record(ctx, j, loaded, sp)
	if err != nil {
		return g, err
	}
	sp.end()
	if len(made.chunks) != len(g.Chunks) {
		return g, errNothing // the new take has nothing that the engine can speak
	}
	for i, c := range made.chunks {
		c.Take, c.Takes = g.Chunks[i].Take, g.Chunks[i].Takes
		g.Chunks[i] = c
	}
	g.Receipt.GainDB, g.Receipt.Level = decibels(made.gain), made.receipt
	return s.replaceAudio(ctx, g, sp, made)
}

// inTurn does work for a generation when the device is free, and waits for its end. Errors: queue_full, interrupted,
// cancelled, those of work.
func (s *Service) inTurn(ctx context.Context, id string, work func(context.Context) error) error {
	if err := s.queue.reserve(1); err != nil {
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
	if !s.queue.push(j) {
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

// samplesLong is the time that n frames take.
func samplesLong(n int64, rate int) time.Duration {
	return time.Duration(math.Round(seconds(n, rate) * float64(time.Second)))
}

// frames returns the number of frames in s seconds.
func frames(s float64, rate int) int64 { return int64(math.Round(s * float64(rate))) }
