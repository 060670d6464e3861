package speech

import (
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// Level is a gain, followed by the limiter if limit is set.
type Level struct {
	Gain  float64 // linear
	Limit bool
}

// Through calls emit with the samples from read at this level.
func (l Level) Through(rate, channels int, read func(func([]float32) error) error, emit func([]float32) error) error {
	if !l.Limit {
		return read(func(samples []float32) error {
			l.scale(samples)
			return emit(samples)
		})
	}
	limiter := audio.NewLimiter(rate, channels, l.Gain, audio.CeilingDBTP)
	if err := read(func(samples []float32) error { return emit(limiter.Write(samples)) }); err != nil {
		return err
	}
	return emit(limiter.Close())
}

func (l Level) scale(samples []float32) {
	if l.Gain == 1 {
		return
	}
	for i := range samples {
		samples[i] = float32(float64(samples[i]) * l.Gain)
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
	Close     func()
}

// Leveller returns a leveller for a plan. Its trace is a file, so that memory stays flat. find is cancelled with ctx.
func (s *Synthesizer) Leveller(ctx context.Context, id string, p *Plan, rate, channels int) (*leveller, error) {
	if !p.Limit {
		return &leveller{normalize: p.Normalize, meter: audio.NewMeter(rate, channels), Close: func() {}}, nil
	}
	const pair = 2
	traced, err := NewSpool(s.TempDir(), id, rate, pair)
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
		trace: audio.NewTrace(rate, channels), keep: traced.Write, replay: replay, Close: func() { s.Drop(traced) },
	}, nil
}

func (l *leveller) Write(samples []float32) error {
	if l.trace == nil {
		l.meter.Write(samples)
		return nil
	}
	return l.keep(l.trace.Write(samples))
}

// Measured is a level and its measurements.
type Measured struct {
	Level
	Receipt *backend.ReceiptLevel // nil without limiter
	voice   *backend.VoiceLevel   // nil if there is too little speech to measure
	loud    float64               // seconds of sound that voice was measured on
}

// find returns the level of all samples written. Errors: engine_failed for silence.
func (l *leveller) Find() (Measured, error) {
	if l.trace != nil {
		return l.findLimited()
	}
	peak := l.meter.TruePeak()
	if peak == 0 {
		return Measured{}, ErrSilent
	}
	out := Measured{Level: Level{Gain: 1}}
	if !l.normalize {
		return out, nil
	}
	lufs, ok := l.meter.Integrated()
	out.Gain = audio.Gain(lufs, peak, audio.TargetLUFS, audio.CeilingDBTP)
	if ok {
		out.voice, out.loud = &backend.VoiceLevel{GainDB: audio.TargetLUFS - lufs, PeakDB: audio.ToDB(peak)}, l.meter.Loud()
	}
	return out, nil
}

func (l *leveller) findLimited() (Measured, error) {
	if err := l.keep(l.trace.Close()); err != nil {
		return Measured{}, err
	}
	peak := l.trace.TruePeak()
	if peak == 0 {
		return Measured{}, ErrSilent
	}
	sound, err := l.trace.Level(audio.TargetLUFS, audio.CeilingDBTP, l.replay)
	if err != nil {
		return Measured{}, err
	}
	out := Measured{
		Level:   Level{Gain: sound.Gain, Limit: sound.Reduction > 0},
		Receipt: &backend.ReceiptLevel{Version: audio.LevelVersion, ReductionDB: Hundredths(sound.Reduction)},
	}
	if !math.IsInf(sound.LUFS, 0) {
		out.Receipt.LUFS = new(Hundredths(sound.LUFS))
		out.Receipt.ShortfallLU = max(0, Hundredths(audio.TargetLUFS-sound.LUFS))
	}
	if out.loud = l.trace.Loud(); out.loud > 0 {
		out.voice = &backend.VoiceLevel{GainDB: audio.ToDB(sound.Gain), PeakDB: audio.ToDB(peak)}
	}
	return out, nil
}

// enoughSpeech is the length in seconds from which a measured level is reliable; a word or two may be quiet or loud.
const enoughSpeech = 3

// LearnLevel stores the level of a voice for its next stream. A measurement on little speech replaces none.
func (s *Synthesizer) LearnLevel(ctx context.Context, v Voice, f Measured) error {
	if f.voice == nil {
		return nil
	}
	if f.loud < enoughSpeech {
		if _, known, err := s.o.Levels.VoiceLevel(ctx, v.Model, v.ID); known || err != nil {
			return err
		}
	}
	return s.o.Levels.SetVoiceLevel(ctx, v.Model, v.ID, *f.voice)
}

// levelOfVoice returns the level for streaming, before the audio is known: the one measured last, or none. The limiter may
// reduce no more than in the measured audio; without one, nothing may clip.
func (p *Plan) levelOfVoice(known backend.VoiceLevel, ok bool) Level {
	l := Level{Gain: 1, Limit: p.Limit}
	if !p.Normalize || !ok {
		return l
	}
	l.Gain = min(audio.FromDB(known.GainDB), p.highestGain(audio.FromDB(known.PeakDB)))
	return l
}

// LevelBefore returns the level at which a plan is heard before its audio is complete: the one at which its voice was measured last,
// else one by the loudness of what is made; made is nil where there is nothing to measure.
func (s *Synthesizer) LevelBefore(ctx context.Context, p *Plan, sound Sound) (Level, error) {
	known, ok, err := s.o.Levels.VoiceLevel(ctx, p.Voice.Model, p.Voice.ID)
	if sound == nil {
		return p.levelOfVoice(known, ok && err == nil), nil
	}
	if err != nil || !ok {
		if known, ok, err = loudnessSoFar(ctx, sound); err != nil {
			return Level{}, err
		}
	}
	return p.levelOfVoice(known, ok), nil
}

// LevelOfTake returns the level of a new take of a finished generation: that of its file, whose gain is gainDB, lower if a higher
// peak needs it.
func (p *Plan) LevelOfTake(gainDB, peak float64) (l Level, lower bool) {
	l = Level{Gain: audio.FromDB(gainDB), Limit: p.Limit}
	if highest := p.highestGain(peak); p.Normalize && highest < l.Gain {
		l.Gain, lower = highest, true
	}
	return l, lower
}

// highestGain returns the highest gain for a true peak, both linear.
func (p *Plan) highestGain(peak float64) float64 {
	if p.Limit {
		return audio.FromDB(audio.HighestGain(peak, audio.CeilingDBTP))
	}
	return audio.FromDB(audio.CeilingDBTP) / peak
}

// Hundredths rounds for a receipt.
func Hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// Emitting returns emit for samples that are not scaled yet.
func (l Level) Emitting(emit func([]float32) error) func([]float32) error {
	return func(samples []float32) error {
		l.scale(samples)
		return emit(samples)
	}
}
