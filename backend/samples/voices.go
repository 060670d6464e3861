package samples

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// OtherPerson is the cosine of two voice prints below which they are taken for those of two people: a distance of 0.7, the largest
// of those that users of sherpa-onnx cluster voices with (its documents: 0.5; k2-fsa/sherpa-onnx#1466 and others: up to 0.7 and
// more), so that a person is rarely warned of their own voice. For the network that we use one pair was published: 0.67 for one
// person, 0.06 for two (the card of AXERA-TECH's port). Unverified with published networks: `voicewright speakers verify` measures
// it with anybody's recordings.
const OtherPerson = 0.3

// What of a recording a second person says at least, for a warning. Shorter stretches have prints that say little.
const (
	voiceShare   = 0.1
	voiceSeconds = 1.0
)

// Voice is what one person says in a recording.
type Voice struct {
	Seconds float64
	Print   []float32 // of length 1
}

// Cosine returns how alike two voice prints are, -1 to 1. Their lengths must be equal.
func Cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab, aa, bb = ab+float64(x)*float64(b[i]), aa+float64(x)*float64(x), bb+float64(b[i])*float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// twoVoices returns the voice that is heard longest, and the one that is least like it and is another person's.
func twoVoices(voices []Voice) (first, other Voice, cosine float64, ok bool) {
	if len(voices) == 0 {
		return first, other, 0, false
	}
	all := 0.0
	for _, v := range voices {
		all += v.Seconds
	}
	first = slices.MaxFunc(voices, func(a, b Voice) int { return cmp.Compare(a.Seconds, b.Seconds) })
	cosine = OtherPerson
	for _, v := range voices {
		if v.Seconds < max(voiceSeconds, voiceShare*all) {
			continue
		}
		if c := Cosine(first.Print, v.Print); c < cosine {
			other, cosine, ok = v, c, true
		}
	}
	return first, other, cosine, ok
}

func twoPeople(first, other Voice, cosine float64) backend.SampleWarning {
	return warning(backend.SampleTwoSpeakers,
		fmt.Sprintf("Two people may be speaking: one for %s, another one for %s.", inWords(first.Seconds), inWords(other.Seconds)),
		"Use a part in which one person speaks. If it is one person, you can keep this sample.",
		"seconds", tenths(first.Seconds), "other_seconds", tenths(other.Seconds), "cosine", hundredths(cosine))
}

// OfOtherPerson returns the warning about a recording whose voice is not that of the recordings before it; ok is false where it is.
func OfOtherPerson(before, now []float32) (w backend.SampleWarning, ok bool) {
	cosine := Cosine(before, now)
	if cosine >= OtherPerson {
		return w, false
	}
	return warning(backend.SampleOtherPerson, "This may be another person than in the other samples.",
		"Use samples of one person only. If it is one person, you can keep this sample.", "cosine", hundredths(cosine)), true
}

// hundredths returns x with two decimals.
func hundredths(x float64) float64 { return math.Round(x*100) / 100 }
