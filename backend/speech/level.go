package speech

import (
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// level is a gain, followed by the limiter if limit is set.
type level struct {
	gain  float64 // linear
	limit bool
}

// through calls emit with the samples from read at this level.
func (l level) through(rate, channels int, read func(func([]float32) error) error, emit func([]float32) error) error {
	if !l.limit {
		return read(func(samples []float32) error {
			l.scale(samples)
			return emit(samples)
		})
	}
	limiter := audio.NewLimiter(rate, channels, l.gain, audio.CeilingDBTP)
	if err := read(func(samples []float32) error { return emit(limiter.Write(samples)) }); err != nil {
		return err
	}
	return emit(limiter.Close())
}

func (l level) scale(samples []float32) {
	if l.gain == 1 {
		return
	}
	for i := range samples {
		samples[i] = float32(float64(samples[i]) * l.gain)
	}
}

// leveller finds the level of the samples written to it: with the limiter from a trace, which keep stores and replay reads;
// else the gain alone, or none.
type leveller struct {
	normalize bool
	meter     *audio.Meter
	trace     *audio.Trace // nil without limiter
	keep      func(pairs []float32) error
	replay    func(emit func(pairs []float32) error) error
	close     func()
}

// newLeveller returns a leveller for a plan. Its trace is a file, so that memory stays flat. find is cancelled with ctx.
func (s *Synthesizer) newLeveller(ctx context.Context, id string, p *Plan, rate, channels int) (*leveller, error) {
	if !p.limit {
		return &leveller{normalize: p.normalize, meter: audio.NewMeter(rate, channels), close: func() {}}, nil
	}
	const pair = 2
	traced, err := newSpool(s.TempDir(), id, rate, pair)
	if err != nil {
		return nil, err
	}
	replay := func(emit func([]float32) error) error {
		return traced.all(func(pairs []float32) error {
			if err := ctx.Err(); err != nil { // a pass over hours takes a while
				return backend.ErrCancelled.WithCause(err)
			}
			return emit(pairs)
		})
	}
	return &leveller{
		trace: audio.NewTrace(rate, channels), keep: traced.write, replay: replay, close: func() { s.drop(traced) },
	}, nil
}

func (l *leveller) write(samples []float32) error {
	if l.trace == nil {
		l.meter.Write(samples)
		return nil
	}
	return l.keep(l.trace.Write(samples))
}

// found is a level and its measurements.
type found struct {
	level
	receipt *backend.ReceiptLevel // nil without limiter
	voice   *backend.VoiceLevel   // nil if there is too little speech to measure
	loud    float64               // seconds of sound that voice was measured on
}

// find returns the level of all samples written. Errors: engine_failed for silence.
func (l *leveller) find() (found, error) {
	if l.trace != nil {
		return l.findLimited()
	}
	peak := l.meter.TruePeak()
	if peak == 0 {
		return found{}, errSilent
	}
	out := found{level: level{gain: 1}}
	if !l.normalize {
		return out, nil
	}
	lufs, ok := l.meter.Integrated()
	out.gain = audio.Gain(lufs, peak, audio.TargetLUFS, audio.CeilingDBTP)
	if ok {
		out.voice, out.loud = &backend.VoiceLevel{GainDB: audio.TargetLUFS - lufs, PeakDB: audio.ToDB(peak)}, l.meter.Loud()
	}
	return out, nil
}

func (l *leveller) findLimited() (found, error) {
	if err := l.keep(l.trace.Close()); err != nil {
		return found{}, err
	}
	peak := l.trace.TruePeak()
	if peak == 0 {
		return found{}, errSilent
	}
	made, err := l.trace.Level(audio.TargetLUFS, audio.CeilingDBTP, l.replay)
	if err != nil {
		return found{}, err
	}
	out := found{
		level:   level{gain: made.Gain, limit: made.Reduction > 0},
		receipt: &backend.ReceiptLevel{Version: audio.LevelVersion, ReductionDB: hundredths(made.Reduction)},
	}
	if !math.IsInf(made.LUFS, 0) {
		out.receipt.LUFS = new(hundredths(made.LUFS))
		out.receipt.ShortfallLU = max(0, hundredths(audio.TargetLUFS-made.LUFS))
	}
	if out.loud = l.trace.Loud(); out.loud > 0 {
		out.voice = &backend.VoiceLevel{GainDB: audio.ToDB(made.Gain), PeakDB: audio.ToDB(peak)}
	}
	return out, nil
}

// enoughSpeech is the length in seconds from which a measured level is reliable; a word or two may be quiet or loud.
const enoughSpeech = 3

// learnLevel stores the level of a voice for its next stream. A measurement on little speech replaces none.
func (s *Synthesizer) learnLevel(ctx context.Context, v voice, f found) error {
	if f.voice == nil {
		return nil
	}
	if f.loud < enoughSpeech {
		if _, known, err := s.o.Levels.VoiceLevel(ctx, v.model, v.id); known || err != nil {
			return err
		}
	}
	return s.o.Levels.SetVoiceLevel(ctx, v.model, v.id, *f.voice)
}

// levelOfVoice returns the level for streaming, before the audio is known: the one measured last, or none. The limiter may
// reduce no more than in the measured audio; without one, nothing may clip.
func (p *Plan) levelOfVoice(known backend.VoiceLevel, ok bool) level {
	l := level{gain: 1, limit: p.limit}
	if !p.normalize || !ok {
		return l
	}
	l.gain = min(audio.FromDB(known.GainDB), p.highestGain(audio.FromDB(known.PeakDB)))
	return l
}

// levelOfTake returns the level of a new take of a finished generation: that of its file, whose gain is gainDB, lower if a higher
// peak needs it.
func (p *Plan) levelOfTake(gainDB, peak float64) (l level, lower bool) {
	l = level{gain: audio.FromDB(gainDB), limit: p.limit}
	if highest := p.highestGain(peak); p.normalize && highest < l.gain {
		l.gain, lower = highest, true
	}
	return l, lower
}

// highestGain returns the highest gain for a true peak, both linear.
func (p *Plan) highestGain(peak float64) float64 {
	if p.limit {
		return audio.FromDB(audio.HighestGain(peak, audio.CeilingDBTP))
	}
	return audio.FromDB(audio.CeilingDBTP) / peak
}

// hundredths rounds for a receipt.
func hundredths(x float64) float64 { return math.Round(x*100) / 100 }
