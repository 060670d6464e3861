package kitten

import (
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// frameSize is how many samples a frame of the durations has.
const frameSize = 600

// words gives the times of the words of a request from the frames of each symbol; whole counts the samples of the run
// before the tail is cut, which ends no word later. Frames that do not add up to the samples tell nothing.
func (r request) words(frames []int64, whole int) []backend.Word {
	if len(frames) != len(r.symbols) {
		return nil
	}
	type stretch struct{ from, to int64 }
	stretches := make(map[int]stretch, len(r.spans))
	at := int64(0)
	for i, symbol := range r.symbols {
		if frames[i] < 0 {
			return nil
		}
		if symbol.span != noSpan {
			s, begun := stretches[symbol.span]
			if !begun {
				s.from = at
			}
			s.to = at + frames[i]
			stretches[symbol.span] = s
		}
		at += frames[i]
	}
	if at*frameSize != int64(whole) {
		return nil
	}
	var out []backend.Word
	for i, words := range r.spans {
		if s, ok := stretches[i]; ok {
			out = append(out, share(words, seconds(s.from, whole), seconds(s.to, whole))...)
		}
	}
	return out
}

// seconds gives the time at which a frame begins, at most that of the cut.
func seconds(frame int64, whole int) float64 {
	return float64(min(frame*frameSize, int64(whole-tail))) / sampleRate
}

// share divides a time among words by their letters.
func share(words []string, from, to float64) []backend.Word {
	letters := 0
	for _, word := range words {
		letters += utf8.RuneCountInString(word)
	}
	out := make([]backend.Word, len(words))
	done := 0
	for i, word := range words {
		start := from + (to-from)*float64(done)/float64(letters)
		done += utf8.RuneCountInString(word)
		out[i] = backend.Word{Text: word, Start: start, End: from + (to-from)*float64(done)/float64(letters)}
	}
	return out
}
