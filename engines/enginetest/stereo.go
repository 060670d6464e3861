package enginetest

import (
	"math"
	"math/rand/v2"

	"github.com/voicewright/voicewright/backend/audio"
)

// interviewRate is the sample rate of the recordings here in Hz.
const interviewRate = 16000

// Turn is a stretch in which a voice speaks, in seconds.
type Turn struct{ From, To float64 }

// InterviewTurns are those of the left and of the right speaker of Interview.
func InterviewTurns() (left, right []Turn) {
	return []Turn{{0.2, 3}, {6, 8}, {10, 11}}, []Turn{{3, 6}, {8, 10}, {10.5, 12}}
}

// Voice returns sound like speech: syllables of a pitch in Hz with overtones, and short pauses between words.
func Voice(seconds, pitch float64, turns ...Turn) []float32 {
	out := make([]float32, int(seconds*interviewRate))
	for _, t := range turns {
		for i := int(t.From * interviewRate); i < min(int(t.To*interviewRate), len(out)); i++ {
			now := float64(i)/interviewRate - t.From
			if int(now*4)%5 == 4 {
				continue
			}
			for n := 1.0; n < 8; n++ {
				out[i] += float32(0.2 * math.Abs(math.Sin(math.Pi*now*4)) * math.Sin(2*math.Pi*pitch*n*now) / n)
			}
		}
	}
	return out
}

// Interview returns a stereo recording of twelve seconds with a speaker on each channel, who is heard on the other one too, softer by
// a factor. Each channel has noise of an effective amplitude.
func Interview(bleed, noise float32) audio.Buffer {
	left, right := InterviewTurns()
	a, b := Voice(12, 110, left...), Voice(12, 190, right...)
	r := rand.New(rand.NewPCG(1, 2))
	hiss := func() float32 { return noise * float32(r.NormFloat64()) }
	c, d := make([]float32, len(a)), make([]float32, len(a))
	for i := range a {
		c[i], d[i] = a[i]+bleed*b[i]+hiss(), b[i]+bleed*a[i]+hiss()
	}
	return Interleave(c, d)
}

// Interleave returns a recording of channels of equal length.
func Interleave(channels ...[]float32) audio.Buffer {
	b := audio.Buffer{Rate: interviewRate, Channels: len(channels)}
	for i := range channels[0] {
		for _, c := range channels {
			b.Samples = append(b.Samples, c[i])
		}
	}
	return b
}
