// Package channels tells whether each channel of a stereo recording has one speaker, and when the two of them speak.
package channels

import (
	"iter"
	"math"
)

const (
	stepsPerSecond = 50                  // the resolution
	windowSteps    = 60 * stepsPerSecond // what is heard before it is decided who speaks in it
	windows        = 5                   // the last ones tell how loud noise and speech are

	highPass = 100   // Hz; what is lower is no speech
	digital  = -90.0 // dBFS; what is less is no noise, but a channel that is switched off
	lowest   = -100  // dBFS, the end of the scale
)

// What the channels of a separate recording are like: each is clearly the louder one for a while, and rarely is none of them. In
// others, such as two microphones in a room, they may be so barely.
const (
	clearly     = 10.0 // dB by which a channel is louder than one that hears it too
	clearlyBoth = 0.3  // of the time with speech
	barely      = 3.0
	barelyBoth  = 0.5
	minAlone    = stepsPerSecond
	aloneShare  = 0.02 // of the time with speech
)

// Meter listens to a recording as it is read. Its memory is that of a minute and of the turns.
type Meter struct {
	begun        bool
	channels, at int // at: samples of the step
	fraction     int // of the step that has passed, of rate
	filters      [2]filter
	energies     [2]float64
	levels       [2][]float64 // dBFS of the steps before the window that echo in it, and of the window
	loudness     [2]loudness
	now          int // steps before the window

	strict, loose tracker
}

// Result is what a Meter heard of a stereo recording.
type Result struct {
	Separate bool
	// Turns are when the left channel and the right one speak, see Times; both are empty where nothing tells the channels apart.
	Turns [2][]int
}

// Times returns the starts and ends of turns in seconds. Turns are stored as the time since the end of the one before and the
// length of each, in fiftieths of a second.
func Times(turns []int) iter.Seq2[float64, float64] {
	return func(yield func(start, end float64) bool) {
		at := 0
		for i := 0; i+1 < len(turns); i += 2 {
			from := at + turns[i]
			at = from + turns[i+1]
			if !yield(float64(from)/stepsPerSecond, float64(at)/stepsPerSecond) {
				return
			}
		}
	}
}

// Write adds interleaved samples. Rate in Hz and number of channels are the same in each call.
func (m *Meter) Write(rate, channels int, samples []float32) {
	m.channels = channels
	if channels != 2 {
		return
	}
	if !m.begun {
		m.begun = true
		m.strict, m.loose = newTracker(clearly), newTracker(barely)
		for i := range m.filters {
			m.filters[i].keep = math.Exp(-2 * math.Pi * highPass / float64(rate))
		}
	}
	for i := 0; i+1 < len(samples); i += 2 {
		for c := range m.energies {
			x := m.filters[c].next(float64(samples[i+c]))
			m.energies[c] += x * x
		}
		m.at++
		if m.fraction += stepsPerSecond; m.fraction >= rate { // not every rate has whole samples in a step
			m.fraction -= rate
			m.add()
		}
	}
}

// add ends a step.
func (m *Meter) add() {
	for c, e := range m.energies {
		level := max(lowest, 10*math.Log10(e/float64(m.at)+1e-12))
		m.levels[c] = append(m.levels[c], level)
		m.loudness[c].add(level)
	}
	m.at, m.energies = 0, [2]float64{}
	if len(m.levels[0]) >= echoSteps+windowSteps {
		m.decide()
	}
}

// decide finds who speaks in the window that was heard.
func (m *Meter) decide() {
	var speech [2]float64
	for c := range m.loudness {
		speech[c] = m.loudness[c].speech()
		m.loudness[c].next()
	}
	first := min(m.now, echoSteps)
	for i := first; i < len(m.levels[0]); i++ {
		for _, t := range []*tracker{&m.strict, &m.loose} {
			t.add(m.now+i-first, m.levels, speech, i)
		}
	}
	m.now += len(m.levels[0]) - first
	for c, l := range m.levels {
		m.levels[c] = l[:copy(l, l[max(0, len(l)-echoSteps):])]
	}
}

// Result ends the recording. ok is false unless it had two channels.
func (m *Meter) Result() (r Result, ok bool) {
	if !m.begun {
		return Result{}, m.channels == 2
	}
	if len(m.levels[0]) > min(m.now, echoSteps) {
		m.decide()
	}
	m.strict.close()
	m.loose.close()
	switch {
	case m.strict.apart(clearlyBoth):
		return Result{Separate: true, Turns: m.strict.turns()}, true
	case m.loose.apart(barelyBoth):
		return Result{Turns: m.loose.turns()}, true
	}
	return Result{}, true
}

// tiny is far below any noise.
const tiny = 1e-20

// filter takes direct current and rumble out of a channel.
type filter struct{ keep, in, out float64 }

func (f *filter) next(x float64) float64 {
	if x-x != 0 { // not a number, or infinite
		x = 0
	}
	if f.out = f.keep * (f.out + x - f.in); f.out < tiny && f.out > -tiny {
		f.out = 0 // processors are slow with the smallest numbers, to which silence decays
	}
	f.in = x
	return f.out
}

// loudness counts the levels of the last windows in steps of a decibel.
type loudness struct {
	counts [windows][1 - lowest]int
	window int
}

func (l *loudness) add(level float64) {
	if level > digital {
		l.counts[l.window][min(0, int(level))-lowest]++
	}
}

// next begins a window.
func (l *loudness) next() {
	l.window = (l.window + 1) % windows
	l.counts[l.window] = [1 - lowest]int{}
}

// quantile returns the level that a part of all steps does not exceed.
func (l *loudness) quantile(part float64) float64 {
	var sums [1 - lowest]int
	all := 0
	for _, counts := range l.counts {
		for i, n := range counts {
			sums[i] += n
			all += n
		}
	}
	left := int(part * float64(all))
	for i, n := range sums {
		if left -= n; left < 0 {
			return float64(i + lowest)
		}
	}
	return 0
}

const (
	noiseQuantile, loudQuantile = 0.1, 0.95

	overNoise = 9   // dB by which speech is louder than the noise
	ofLoud    = 25  // dB by which speech is at most softer than the loudest speech
	atLeast   = 6   // dB by which it surely may be
	steady    = 12  // dB: what varies less has no speech
	softest   = -70 // dBFS of speech
)

// speech returns the level from which on a step is speech.
func (l *loudness) speech() float64 {
	noise, loud := l.quantile(noiseQuantile), l.quantile(loudQuantile)
	from := noise + overNoise
	if loud-noise >= steady {
		from = min(max(from, loud-ofLoud), loud-atLeast)
	}
	return max(from, softest)
}
