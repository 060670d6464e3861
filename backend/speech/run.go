package speech

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// perform runs an accepted job.
func (s *Service) perform(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	clock := stopwatch{now: s.o.Now, last: s.o.Now(), seconds: map[string]float64{}}
	loaded, err := s.acquire(ctx, j)
	if err != nil {
		return err
	}
	defer loaded.Release()
	clock.lap("load")
	if err := s.move(ctx, j, func(g *backend.Generation) { g.Status = backend.StatusGenerating }); err != nil {
		return err
	}
	path := s.path(j.g)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return backend.FileError("make the audio directory", "the data directory", err)
	}
	info := loaded.Info()
	sp, err := newSpool(s.synth.TempDir(), j.g.ID, info.SampleRate, info.Channels)
	if err != nil {
		return err
	}
	defer s.synth.drop(sp)
	stored, err := openJournal(s.synth.journalPath(j.g.ID), s.o.Now)
	if err != nil {
		return err
	}
	defer s.leaveJournal(j, stored)
	made, err := s.synth.record(ctx, s.run(j, loaded, stored), sp)
	if err != nil {
		return err
	}
	sp.end()
	clock.lap("speak")
	file, err := s.synth.render(ctx, j.g, sp, made, path)
	if err != nil {
		return err
	}
	clock.lap("write")
	if !orPointer(j.g.Request.Verify, false) {
		return s.complete(ctx, j, loaded, made, file, clock.seconds)
	}
	heard, _ := s.expect(j.g.ID, true) // first, so that everyone who sees it complete sees that it is to be heard
	if err := s.complete(ctx, j, loaded, made, file, clock.seconds); err != nil {
		s.endCheck(heard)
		return err
	}
	_ = s.enqueueCheck(heard) // when the program is closing, the audio is complete without it
	return nil
}

// acquire loads the job's model for its voice, and downloads it first if it is missing.
func (s *Service) acquire(ctx context.Context, j *job) (*engines.Loaded, error) {
	loaded, err := s.acquireModel(ctx, j)
	if err != nil {
		return nil, err
	}
	return s.synth.withReference(ctx, loaded, j.plan.voice)
}

// acquireModel loads the job's model, and downloads it first if it is missing. The licence is accepted only if nothing else
// prevents the generation.
func (s *Service) acquireModel(ctx context.Context, j *job) (*engines.Loaded, error) {
	phase := func(phase backend.Status) {
		if err := s.move(ctx, j, func(g *backend.Generation) { g.Status = phase }); err != nil {
			s.o.Log.Warn("write down the state of a generation", "id", j.g.ID, "error", err)
		}
	}
	loaded, err := s.o.Models.Acquire(ctx, j.plan.voice.model, phase)
	if !j.g.Request.AcceptLicense || backend.CodeOf(err) != backend.CodeLicenseNotAccepted {
		return loaded, err
	}
	if _, err := s.o.Models.Download(ctx, j.plan.voice.model, true); err != nil {
		return nil, err
	}
	return s.o.Models.Acquire(ctx, j.plan.voice.model, phase)
}

// complete stores the finished generation with its receipt in one transaction.
func (s *Service) complete(
	ctx context.Context, j *job, loaded *engines.Loaded, made recording, file rendered, spent map[string]float64,
) error {
	info := loaded.Info()
	model, _ := s.o.Models.Model(j.plan.voice.model) // it is loaded, so it is known
	if sound := seconds(made.frames, info.SampleRate); loaded.Spoke != nil && sound > 0 && !made.reused {
		loaded.Spoke(spent["speak"]/sound, made.workers)
	}
	err := s.move(ctx, j, func(g *backend.Generation) {
		g.Status, g.Progress, g.Partial = backend.StatusComplete, 1, nil
		g.AudioPath, g.Duration = file.path, seconds(made.frames, info.SampleRate)
		g.SampleRate, g.Channels, g.Chunks = info.SampleRate, info.Channels, made.chunks
		g.Receipt = &backend.Receipt{
			AppVersion: s.o.Version, Engine: info.Engine, ModelName: loaded.Model, ModelRevision: loaded.Revision,
			ModelFiles: orEmpty(loaded.Files), Voice: j.plan.voice.id, Language: j.plan.voice.language, LanguageNote: model.Note(j.plan.voice.language), Seed: g.Seed, Speed: g.Speed,
			Parameters: map[string]any{
				"normalize": j.plan.normalize, "limit": j.plan.limit, "max_chunk_chars": j.plan.maxChars, "crossfade_ms": j.plan.crossfade.Milliseconds(),
				"format": g.Format, "steps": or(g.Request.Steps, info.Steps), "pause_end_ms": j.plan.lastPause().Milliseconds(),
			},
			Shortened: j.plan.shortened(),
			Chunks:    made.takes, Device: info.Device, Threads: info.Threads, Workers: made.workers,
			Runtimes: info.Runtimes,
			GainDB:   audio.ToDB(made.gain), Level: made.receipt, AudioSHA256: file.sha256, Seconds: spent, Reproducible: info.Reproducible && !made.mixed,
		}
		if j.plan.pauses != nil {
			g.Receipt.Parameters["pauses"] = *j.plan.pauses
		}
		g.Receipt.Sum()
	})
	if err != nil {
		if row, err := s.o.Store.Generation(context.WithoutCancel(ctx), j.g.ID); err != nil || row.AudioPath != file.path {
			_ = os.Remove(file.path) // no row names it
		}
		return fmt.Errorf("complete the generation: %w", err)
	}
	// A lost level only makes the next stream of this voice a little louder or quieter; the generation is complete.
	err = backend.Contain(func() error { return s.synth.learnLevel(context.WithoutCancel(ctx), j.plan.voice, made.found) })
	if err != nil {
		s.o.Log.Warn("keep the level of a voice", "error", err)
	}
	return nil
}

// lastPause returns the silence after the last chunk of the text.
func (p *Plan) lastPause() time.Duration {
	var pause time.Duration
	for _, piece := range p.pieces {
		pause += piece.Pause
		if piece.Text != "" {
			pause = 0
		}
	}
	return pause
}

func seconds(frames int64, rate int) float64 { return float64(frames) / float64(rate) }

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// stopwatch measures the stages of a job.
type stopwatch struct {
	now     func() time.Time
	last    time.Time
	seconds map[string]float64
}

func (w *stopwatch) lap(stage string) {
	now := w.now()
	w.seconds[stage] = now.Sub(w.last).Seconds()
	w.last = now
}
