package generations

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
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
	"github.com/voicewright/voicewright/engines"
)

// localMaker makes generations with engines on this machine.
type localMaker struct {
	base
	gens *Service
}

// Prepare returns the job of a request for a local voice.
func (m *localMaker) Prepare(ctx context.Context, r Request, profile backend.Profile) (*Job, error) {
	r.Text = strings.TrimSpace(r.Text)
	if !r.remade {
		r.pauses = new(r.Pauses.Over(m.o.Pauses()))
	}
	if r.Verify == nil && !r.remade && m.o.Verify() {
		r.Verify = new(true)
	}
	p, err := m.synth.Plan(ctx, r.Text, r.pauses, r.GenerateOptions, profile)
	if err != nil {
		return nil, err
	}
	if err := m.donors(r.Donors).KeepPassages(ctx, p, r.Text); err != nil {
		return nil, err
	}
	format := cmp.Or(r.Format, "wav")
	if err := m.o.Encoder.Ready(ctx, format); err != nil {
		return nil, err
	}
	if p.Seed = *cmp.Or(r.Seed, new(int64(-1))); p.Seed < 0 {
		p.Seed = m.o.NewSeed()
	}
	j := NewJob(backend.Generation{
		ID: m.o.NewID(), ProfileID: profile.ID, ProfileName: profile.Name, Text: r.Text, Language: p.Voice.Language,
		Seed: p.Seed, CreatedAt: m.o.Now().UTC().Truncate(time.Millisecond), Status: backend.StatusQueued,
		Format: format, ModelName: p.Voice.Model, Engine: p.Voice.Engine, Voice: p.Voice.ID, Speed: p.Speed,
		Source: backend.SourceLocal, Title: strings.TrimSpace(r.Title), ParentID: r.ParentID,
		Chunks: []backend.Chunk{}, Request: r.Stored(r.pauses, nil),
	})
	j.Plan, j.Maker = p, m
	return j, nil
}

// Run speaks a job with an engine.
func (m *localMaker) Run(ctx context.Context, j *Job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	clock := speech.Stopwatch{Now: m.o.Now, Last: m.o.Now(), Seconds: map[string]float64{}}
	loaded, err := m.acquire(ctx, j)
	if err != nil {
		return err
	}
	defer loaded.Release()
	clock.Lap("load")
	if err := m.gens.Move(ctx, j, func(g *backend.Generation) { g.Status = backend.StatusGenerating }); err != nil {
		return err
	}
	path := m.gens.Archive.Path(j.Row)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return backend.FileError("make the audio directory", "the data directory", err)
	}
	info := loaded.Info()
	sp, err := speech.NewSpool(m.synth.TempDir(), j.Row.ID, info.SampleRate, info.Channels)
	if err != nil {
		return err
	}
	defer m.synth.Drop(sp)
	stored, err := journal.Open(m.synth.JournalPath(j.Row.ID), m.o.Now)
	if err != nil {
		return err
	}
	defer m.leaveJournal(j, stored)
	run := m.gens.RunOf(j, loaded, stored)
	run.Donors = m.donors(j.Row.Request.Donors)
	recording, err := m.synth.Record(ctx, run, sp)
	if err != nil {
		return err
	}
	sp.End()
	clock.Lap("speak")
	file, err := m.synth.Render(ctx, j.Row, sp, recording, path)
	if err != nil {
		return err
	}
	clock.Lap("write")
	if !*cmp.Or(j.Row.Request.Verify, new(false)) {
		return m.complete(ctx, j, loaded, recording, file, clock.Seconds)
	}
	check := m.gens.Checks.expect(j.Row.ID, true) // first, so that everyone who sees it complete sees that it is to be heard
	err = m.complete(ctx, j, loaded, recording, file, clock.Seconds)
	if check == nil {
		return err
	}
	if err != nil {
		m.gens.Checks.end(check)
		return err
	}
	_ = m.gens.Checks.enqueue(check) // when the program is closing, the audio is complete without it
	return nil
}

// acquire loads the job's model for its voice when it is the job's turn, and downloads it first if it is missing.
func (m *localMaker) acquire(ctx context.Context, j *Job) (*engines.Loaded, error) {
	if j.behind {
		if err := m.gens.lines.turn(ctx); err != nil {
			return nil, err
		}
	}
	loaded, err := m.acquireModel(ctx, j)
	if err != nil {
		return nil, err
	}
	return m.synth.WithReference(ctx, loaded, j.Plan.Voice)
}

// acquireModel loads the job's model, and downloads it first if it is missing. The licence is accepted only if nothing else
// prevents the generation.
func (m *localMaker) acquireModel(ctx context.Context, j *Job) (*engines.Loaded, error) {
	phase := func(phase backend.Status) {
		if err := m.gens.Move(ctx, j, func(g *backend.Generation) { g.Status = phase }); err != nil {
			m.o.Log.Warn("write down the state of a generation", "id", j.Row.ID, "error", err)
		}
	}
	loaded, err := m.o.Models.Acquire(ctx, j.Plan.Voice.Model, phase)
	if !j.Row.Request.AcceptLicense || backend.CodeOf(err) != backend.CodeLicenseNotAccepted {
		return loaded, err
	}
	if _, err := m.o.Models.Download(ctx, j.Plan.Voice.Model, true); err != nil {
		return nil, err
	}
	return m.o.Models.Acquire(ctx, j.Plan.Voice.Model, phase)
}

// complete stores the finished generation with its receipt in one transaction.
func (m *localMaker) complete(
	ctx context.Context, j *Job, loaded *engines.Loaded, recording speech.Recording, file speech.File, spent map[string]float64,
) error {
	info := loaded.Info()
	model, _ := m.o.Models.Model(j.Plan.Voice.Model) // it is loaded, so it is known
	if sound := audio.Seconds(recording.Frames, info.SampleRate); loaded.Spoke != nil && sound > 0 && !recording.Reused && !recording.Moved {
		loaded.Spoke(spent["speak"]/sound, recording.Workers)
	}
	err := m.gens.Move(ctx, j, func(g *backend.Generation) {
		g.Status, g.Progress, g.Partial = backend.StatusComplete, 1, nil
		g.AudioPath, g.Duration = file.Path, audio.Seconds(recording.Frames, info.SampleRate)
		g.SampleRate, g.Channels, g.Chunks = info.SampleRate, info.Channels, recording.Chunks
		g.Receipt = &backend.Receipt{
			AppVersion: m.o.Version, Engine: info.Engine, ModelName: loaded.Model, ModelRevision: loaded.Revision,
			ModelFiles: append([]backend.FileHash{}, loaded.Files...), Voice: j.Plan.Voice.ID,
			Language: j.Plan.Voice.Language, LanguageNote: model.Note(j.Plan.Voice.Language), Seed: g.Seed, Speed: g.Speed,
			Parameters: map[string]any{
				"normalize": j.Plan.Normalize, "limit": j.Plan.Limit, "max_chunk_chars": j.Plan.MaxChars,
				"crossfade_ms": j.Plan.Crossfade.Milliseconds(), "format": g.Format,
				"steps": cmp.Or(g.Request.Steps, info.Steps), "pause_end_ms": j.Plan.LastPause().Milliseconds(),
			},
			Shortened: j.Plan.Shortened(),
			Chunks:    recording.Takes, Device: info.Device, Threads: info.Threads, Workers: recording.Workers,
			Runtimes: info.Runtimes,
			GainDB:   audio.ToDB(recording.Gain), Level: recording.Receipt, AudioSHA256: file.SHA256, Seconds: spent,
			Reproducible: info.Reproducible && !recording.Mixed,
		}
		if j.Plan.Pauses != nil {
			g.Receipt.Parameters["pauses"] = *j.Plan.Pauses
		}
		g.Receipt.Sum()
	})
	if err != nil {
		if row, err := m.o.Store.Generation(context.WithoutCancel(ctx), j.Row.ID); err != nil || row.AudioPath != file.Path {
			_ = os.Remove(file.Path) // no row names it
		}
		return fmt.Errorf("complete the generation: %w", err)
	}
	// A lost level only makes the next stream of this voice a little louder or quieter; the generation is complete.
	err = backend.Contain(func() error { return m.synth.LearnLevel(context.WithoutCancel(ctx), j.Plan.Voice, recording.Measured) })
	if err != nil {
		m.o.Log.Warn("keep the level of a voice", "error", err)
	}
	return nil
}

// leaveJournal closes the journal of a run and records in the job what it holds. It is removed if no later run can use it.
func (m *localMaker) leaveJournal(j *Job, stored *journal.Journal) {
	partial, keep := stored.Partial(), j.Snapshot().Status != backend.StatusComplete && !stored.Empty()
	if err := stored.Close(keep); err != nil {
		m.o.Log.Warn("close the finished chunks of a generation", "id", j.Row.ID, "error", err)
	}
	if !keep {
		m.gens.partials.remove(j.Row.ID)
		partial = nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ran, j.partial = true, partial
}
