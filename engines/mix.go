package engines

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Share is what one voice has of a mixture.
type Share struct {
	Voice string
	Part  float64 // above 0 and at most 1; the parts of a mixture add up to 1
}

// ParseMix reads the id of a voice, or of a mixture such as af_heart:0.6+af_bella:0.4. Parts are relative, so 3 and 2
// are the same as 0.6 and 0.4; af_heart+af_bella has equal parts. White space around ids and parts does not matter.
// Whether the voices exist is for the engine to say. Error: backend.CodeNotFound saying what is wrong with the mixture.
func ParseMix(id string) ([]Share, error) {
	words := strings.Split(id, "+")
	shares := make([]Share, len(words))
	seen := make(map[string]bool, len(words))
	given, sum := 0, 0.0
	for i, word := range words {
		voice, part, weighed := strings.Cut(word, ":")
		voice = strings.TrimSpace(voice)
		switch {
		case voice == "":
			return nil, noMix(id, "one of its voices has no name")
		case seen[voice]:
			return nil, noMix(id, "it names "+voice+" twice")
		}
		seen[voice] = true
		shares[i] = Share{Voice: voice, Part: 1}
		if weighed {
			value, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
			if err != nil || !(value > 0) || math.IsInf(value, 1) {
				return nil, noMix(id, fmt.Sprintf("the part of %s is %q and not a number above 0", voice, part))
			}
			shares[i].Part = value
			given++
		}
		sum += shares[i].Part
	}
	if given != 0 && given != len(shares) {
		return nil, noMix(id, "some of its voices have a part and some have none")
	}
	if math.IsInf(sum, 1) {
		return nil, noMix(id, "its parts are too large")
	}
	for i := range shares {
		shares[i].Part /= sum
	}
	return shares, nil
}

func noMix(id, why string) *backend.Error {
	return backend.E(backend.CodeNotFound, fmt.Sprintf("There is no mixture of voices %q: %s.", id, why),
		"Write a mixture as af_heart:0.6+af_bella:0.4, or without the numbers for equal parts.").With("voice", id)
}
