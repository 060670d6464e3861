package diarize

import (
	"context"
	"math"
	"math/rand/v2"
	"sort"
)

// talk is a conversation of three speakers of any length, for the networks of trueShape: noise that is louder or softer by who
// speaks and brighter or darker by speaker. It repeats itself after ten minutes, but for the noise.
type talk struct {
	samples int
	ends    []int // of the stretches, in samples
	classes []int
	noise   [7][]float32
}

const (
	talkRepeats = 10 * 60 * Rate
	talkNoise   = 65_521 // samples; a prime, so that no stretch has the noise that it had ten minutes before
)

// newTalk has turns of 1 to 7 s, and rests between them.
func newTalk(samples int) *talk { return newConversation(samples, 1, 7, 0.2, 1) }

// newTerseTalk has as many voices, and a tenth of the talk.
func newTerseTalk(samples int) *talk { return newConversation(samples, 0.2, 0.3, 2, 4) }

func newConversation(samples int, shortTurn, longTurn, shortRest, longRest float64) *talk {
	random := rand.New(rand.NewPCG(2, 2))
	t := &talk{samples: samples}
	seconds := func(from, to float64) int { return int((from + random.Float64()*(to-from)) * Rate) }
	for at, class := 0, 0; at < talkRepeats; {
		length := seconds(shortTurn, longTurn)
		switch next := random.IntN(10); {
		case class == 0: // after silence, and
			class = 1 + random.IntN(3)
		case next < 2: // after every fifth turn, two at once
			class, length = 4+random.IntN(3), seconds(0.2, 0.8)
		default:
			class, length = 0, seconds(shortRest, longRest)
		}
		at = min(at+length, talkRepeats)
		t.ends, t.classes = append(t.ends, at), append(t.classes, class)
	}
	for class := range t.noise {
		t.noise[class] = noiseOf(class)
	}
	return t
}

// noiseOf returns noise as loud as loudnessOf says.
func noiseOf(class int) []float32 {
	random := rand.New(rand.NewPCG(3, uint64(class)))
	out := make([]float32, talkNoise)
	sum, last := 0.0, 0.0
	for i := range out {
		last = random.NormFloat64() + last*float64(class)/8
		out[i] = float32(last)
		sum += math.Abs(last)
	}
	for i := range out {
		out[i] *= float32(loudnessOf(class) * talkNoise / sum)
	}
	return out
}

func (t *talk) Samples() int { return t.samples }

func (t *talk) Read(_ context.Context, into []float32, start int) error {
	for len(into) > 0 {
		at := start % talkRepeats
		stretch := sort.SearchInts(t.ends, at+1)
		n := min(t.ends[stretch]-at, len(into))
		noise := t.noise[t.classes[stretch]]
		for done := 0; done < n; {
			done += copy(into[done:n], noise[(start+done)%talkNoise:])
		}
		into, start = into[n:], start+n
	}
	return nil
}
