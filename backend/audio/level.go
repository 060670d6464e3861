package audio

import (
	"math"

	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

// LevelVersion is the version of the algorithms of Trace.Level and Limiter. The same version produces the same samples from
// the same audio.
const LevelVersion = 1

// Level is how audio is brought to its loudness: a gain, then the limiter.
type Level struct {
	Gain      float64 // linear, before the limiter
	LUFS      float64 // the resulting loudness; -Inf if it cannot be measured, and then the gain is 1
	Reduction float64 // the largest reduction by the limiter, in dB; 0 if it is not needed
}

// Trace reduces audio to the mean energy (K-weighted) and the highest sample of each block of 1 ms, so that Level can try
// several gains on long audio at little cost. Its own memory is flat.
type Trace struct {
	weights []float64
	filters []kWeighting
	blocks  *blocks
	meter   blockMeter
	peak    float32
	out     []float32
}

// NewTrace returns a trace for a rate in Hz and interleaved channels.
func NewTrace(rate, channels int) *Trace {
	t := &Trace{weights: channelWeights(channels), filters: make([]kWeighting, channels), meter: newBlockMeter()}
	for c := range t.filters {
		t.filters[c] = newKWeighting(float64(rate))
	}
	t.blocks = newBlocks(rate, channels, t.add)
	return t
}

// Write adds samples and returns the completed blocks as pairs of energy and peak, which are valid until the next call. The
// pairs of all calls in their order are what Level replays.
func (t *Trace) Write(samples []float32) []float32 {
	t.out = t.out[:0]
	t.blocks.write(samples)
	return t.out
}

// Close returns the last pairs.
func (t *Trace) Close() []float32 {
	t.out = t.out[:0]
	t.blocks.close()
	return t.out
}

// TruePeak returns the highest level between and on the samples of complete blocks, linear.
func (t *Trace) TruePeak() float64 { return float64(t.peak) }

func (t *Trace) add(block []float32, peak float32) {
	var energy float64
	channels := len(t.filters)
	for c := range t.filters {
		energy += t.weights[c] * t.filters[c].energy(block, c, channels)
	}
	energy /= float64(len(block) / channels)
	t.meter.add(energy)
	t.peak = max(t.peak, peak)
	t.blocks.floor = t.peak
	// In speech, peaks between samples are some tenths of a dB higher. They limit the gain of the whole audio, and the limiter
	// sees them; the search for the gain ignores them, which saves most of its work.
	t.out = append(t.out, float32(energy), filters.Highest(block))
}

// Loud returns how many seconds of the audio pass the gates of BS.1770. Pauses do not, nor does audio shorter than 400 ms.
func (t *Trace) Loud() float64 { return t.meter.gate.seconds() }

// Level returns the gain that brings the audio to target LUFS with its true peak at most at ceiling dBTP. If the gain alone
// would exceed the ceiling, the limiter reduces peaks by at most 9 dB; audio that needs more stays below the target. Since
// limiting itself costs loudness, up to three gains are tried on the trace, which replay emits from its start.
func (t *Trace) Level(target, ceiling float64, replay func(emit func(pairs []float32) error) error) (Level, error) {
	lufs, ok := t.meter.loudness()
	if !ok || t.peak <= 0 {
		return Level{Gain: 1, LUFS: math.Inf(-1)}, nil
	}
	free := ceiling - ToDB(t.TruePeak()) // dB that the gain alone can be
	if target-lufs <= free {
		return Level{Gain: FromDB(target - lufs), LUFS: target}, nil
	}
	free -= limiterMargin
	highest := HighestGain(t.TruePeak(), ceiling)
	const usualLoss = 0.3 // dB for each dB of reduction
	gain := min(target-lufs+usualLoss*(target-lufs-free), highest)
	last, at := lufs+free, free // without reduction the loudness follows the gain
	var best Level
	for try := range 3 {
		tried, err := tryLevel(gain, ceiling, replay)
		if err != nil {
			return Level{}, err
		}
		missing := target - tried.LUFS
		if try == 0 || math.Abs(missing) < math.Abs(target-best.LUFS) {
			best = tried
		}
		if math.Abs(missing) < 0.01 || missing > 0 && gain >= highest {
			break
		}
		slope := max(0.2, (tried.LUFS-last)/(gain-at)) // LU for each dB, as steep as it was so far
		last, at = tried.LUFS, gain
		gain = min(gain+missing/slope, highest)
	}
	// By the peak between samples, which the tries ignore and the limiter does not.
	best.Reduction = min(max(0, ToDB(best.Gain)-free), maxReduction)
	return best, nil
}

// tryLevel returns the level of a trace after a gain in dB and the limiter.
func tryLevel(gain, ceiling float64, replay func(emit func(pairs []float32) error) error) (Level, error) {
	linear := FromDB(gain)
	curve, meter := newGainCurve(linear, ceiling), newBlockMeter()
	var energies [lookAhead]float64 // of the blocks whose gain is not known yet
	edge, n := 1.0, 0
	push := func(energy, peak float64) {
		from := edge
		edge = curve.push(peak)
		if n >= lookAhead {
			middle := linear * (from + edge) / 2
			meter.add(energies[n%lookAhead] * middle * middle)
		}
		energies[n%lookAhead] = energy
		n++
	}
	err := replay(func(pairs []float32) error {
		for i := 0; i+1 < len(pairs); i += 2 {
			push(float64(pairs[i]), float64(pairs[i+1]))
		}
		return nil
	})
	for range lookAhead {
		push(0, 0)
	}
	lufs, _ := meter.loudness()
	return Level{Gain: linear, LUFS: lufs}, err
}

// blockMeter measures loudness from the mean energies of blocks.
type blockMeter struct {
	gate  *gate
	step  float64 // sum over the current 100 ms
	total float64
	count int
}

func newBlockMeter() blockMeter { return blockMeter{gate: newGate()} }

func (m *blockMeter) add(energy float64) {
	const step = blocksPerSecond / 10
	m.total += energy
	m.step += energy
	if m.count++; m.count%step == 0 {
		m.gate.add(m.step / step)
		m.step = 0
	}
}

// loudness returns the integrated loudness in LUFS. Audio too short for the gates counts as one block, so that a
// short word gets the level of the others. ok is false for silence.
func (m *blockMeter) loudness() (lufs float64, ok bool) {
	if m.gate.done >= len(m.gate.steps) || m.count == 0 {
		return m.gate.integrated()
	}
	lufs = toLUFS(m.total / float64(m.count))
	return lufs, lufs >= absoluteGate
}
