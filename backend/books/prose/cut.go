// Package prose has the text of books: where chapters begin, what of it is spoken and counted, and what became of it in another
// version.
package prose

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The words of a median chapter at the best depth.
const (
	minMedianWords = 1_000
	maxMedianWords = 10_000
)

// Chapter is a chapter as it is cut from a manuscript.
type Chapter struct {
	Title  string
	Level  int
	Blocks []backend.Block
}

// Cut divides blocks where entries of the table of contents down to a level begin. Text before the first one is a chapter of its own
// with the title of the book, if it has words; else it belongs to the first chapter.
func Cut(blocks []backend.Block, depth int, title string) []Chapter {
	var out []Chapter
	for _, b := range blocks {
		if name, level, begins := beginning(b, depth); begins {
			out = append(out, Chapter{Title: name, Level: level})
		} else if len(out) == 0 {
			out = append(out, Chapter{Title: title, Level: 1})
		}
		last := &out[len(out)-1]
		last.Blocks = append(last.Blocks, b)
	}
	if len(out) > 1 && !HasWords(out[0].Blocks) && !beginsAt(out[0].Blocks, depth) {
		out[1].Blocks = slices.Concat(out[0].Blocks, out[1].Blocks)
		out = out[1:]
	}
	return out
}

// beginsAt reports whether the first block begins a chapter at a depth.
func beginsAt(blocks []backend.Block, depth int) bool {
	_, _, begins := beginning(blocks[0], depth)
	return begins
}

// beginning returns title and level of the chapter that a block begins at a depth: two entries with one place are one chapter.
func beginning(b backend.Block, depth int) (title string, level int, begins bool) {
	var titles []string
	for _, s := range b.Begins {
		if s.Level > depth {
			continue
		}
		level, begins = s.Level, true
		if name := strings.TrimSpace(s.Title); name != "" && !slices.Contains(titles, name) {
			titles = append(titles, name)
		}
	}
	return strings.Join(titles, ": "), level, begins
}

// HasWords reports whether blocks have words, also such that are left out.
func HasWords(blocks []backend.Block) bool {
	return slices.ContainsFunc(blocks, func(b backend.Block) bool {
		return slices.ContainsFunc(b.Spans, func(s backend.Span) bool { return backend.Speakable(s.Text) })
	})
}

// Depths returns how many chapters there are at each depth, from 1, and the best depth: the flattest whose median chapter has
// minMedianWords to maxMedianWords, else the nearest. A part without a place of its own does not make a chapter shorter.
func Depths(blocks []backend.Block, title, language string) (chapters []int, best int) {
	words, deepest := make([]float64, len(blocks)), 1
	for i, b := range blocks {
		words[i] = wordsOfBlock(b, language)
		for _, s := range b.Begins {
			deepest = max(deepest, s.Level)
		}
	}
	best, nearest := 1, 0.0
	for depth := 1; depth <= deepest; depth++ {
		chapters = append(chapters, len(Cut(blocks, depth, title)))
		var lengths []float64
		for i, b := range blocks {
			if i == 0 || hasPlace(b, depth) {
				lengths = append(lengths, 0)
			}
			lengths[len(lengths)-1] += words[i]
		}
		if d := distance(median(lengths)); depth == 1 || d < nearest {
			best, nearest = depth, d
		}
	}
	return chapters, best
}

// hasPlace reports whether an entry down to a depth begins with a block that is not only the name of the deeper ones behind it.
func hasPlace(b backend.Block, depth int) bool {
	for i, s := range b.Begins {
		if s.Level <= depth && (i+1 == len(b.Begins) || b.Begins[i+1].Level <= s.Level) {
			return true
		}
	}
	return false
}

// wordsOfBlock returns the words of a block. In languages without blanks two characters count as a word.
func wordsOfBlock(b backend.Block, language string) float64 {
	if CountsCharacters(language) {
		return float64(characters(Plain(b))) / 2
	}
	return float64(len(backend.Words(Plain(b))))
}

// distance returns how far a median is from the best ones, as a factor; 1 for those.
func distance(median float64) float64 {
	switch {
	case median < minMedianWords:
		return minMedianWords / max(median, 1)
	case median > maxMedianWords:
		return median / maxMedianWords
	default:
		return 1
	}
}

// median returns the median of lengths, which it sorts; 0 for none.
func median(lengths []float64) float64 {
	if len(lengths) == 0 {
		return 0
	}
	slices.Sort(lengths)
	return (lengths[(len(lengths)-1)/2] + lengths[len(lengths)/2]) / 2
}
