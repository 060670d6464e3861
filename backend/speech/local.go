package speech

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// localMaker makes generations with engines on this machine.
type localMaker struct {
	gens  *Service
	synth *Synthesizer
}

// Prepare returns the job of a request for a local voice.
func (m *localMaker) Prepare(ctx context.Context, r Request, profile backend.Profile) (*job, error) {
	r.Text = strings.TrimSpace(r.Text)
	if r.GenerateOptions.Pauses == nil && !r.remade {
		r.GenerateOptions.Pauses = new(r.Pauses.Over(m.gens.o.Pauses()))
	}
	if r.Verify == nil && !r.remade && m.gens.o.Verify() {
		r.Verify = new(true)
	}
	p, err := m.synth.newPlan(ctx, r.Text, r.GenerateOptions, profile)
	if err != nil {
		return nil, err
	}
	format := cmp.Or(r.Format, "wav")
	if err := m.gens.o.Encoder.Ready(ctx, format); err != nil {
		return nil, err
	}
	if p.seed = *cmp.Or(r.Seed, new(int64(-1))); p.seed < 0 {
		p.seed = m.gens.o.NewSeed()
	}
	j := newJob(backend.Generation{
		ID: m.gens.o.NewID(), ProfileID: profile.ID, ProfileName: profile.Name, Text: r.Text, Language: p.voice.language,
		Seed: p.seed, CreatedAt: m.gens.o.Now().UTC().Truncate(time.Millisecond), Status: backend.StatusQueued,
		Format: format, ModelName: p.voice.model, Engine: p.voice.engine, Voice: p.voice.id, Speed: p.speed,
		Source: backend.SourceLocal, Title: strings.TrimSpace(r.Title), ParentID: r.ParentID,
		Chunks: []backend.Chunk{}, Request: r.GenerateOptions,
	})
	j.plan, j.maker = p, m
	return j, nil
}

// Run speaks a job with an engine.
func (m *localMaker) Run(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	clock := stopwatch{now: m.gens.o.Now, last: m.gens.o.Now(), seconds: map[string]float64{}}
	loaded, err := m.acquire(ctx, j)
	if err != nil {
		return err
	}
	defer loaded.Release()
	clock.lap("load")
	if err := m.gens.move(ctx, j, func(g *backend.Generation) { g.Status = backend.StatusGenerating }); err != nil {
		return err
	}
	path := m.gens.path(j.g)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return backend.FileError("make the audio directory", "the data directory", err)
	}
	info := loaded.Info()
	sp, err := newSpool(m.synth.TempDir(), j.g.ID, info.SampleRate, info.Channels)
	if err != nil {
		return err
	}
	defer m.synth.drop(sp)
	stored, err := openJournal(m.synth.journalPath(j.g.ID), m.gens.o.Now)
	if err != nil {
		return err
	}
	defer m.leaveJournal(j, stored)
	made, err := m.synth.record(ctx, m.gens.run(j, loaded, stored), sp)
	if err != nil {
		return err
	}
	sp.end()
	clock.lap("speak")
	file, err := m.synth.render(ctx, j.g, sp, made, path)
	if err != nil {
		return err
	}
	clock.lap("write")
	if !*cmp.Or(j.g.Request.Verify, new(false)) {
		return m.complete(ctx, j, loaded, made, file, clock.seconds)
	}
	heard, _ := m.gens.expect(j.g.ID, true) // first, so that everyone who sees it complete sees that it is to be heard
	if err := m.complete(ctx, j, loaded, made, file, clock.seconds); err != nil {
		m.gens.endCheck(heard)
		return err
	}
	_ = m.gens.enqueueCheck(heard) // when the program is closing, the audio is complete without it
	return nil
}

// acquire loads the job's model for its voice, and downloads it first if it is missing.
func (m *localMaker) acquire(ctx context.Context, j *job) (*engines.Loaded, error) {
	loaded, err := m.acquireModel(ctx, j)
	if err != nil {
		return nil, err
	}
	return m.synth.withReference(ctx, loaded, j.plan.voice)
}

// acquireModel loads the job's model, and downloads it first if it is missing. The licence is accepted only if nothing else
// prevents the generation.
func (m *localMaker) acquireModel(ctx context.Context, j *job) (*engines.Loaded, error) {
	phase := func(phase backend.Status) {
		if err := m.gens.move(ctx, j, func(g *backend.Generation) { g.Status = phase }); err != nil {
			m.gens.o.Log.Warn("write down the state of a generation", "id", j.g.ID, "error", err)
		}
	}
	loaded, err := m.gens.o.Models.Acquire(ctx, j.plan.voice.model, phase)
	if !j.g.Request.AcceptLicense || backend.CodeOf(err) != backend.CodeLicenseNotAccepted {
		return loaded, err
	}
	if _, err := m.gens.o.Models.Download(ctx, j.plan.voice.model, true); err != nil {
		return nil, err
	}
	return m.gens.o.Models.Acquire(ctx, j.plan.voice.model, phase)
}

// complete stores the finished generation with its receipt in one transaction.
func (m *localMaker) complete(
	ctx context.Context, j *job, loaded *engines.Loaded, made recording, file rendered, spent map[string]float64,
) error {
	info := loaded.Info()
	model, _ := m.gens.o.Models.Model(j.plan.voice.model) // it is loaded, so it is known
	if sound := audio.Seconds(made.frames, info.SampleRate); loaded.Spoke != nil && sound > 0 && !made.reused {
		loaded.Spoke(spent["speak"]/sound, made.workers)
	}
	err := m.gens.move(ctx, j, func(g *backend.Generation) {
		g.Status, g.Progress, g.Partial = backend.StatusComplete, 1, nil
		g.AudioPath, g.Duration = file.path, audio.Seconds(made.frames, info.SampleRate)
		g.SampleRate, g.Channels, g.Chunks = info.SampleRate, info.Channels, made.chunks
		g.Receipt = &backend.Receipt{
			AppVersion: m.gens.o.Version, Engine: info.Engine, ModelName: loaded.Model, ModelRevision: loaded.Revision,
			ModelFiles: orEmpty(loaded.Files), Voice: j.plan.voice.id, Language: j.plan.voice.language, LanguageNote: model.Note(j.plan.voice.language), Seed: g.Seed, Speed: g.Speed,
			Parameters: map[string]any{
				"normalize": j.plan.normalize, "limit": j.plan.limit, "max_chunk_chars": j.plan.maxChars, "crossfade_ms": j.plan.crossfade.Milliseconds(),
				"format": g.Format, "steps": cmp.Or(g.Request.Steps, info.Steps), "pause_end_ms": j.plan.lastPause().Milliseconds(),
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
		if row, err := m.gens.o.Store.Generation(context.WithoutCancel(ctx), j.g.ID); err != nil || row.AudioPath != file.path {
			_ = os.Remove(file.path) // no row names it
		}
		return fmt.Errorf("complete the generation: %w", err)
	}
	// A lost level only makes the next stream of this voice a little louder or quieter; the generation is complete.
	err = backend.Contain(func() error { return m.synth.learnLevel(context.WithoutCancel(ctx), j.plan.voice, made.found) })
	if err != nil {
		m.gens.o.Log.Warn("keep the level of a voice", "error", err)
	}
	return nil
}

// leaveJournal closes the journal of a run and records in the job what it holds. It is removed if no later run can use it.
func (m *localMaker) leaveJournal(j *job, stored *journal) {
	partial, keep := stored.partial(), j.snapshot().Status != backend.StatusComplete && !stored.empty()
	if err := stored.close(keep); err != nil {
		m.gens.o.Log.Warn("close the finished chunks of a generation", "id", j.g.ID, "error", err)
	}
	if !keep {
		m.gens.removeJournal(j.g.ID)
		partial = nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ran, j.partial = true, partial
}
