package audio

// The limiter (docs/loudness.md explains the numbers).
const (
	lookAhead     = 5     // blocks of 1 ms in which the gain falls ahead of a peak
	holdTime      = 10    // blocks that a peak holds the gain down, more than lookAhead: a period of a low voice
	releaseTime   = 0.015 // seconds in which the gain comes back by 63 %
	limiterMargin = 0.05  // dB below the ceiling that stay free
	maxReduction  = 9.0   // dB by which peaks are reduced at most
)

// HighestGain returns the highest gain in dB for audio with a linear true peak, with at most 9 dB of reduction.
func HighestGain(peak, ceiling float64) float64 {
	return ceiling - limiterMargin - ToDB(peak) + maxReduction
}

// smoothing are the weights of the blocks ahead; their sum is exactly 1.
var smoothing = [lookAhead]float64{0.125, 0.25, 0.25, 0.25, 0.125}

// gainCurve turns the peaks of blocks into the gain at the start of each block, which is at most what this block
// and the one before need. It is lookAhead-1 blocks late.
type gainCurve struct {
	threshold float64            // the peak that needs no reduction
	needs     [holdTime]float64  // of the last blocks
	next      int                // the oldest of them
	held      [lookAhead]float64 // the oldest first
	full      int                // blocks in a row with full gain
}

func newGainCurve(gain, ceiling float64) *gainCurve {
	// Rounded as peaks are, so that one at the threshold needs no reduction.
	threshold := float64(float32(FromDB(ceiling-limiterMargin) / gain))
	c := &gainCurve{threshold: threshold}
	for i := range c.needs {
		c.needs[i] = 1
	}
	for i := range c.held {
		c.held[i] = 1
	}
	return c
}

// push adds the peak of block n and returns the gain at the start of block n-lookAhead+1.
func (c *gainCurve) push(peak float64) float64 {
	need := 1.0
	if peak > c.threshold {
		need = c.threshold / peak
	} else if c.full >= lookAhead { // everything is at full gain and stays there
		return 1
	}
	c.needs[c.next] = need
	if c.next++; c.next == len(c.needs) {
		c.next = 0
	}
	lowest := need
	for _, n := range c.needs {
		if n < lowest { // min also looks for NaN
			lowest = n
		}
	}
	held := c.release(lowest)
	h, w := &c.held, &smoothing
	h[0], h[1], h[2], h[3], h[4] = h[1], h[2], h[3], h[4], held
	if c.full++; held < 1 {
		c.full = 0
	}
	return w[0]*h[0] + w[1]*h[1] + w[2]*h[2] + w[3]*h[3] + w[4]*h[4]
}

// release lets the gain follow a fall at once and a rise slowly.
func (c *gainCurve) release(lowest float64) float64 {
	const (
		slow   = 1 / (releaseTime * blocksPerSecond)
		nearly = 1e-4 // of full gain, 0.001 dB: ends a rise, which would take for ever
	)
	last := c.held[lookAhead-1]
	gain := min(lowest, last+(1-last)*slow)
	if gain > 1-nearly {
		gain = lowest
	}
	return gain
}

// Limiter applies a gain to interleaved samples and keeps them below a true peak: the gain falls smoothly within 5 ms before
// each peak and rises after it. Where no peak is near, samples are only multiplied by the gain. The output is as long as the
// input, about 6 ms late. Memory is flat.
type Limiter struct {
	gain    float64
	blocks  *blocks
	curve   *gainCurve
	edge    float64 // the value of the curve at the end of the last returned block
	pushed  int     // blocks, up to lookAhead
	delayed []float32
	out     []float32
}

// NewLimiter returns a limiter for a rate in Hz, a linear gain and a ceiling in dBTP.
func NewLimiter(rate, channels int, gain, ceiling float64) *Limiter {
	l := &Limiter{gain: gain, curve: newGainCurve(gain, ceiling)}
	l.blocks = newBlocks(rate, channels, func(block []float32, peak float32) {
		l.delayed = append(l.delayed, block...)
		l.step(peak)
	})
	l.blocks.floor = float32(l.curve.threshold)
	return l
}

// Write adds samples and returns those that are ready, which are valid until the next call.
func (l *Limiter) Write(samples []float32) []float32 {
	l.out = l.out[:0]
	l.blocks.write(samples)
	return l.out
}

// Close returns the remaining samples.
func (l *Limiter) Close() []float32 {
	l.out = l.out[:0]
	l.blocks.close()
	for len(l.delayed) > 0 {
		l.step(0)
	}
	return l.out
}

// step returns the oldest block once the peaks of those after it are known.
func (l *Limiter) step(peak float32) {
	from := l.edge
	l.edge = l.curve.push(float64(peak))
	if l.pushed < lookAhead {
		l.pushed++
		return
	}
	channels := l.blocks.channels
	n := min(l.blocks.frames*channels, len(l.delayed))
	at := len(l.out)
	l.out = append(l.out, l.delayed[:n]...)
	out := l.out[at:]
	l.delayed = l.delayed[:copy(l.delayed, l.delayed[n:])]
	if from == 1 && l.edge == 1 { // the usual case
		for i, x := range out {
			out[i] = float32(float64(x) * l.gain)
		}
		return
	}
	slope := (l.edge - from) / float64(l.blocks.frames)
	for i := 0; i < n; i += channels {
		gain := l.gain * (from + slope*(float64(i/channels)+0.5))
		for c, x := range out[i : i+channels] {
			out[i+c] = float32(float64(x) * gain)
		}
	}
}
