package engines

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Share is the part that one voice has in a mixture.
type Share struct {
	Voice string
	Part  float64 // a whole number of millionths; the parts of a mixture add up to 1
}

// Mix is a mixture of voices; of one voice alone it is that voice. The order counts: a mixture speaks the language of its
// first voice.
type Mix []Share

// finest is the number of units in a whole mixture: smaller differences cannot be heard.
const finest = 1_000_000

// String returns the canonical form of the mixture: af_heart:0.6+af_bella:0.4, or af_heart for a single voice.
func (m Mix) String() string {
	if len(m) == 1 {
		return m[0].Voice
	}
	words := make([]string, len(m))
	for i, s := range m {
		words[i] = s.Voice + ":" + strconv.FormatFloat(s.Part, 'f', -1, 64)
	}
	return strings.Join(words, "+")
}

// Canonical returns the canonical form of an id, see Mix.String. An id that is not a valid mixture is returned unchanged.
func Canonical(id string) string {
	mix, err := ParseMix(id)
	if err != nil {
		return id
	}
	return mix.String()
}

// ParseMix reads the id of a voice, or of a mixture such as af_heart:0.6+af_bella:0.4. Parts are relative, so 3 and 2
// are the same as 0.6 and 0.4; af_heart+af_bella has equal parts. Parts may stand in brackets, as Kokoro-FastAPI writes
// af_heart(3)+af_bella(2); there a voice without one has 1. White space around ids and parts does not matter.
// It does not check that the voices exist. Error: backend.CodeNotFound saying what is wrong with the mixture.
func ParseMix(id string) (Mix, error) {
	words := strings.Split(id, "+")
	shares := make(Mix, len(words))
	seen := make(map[string]bool, len(words))
	given, sum := 0, 0.0
	for i, word := range words {
		voice, part, weighed := cutPart(word)
		voice = strings.TrimSpace(voice)
		switch {
		case voice == "":
			return nil, errNoMix(id, "one of its voices has no name")
		case seen[voice]:
			return nil, errNoMix(id, "it names "+voice+" twice")
		}
		seen[voice] = true
		shares[i] = Share{Voice: voice, Part: 1}
		if weighed {
			value, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil || !(value > 0) || math.IsInf(value, 1) {
				return nil, errNoMix(id, fmt.Sprintf("the part of %s is %q and not a number above 0", voice, part))
			}
			shares[i].Part = value
			given++
		}
		sum += shares[i].Part
	}
	if given != 0 && given != len(shares) && !strings.Contains(id, "(") {
		return nil, errNoMix(id, "some of its voices have a part and some have none")
	}
	if math.IsInf(sum, 1) {
		return nil, errNoMix(id, "its parts are too large")
	}
	shares.round(sum)
	return shares, nil
}

// cutPart returns the voice of a share and its part, which stands behind a colon or in brackets.
func cutPart(share string) (voice, part string, weighed bool) {
	if open, ok := strings.CutSuffix(strings.TrimSpace(share), ")"); ok {
		return strings.Cut(open, "(")
	}
	return strings.Cut(share, ":")
}

// round scales parts with this sum to whole millionths of 1, none of them 0; the largest part takes the rounding error.
func (m Mix) round(sum float64) {
	largest, left := 0, finest
	units := make([]int, len(m))
	for i, s := range m {
		units[i] = max(int(math.Round(s.Part/sum*finest)), 1)
		left -= units[i]
		if units[i] > units[largest] {
			largest = i
		}
	}
	units[largest] += left
	for i := range m {
		m[i].Part = float64(units[i]) / finest
	}
}

func errNoMix(id, why string) *backend.Error {
	return backend.E(backend.CodeNotFound, fmt.Sprintf("%q is not a valid mixture of voices: %s.", id, why),
		"Write a mixture as af_heart:0.6+af_bella:0.4, or without the numbers for equal parts.").With("voice", id)
}
