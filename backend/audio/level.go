package audio

import "math"

// LevelVersion is the version of the way in which FindLevel and Limiter bring speech to its level. The same version
// makes the same samples of the same sound.
const LevelVersion = 1

// Level is how sound is brought to its loudness: a gain, then the limiter.
type Level struct {
	Gain      float64 // linear, before the limiter
	LUFS      float64 // the loudness that comes out; -Inf where it cannot be measured, and then the gain is 1
	Reduction float64 // the most that the limiter takes away, in dB; 0 where it has nothing to do
}

// Trace condenses sound to what Level needs to know of it, so that several gains can be tried on long sound at little
// cost: the mean energy (K-weighted) and the highest sample of each block of 1 ms. Its own memory is flat.
type Trace struct {
	weights []float64
	filters []kWeighting
	blocks  *blocks
	meter   blockMeter
	peak    float32
	out     []float32
}

// NewTrace makes a trace for a rate in Hz and interleaved channels.
func NewTrace(rate, channels int) *Trace {
	t := &Trace{weights: channelWeights(channels), filters: make([]kWeighting, channels), meter: newBlockMeter()}
	for c := range t.filters {
		t.filters[c] = newKWeighting(float64(rate))
	}
	t.blocks = newBlocks(rate, channels, t.add)
	return t
}

// Write takes samples and returns the blocks that they complete as pairs of energy and peak, which hold until the next
// call. Pairs of all calls one after the other are what Level replays.
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
	// What lies between samples is some tenths of a dB higher in speech. It counts for the sound as a whole, where it bounds
	// the gain, and when the limiter runs; the search for the gain does without most of the work that it takes.
	t.out = append(t.out, float32(energy), highestSample(block))
}

// Loud returns how many seconds of the sound pass the gates of BS.1770; pauses do not, nor does anything under 400 ms.
func (t *Trace) Loud() float64 { return t.meter.gate.seconds() }

// Level finds the gain that brings the sound to target LUFS with its true peak at most at ceiling dBTP. Where the gain
// alone would pass the ceiling, the limiter takes at most 9 dB away; sound that needs more stays below the target.
// As limiting costs loudness itself, up to three gains are tried on the trace, which replay hands out from its start.
func (t *Trace) Level(target, ceiling float64, replay func(emit func(pairs []float32) error) error) (Level, error) {
	lufs, ok := t.meter.loudness()
	if !ok || t.peak <= 0 {
		return Level{Gain: 1, LUFS: math.Inf(-1)}, nil
	}
	free := ceiling - toDB(t.TruePeak()) // dB that the gain alone can be
	if target-lufs <= free {
		return Level{Gain: fromDB(target - lufs), LUFS: target}, nil
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
	// By the peak between samples, which the tries do without and the limiter does not.
	best.Reduction = min(max(0, toDB(best.Gain)-free), maxReduction)
	return best, nil
}

// tryLevel measures what a gain in dB and the limiter make of a trace.
func tryLevel(gain, ceiling float64, replay func(emit func(pairs []float32) error) error) (Level, error) {
	linear := fromDB(gain)
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
	step  float64 // sum over the present 100 ms
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

// loudness returns the integrated loudness in LUFS. Sound too short for the gates counts as one block, so that a
// short word comes to the level of the others. ok is false for silence.
func (m *blockMeter) loudness() (lufs float64, ok bool) {
	if m.gate.done >= len(m.gate.steps) || m.count == 0 {
		return m.gate.integrated()
	}
	lufs = toLUFS(m.total / float64(m.count))
	return lufs, lufs >= absoluteGate
}
