package kokoro

import "math"

// timing is the time of a symbol, in seconds from the start of its batch.
type timing struct {
	symbol     rune
	start, end float64
}

// timings returns when each symbol of a batch sounds in its trimmed sound. frames holds the frames of each id, the pads
// included; the sound had total samples, of which [from, to) are left (kokoro-onnx 0.6.1, sliding.py).
func timings(symbols []rune, frames []float64, total, from, to int) []timing {
	whole := 0.0
	for _, f := range frames {
		whole += f
	}
	out := make([]timing, len(symbols))
	passed := frames[0]
	edge := func() float64 {
		at := int(math.RoundToEven(passed*(float64(total)/whole))) - from
		return float64(min(max(at, 0), to-from)) / sampleRate
	}
	start := edge()
	for i, symbol := range symbols {
		passed += frames[i+1]
		end := edge()
		out[i] = timing{symbol: symbol, start: start, end: end}
		start = end
	}
	return out
}

// The search for the silence around a mark (kokoro-onnx 0.6.1, pauses.py).
const (
	quietFrame   = 240  // samples
	quietSeconds = 0.01 // of a frame
	quietFactor  = 0.01 // 40 dB below the loudest frame
	quietReach   = 15   // frames to each side of a mark's end
)

// lengthen returns the samples with the silence after every mark as long as it should be, and the timings moved
// accordingly. A mark without silence stays unchanged: a cut into the sound would be audible.
func lengthen(samples []float32, times []timing) ([]float32, []timing) {
	quiet := quietFrames(samples)
	var out []float32
	moved := make([]timing, len(times))
	done, shift := 0, 0.0
	for i, t := range times {
		moved[i] = timing{symbol: t.symbol, start: t.start + shift, end: t.end + shift}
		wanted := pauseAfter(t.symbol)
		if wanted == 0 {
			continue
		}
		start, length := quietRun(quiet, int(t.end*sampleRate)/quietFrame)
		missing := wanted - float64(float64(length)*quietSeconds)
		if length == 0 || missing <= 0 {
			continue
		}
		middle := (start + length/2) * quietFrame
		out = append(out, samples[done:middle]...)
		out = append(out, make([]float32, int(missing*sampleRate))...)
		done = middle
		shift += missing
	}
	if out == nil {
		return samples, times
	}
	return append(out, samples[done:]...), moved
}

// quietFrames reports for each frame whether it is 40 dB or more below the loudest one.
func quietFrames(samples []float32) []bool {
	power := make([]float64, len(samples)/quietFrame)
	top := 0.0
	for i := range power {
		for _, v := range samples[i*quietFrame : (i+1)*quietFrame] {
			power[i] += float64(v) * float64(v)
		}
		top = max(top, power[i])
	}
	quiet := make([]bool, len(power))
	for i, p := range power {
		quiet[i] = p <= top*quietFactor*quietFactor
	}
	return quiet
}

// quietRun returns the quiet frames around the one nearest to at, the earlier one of two; length 0 when none is in reach.
func quietRun(quiet []bool, at int) (start, length int) {
	inside := -1
	for away := 0; away <= quietReach && inside < 0; away++ {
		for _, i := range [...]int{at - away, at + away} {
			if i >= 0 && i < len(quiet) && quiet[i] {
				inside = i
				break
			}
		}
	}
	if inside < 0 {
		return at, 0
	}
	start, end := inside, inside+1
	for start > 0 && quiet[start-1] {
		start--
	}
	for end < len(quiet) && quiet[end] {
		end++
	}
	return start, end - start
}
