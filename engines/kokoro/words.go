package kokoro

import (
	"context"
	"math"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// alignment says which groups of phonemes, counted over all batches, belong to which word of the text. A group is a run
// of phonemes between spaces.
type alignment struct {
	texts  []string
	limits []float64 // word i has the groups from limits[i] to limits[i+1]; several words may share a group
	next   int       // the first word that has not begun
	passed int       // the groups of the batches before
}

// align returns the alignment of the words of a text with the phonemes of p. If there are as many groups as words, each
// word has one; else each word's groups are counted, since 1999 is spoken as three words, and the difference is spread
// evenly.
func (e *Engine) align(ctx context.Context, spoken string, p plan) (*alignment, error) {
	a := &alignment{limits: []float64{0}}
	for _, word := range phonemes.Words(spoken) {
		if text.Speakable(word) {
			a.texts = append(a.texts, word)
		}
	}
	total := 0
	for _, batch := range p.batches {
		total += groups(batch)
	}
	sum := 0.0
	for _, word := range a.texts {
		n := 1
		if total != len(a.texts) {
			alone, err := e.front.phonemes(ctx, word, p.accent)
			if err != nil {
				return nil, err
			}
			n = groups(e.symbols.known(alone))
		}
		sum += float64(n)
		a.limits = append(a.limits, sum)
	}
	if sum > 0 {
		for i := range a.limits {
			a.limits[i] *= float64(total) / sum
		}
	}
	return a, nil
}

// groups counts the groups of phonemes that have a sound.
func groups(batch string) int {
	n := 0
	for _, group := range strings.Fields(batch) {
		if speakable(group) {
			n++
		}
	}
	return n
}

// words returns the words that begin in the next batch, whose symbols sound at times. A word that continues in the next
// batch ends with this one.
func (a *alignment) words(times []timing) []backend.Word {
	if a == nil {
		return nil
	}
	spans := spansOf(times)
	first, end := float64(a.passed), float64(a.passed+len(spans))
	a.passed += len(spans)
	var out []backend.Word
	for ; a.next < len(a.texts) && a.limits[a.next] < end-narrow; a.next++ {
		if a.limits[a.next+1]-a.limits[a.next] < narrow {
			continue // a word of a script that the voice does not know
		}
		from, to := max(a.limits[a.next], first)-first, min(a.limits[a.next+1], end)-first
		g := int(from + narrow)
		h := max(int(math.Ceil(to-narrow))-1, g)
		out = append(out, backend.Word{
			Text: a.texts[a.next], Start: spans[g].at(from - float64(g)), End: spans[h].at(to - float64(h)),
		})
	}
	return out
}

// narrow is less than any true part of a group; it keeps rounding from moving a word into its neighbour's group.
const narrow = 1e-6

// span is when a group sounds, in seconds.
type span struct{ start, end float64 }

// at returns the time of a part of the span, 0 for its start.
func (s span) at(part float64) float64 { return s.start + min(max(part, 0), 1)*(s.end-s.start) }

// spansOf returns the times of the groups that have a sound, without the marks around them.
func spansOf(times []timing) []span {
	var out []span
	first, last, heard := -1, -1, false
	for i := 0; i <= len(times); i++ {
		if i < len(times) && times[i].symbol != ' ' {
			if unicode.IsLetter(times[i].symbol) {
				if first < 0 {
					first = i
				}
				last, heard = i, heard || sounds(times[i].symbol)
			}
			continue
		}
		if heard {
			out = append(out, span{times[first].start, times[last].end})
		}
		first, heard = -1, false
	}
	return out
}
