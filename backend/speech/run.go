package speech

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// run speaks an accepted job and ends it.
func (s *Service) run(ctx context.Context, j *job) {
	s.finish(j, s.perform(ctx, j))
}

func (s *Service) perform(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.Because(err)
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
	sp, err := newSpool(s.unfinished(), j.g.ID, info.SampleRate, info.Channels)
	if err != nil {
		return err
	}
	defer func() {
		if err := sp.release(); err != nil {
			s.o.Log.Warn("remove a spool file", "error", err)
		}
	}()
	defer sp.end()
	made, err := s.record(ctx, j, loaded, sp)
	if err != nil {
		return err
	}
	sp.end()
	clock.lap("speak")
	file, err := s.render(ctx, j, sp, made, path)
	if err != nil {
		return err
	}
	clock.lap("write")
	return s.complete(ctx, j, loaded, made, file, clock.seconds)
}

// acquire loads the job's model, and downloads it when it is missing. A licence is accepted only where that is all that stands
// in the way.
func (s *Service) acquire(ctx context.Context, j *job) (*engines.Loaded, error) {
	phase := func(phase backend.Status) {
		if err := s.move(ctx, j, func(g *backend.Generation) { g.Status = phase }); err != nil {
			s.o.Log.Warn("write down the state of a generation", "id", j.g.ID, "error", err)
		}
	}
	loaded, err := s.o.Models.Acquire(ctx, j.voice.model, phase)
	if !j.g.Request.AcceptLicense || backend.CodeOf(err) != backend.CodeLicenseNotAccepted {
		return loaded, err
	}
	if _, err := s.o.Models.Download(ctx, j.voice.model, true); err != nil {
		return nil, err
	}
	return s.o.Models.Acquire(ctx, j.voice.model, phase)
}

// recording is what was learnt while the samples went into the spool.
type recording struct {
	chunks   []backend.Chunk
	seeds    []backend.ReceiptChunk
	gain     float64 // linear, 1 when the loudness is not measurable or not wanted
	measured bool    // the gain says something about the voice
	frames   int64
}

// The level of finished speech (decisions.md section 2, normalize).
const (
	targetLUFS  = -16
	ceilingDBTP = -1
)

// record speaks the plan into the spool.
func (s *Service) record(ctx context.Context, j *job, loaded *engines.Loaded, sp *spool) (recording, error) {
	var out recording
	meter := audio.NewMeter(sp.rate, sp.channels)
	joiner := audio.NewJoiner(sp.rate, sp.channels, j.crossfade, func(samples []float32) error {
		meter.Write(samples)
		if err := sp.write(samples); err != nil {
			return err
		}
		j.begin(sp)
		return nil
	})
	total, spoken, n := utf8.RuneCountInString(j.g.Text), 0, 0
	for _, piece := range j.plan {
		if piece.Pause > 0 {
			if err := joiner.Pause(piece.Pause); err != nil {
				return out, err
			}
			continue
		}
		chunk := backend.ReceiptChunk{Text: piece.Text, Seed: chunkSeed(j.g.Seed, n)}
		n++
		heard, err := speakChunk(ctx, j, loaded, chunk, joiner)
		if err != nil {
			return out, err
		}
		if heard {
			out.seeds = append(out.seeds, chunk)
		}
		spoken += utf8.RuneCountInString(piece.Text)
		s.notify(j.set(func(g *backend.Generation) {
			g.Progress = max(g.Progress, min(0.95, 0.95*float64(spoken)/float64(total)))
		}))
	}
	if err := joiner.Close(); err != nil {
		return out, err
	}
	return out, out.measure(j, sp, meter, joiner)
}

// speakChunk speaks a chunk into the joiner. heard is false when the engine finds nothing in it to speak, such as a script
// that it does not know; the other chunks go on.
func speakChunk(
	ctx context.Context, j *job, loaded *engines.Loaded, c backend.ReceiptChunk, joiner *audio.Joiner,
) (heard bool, err error) {
	u := engines.Utterance{Text: c.Text, Voice: j.voice.id, Language: j.voice.language, Speed: j.g.Speed, Seed: c.Seed}
	err = speakAt(ctx, loaded, u, func(b audio.Buffer) error {
		if !heard && len(b.Samples) > 0 {
			heard = true
			if err := joiner.Start(); err != nil {
				return err
			}
		}
		if !heard {
			return nil
		}
		return joiner.Write(b.Samples)
	})
	if !heard && backend.CodeOf(err) == backend.CodeNothingToSpeak {
		return false, nil
	}
	return heard, err
}

// measure finds the gain and the chunks' times of what was spoken. Errors: nothing_to_speak, engine_failed for silence.
func (r *recording) measure(j *job, sp *spool, meter *audio.Meter, joiner *audio.Joiner) error {
	if len(r.seeds) == 0 {
		return errNothing
	}
	if meter.TruePeak() == 0 {
		return backend.E(backend.CodeEngineFailed, "The engine gave only silence.",
			"Try another seed or another voice.").With("stage", "speak")
	}
	r.frames, r.gain = joiner.Frames(), 1
	if j.normalize {
		var lufs float64
		lufs, r.measured = meter.Integrated()
		r.gain = audio.Gain(lufs, meter.TruePeak(), targetLUFS, ceilingDBTP)
	}
	for i, span := range joiner.Spans() {
		r.chunks = append(r.chunks, backend.Chunk{
			Text: r.seeds[i].Text, Start: seconds(span.Start, sp.rate), End: seconds(span.End, sp.rate), Takes: 1,
		})
	}
	return nil
}

// speakAt speaks at any speed: within the engine's own range by the engine, beyond it by time-stretch at equal pitch.
func speakAt(ctx context.Context, sp engines.Speaker, u engines.Utterance, emit func(audio.Buffer) error) error {
	info := sp.Info()
	wanted := u.Speed
	u.Speed = min(max(wanted, info.MinSpeed), info.MaxSpeed)
	if u.Speed == wanted {
		return sp.Speak(ctx, u, emit)
	}
	var whole []float32
	err := sp.Speak(ctx, u, func(b audio.Buffer) error {
		whole = append(whole, b.Samples...)
		return nil
	})
	if err != nil {
		return err
	}
	stretched, err := audio.Stretch(ctx, whole, info.SampleRate, wanted/u.Speed)
	if err != nil {
		return err
	}
	return emit(audio.Buffer{Samples: stretched, Rate: info.SampleRate, Channels: info.Channels})
}

// complete writes down the finished generation with its receipt in one transaction.
func (s *Service) complete(
	ctx context.Context, j *job, loaded *engines.Loaded, made recording, file rendered, spent map[string]float64,
) error {
	info := loaded.Info()
	if sound := seconds(made.frames, info.SampleRate); loaded.Spoke != nil && sound > 0 {
		loaded.Spoke(spent["speak"] / sound)
	}
	err := s.move(ctx, j, func(g *backend.Generation) {
		g.Status, g.Progress = backend.StatusComplete, 1
		g.AudioPath, g.Duration = file.path, seconds(made.frames, info.SampleRate)
		g.SampleRate, g.Channels, g.Chunks = info.SampleRate, info.Channels, made.chunks
		g.Receipt = &backend.Receipt{
			AppVersion: s.o.Version, Engine: info.Engine, ModelName: loaded.Model, ModelRevision: loaded.Revision,
			ModelFiles: orEmpty(loaded.Files), Voice: j.voice.id, Language: j.voice.language, Seed: g.Seed, Speed: g.Speed,
			Parameters: map[string]any{
				"normalize": j.normalize, "max_chunk_chars": j.maxChars, "crossfade_ms": j.crossfade.Milliseconds(),
				"format": g.Format,
			},
			SpokenText: g.Text, Chunks: made.seeds, Device: info.Device, Threads: info.Threads, Runtimes: info.Runtimes,
			GainDB: decibels(made.gain), AudioSHA256: file.sha256, Seconds: spent, DroppedTags: []string{},
			Reproducible: info.Reproducible,
		}
	})
	if err != nil {
		if row, err := s.o.Store.Generation(context.WithoutCancel(ctx), j.g.ID); err != nil || row.AudioPath != file.path {
			_ = os.Remove(file.path) // no row owns it
		}
		return fmt.Errorf("complete the generation: %w", err)
	}
	if made.measured {
		// A lost level only makes the next stream of this voice a little louder or quieter.
		if err := s.o.Store.SetVoiceGain(context.WithoutCancel(ctx), j.voice.model, j.voice.id, decibels(made.gain)); err != nil {
			s.o.Log.Warn("keep the level of a voice", "error", err)
		}
	}
	return nil
}

// chunkSeed derives the seed of a chunk (SplitMix64, Steele et al. 2014), so that every chunk draws its own noise
// and keeps it when a neighbour changes.
func chunkSeed(seed int64, chunk int) int64 {
	x := uint64(seed) + uint64(chunk+1)*0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return int64((x ^ (x >> 31)) & 0x7fffffff)
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
