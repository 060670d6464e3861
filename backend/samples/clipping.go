package samples

import (
	"github.com/voicewright/voicewright/backend/audio"
)

// A recording that was too loud is flat where it was cut off, at full scale or, if it was made quieter afterwards, below.
const (
	clipStep     = 0.02        // seconds of one look for flat places
	flatRun      = 3           // samples of one level that are a flat place
	flatWithin   = 1.5 / 32768 // of the highest level, two steps of 16 bits
	fewestClips  = 3           // places; fewer are chance
	mostlyClips  = 0.5         // share of speech; a recording with more is of no use
	audibleLevel = 0.01        // highest level of recordings in which flat places say nothing
)

// clipped returns the share of speech that was cut off at the highest level, 0 if there are too few such places to matter.
func clipped(part audio.Buffer, speech []Span) float64 {
	size := max(1, int(clipStep*float64(part.Rate)))
	flat := make([]bool, part.Frames()/size+1)
	for c := range part.Channels {
		low, high := extremes(part, c)
		markFlat(flat, part, c, size, high, 1)
		markFlat(flat, part, c, size, -low, -1)
	}
	n := 0
	for _, f := range flat {
		if f {
			n++
		}
	}
	if n < fewestClips {
		return 0
	}
	return min(1, float64(n)*clipStep/max(clipStep, total(speech)))
}

// extremes returns the lowest and the highest sample of a channel.
func extremes(b audio.Buffer, c int) (low, high float32) {
	for i := c; i < len(b.Samples); i += b.Channels {
		low, high = min(low, b.Samples[i]), max(high, b.Samples[i])
	}
	return low, high
}

// markFlat marks the stretches of size frames in which flatRun samples of a channel, times sign, are at the level top, or
// beyond full scale.
func markFlat(flat []bool, b audio.Buffer, c, size int, top, sign float32) {
	if top < audibleLevel {
		return
	}
	limit := min(1, top-flatWithin)
	run := 0
	for frame := range b.Frames() {
		if b.Samples[frame*b.Channels+c]*sign < limit {
			run = 0
			continue
		}
		if run++; run >= flatRun {
			flat[frame/size] = true
		}
	}
}
