package kitten

import (
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// frameSize is the number of samples in a frame of the durations.
const frameSize = 600

// word is a word of a chunk, or a part of one that is spoken separately.
type word struct {
	text    string // the whole word as it is written
	number  int    // index of the whole word in the chunk
	letters int    // of the part
}

// written returns the words as written, punctuation included, that each span of a chunk's phonemes belongs to.
func (r *phonemeText) written(chunk string) [][]word {
	all := phonemes.Words(chunk)
	number, end, at := -1, 0, 0 // the word that ends at end, and where the last part begins
	out := make([][]word, len(r.spans))
	for i, parts := range r.spans {
		for _, part := range parts {
			at += strings.Index(chunk[at:], part)
			for at >= end {
				number++
				end += strings.Index(chunk[end:], all[number]) + len(all[number])
			}
			out[i] = append(out[i], word{all[number], number, utf8.RuneCountInString(part)})
			at += len(part)
		}
	}
	return out
}

// times returns the times of the words of a request from the frames of each symbol; whole is the number of samples
// before the tail is cut, and no word ends after the cut. It returns none if the frames do not add up to the samples.
func (r request) times(frames []int64, whole int) []backend.Word {
	if len(frames) != len(r.symbols) {
		return nil
	}
	type stretch struct{ from, to int64 }
	stretches := make(map[int]stretch, len(r.words))
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
	last := -1
	for i, words := range r.words {
		s, ok := stretches[i]
		if !ok {
			continue
		}
		for j, w := range share(words, seconds(s.from, whole), seconds(s.to, whole)) {
			if words[j].number == last {
				out[len(out)-1].End = w.End
				continue
			}
			out, last = append(out, w), words[j].number
		}
	}
	return out
}

// seconds returns the time at which a frame begins, at most that of the cut.
func seconds(frame int64, whole int) float64 {
	return float64(min(frame*frameSize, int64(whole-tail))) / sampleRate
}

// share divides a time among words by their letters.
func share(words []word, from, to float64) []backend.Word {
	letters := 0
	for _, word := range words {
		letters += word.letters
	}
	out := make([]backend.Word, len(words))
	done := 0
	for i, word := range words {
		start := from + (to-from)*float64(done)/float64(letters)
		done += word.letters
		out[i] = backend.Word{Text: word.text, Start: start, End: from + (to-from)*float64(done)/float64(letters)}
	}
	return out
}
