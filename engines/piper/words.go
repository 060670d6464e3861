package piper

import (
	"context"
	"regexp"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// plain matches a word that is spoken as one: no number, no abbreviation in capitals or with dots, no signs.
var plain = regexp.MustCompile(`^[^\pL\pN\p{S}&%#@*/]*\pL[\p{Ll}\p{Lo}\p{Lm}\p{M}'’]*[^\pL\pN\p{S}&%#@*/]*$`)

// sign matches what may be spoken though it has neither letter nor digit.
var sign = regexp.MustCompile(`[\p{S}&%#@*/]`)

// maxCells limits the table of align, in bytes; longer texts get no times of words.
const maxCells = 1 << 26

// placed is a word with its phonemes: those of its sentence from the index first to last.
type placed struct {
	text        string
	first, last int
}

// letter is a phoneme other than a stress mark, space or punctuation.
type letter struct {
	phoneme         string
	sentence, index int
	group           int // index of its group, a run of phonemes between spaces
}

// align returns the words of each sentence with their phonemes. If the text has plain words only and one group of
// phonemes (between spaces) for each, the groups are the words'. Else the phonemes of each word alone are aligned with
// those of the sentences, since 1999 has three groups and espeak-ng joins "of the".
func (f *frontend) align(ctx context.Context, from string, sentences []spoken) ([][]placed, error) {
	spokenLetters := articulate(sentences)
	words, simple := wordsOf(from)
	var owners []int
	if simple && len(spokenLetters) > 0 && spokenLetters[len(spokenLetters)-1].group == len(words)-1 {
		owners = make([]int, len(spokenLetters))
		for i, l := range spokenLetters {
			owners[i] = l.group
		}
	} else {
		var err error
		if owners, err = f.owners(ctx, words, spokenLetters); err != nil {
			return nil, err
		}
	}
	return place(words, owners, spokenLetters, len(sentences)), nil
}

// wordsOf returns the words of a text that have a sound; simple reports whether each is a plain word and there are no
// signs between them.
func wordsOf(text string) (words []string, simple bool) {
	simple = true
	for _, word := range phonemes.Words(text) {
		if strings.IndexFunc(word, sounds) >= 0 {
			words = append(words, word)
			simple = simple && plain.MatchString(word)
		} else if sign.MatchString(word) {
			simple = false
		}
	}
	return words, simple
}

// place returns the words of each sentence with their phonemes; owners holds the word of each phoneme heard.
func place(words []string, owners []int, spokenLetters []letter, sentences int) [][]placed {
	out := make([][]placed, sentences)
	for i, word := range owners {
		l := spokenLetters[i]
		line := out[l.sentence]
		if i > 0 && owners[i-1] == word && len(line) > 0 {
			line[len(line)-1].last = l.index
			continue
		}
		if i == 0 || owners[i-1] != word {
			out[l.sentence] = append(line, placed{words[word], l.index, l.index})
		}
	}
	return out
}

// articulate returns the phonemes of all sentences that have a sound.
func articulate(sentences []spoken) []letter {
	var out []letter
	group, open := -1, false
	for i, s := range sentences {
		open = false
		for j, phoneme := range s.phonemes {
			if phoneme == " " {
				open = false
			}
			if strings.IndexFunc(phoneme, articulated) < 0 {
				continue
			}
			if !open {
				group, open = group+1, true
			}
			out = append(out, letter{phoneme, i, j, group})
		}
	}
	return out
}

// articulated reports whether r is a letter or digit, but no modifier such as ˈ and ː.
func articulated(r rune) bool {
	return unicode.IsNumber(r) || unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r)
}

// owners returns the index of the word that each of the phonemes heard belongs to; nil if it is unknown.
func (f *frontend) owners(ctx context.Context, words []string, spokenLetters []letter) ([]int, error) {
	var alone []string // phonemes of the words one by one
	var of []int       // their words
	known := map[string][]letter{}
	for i, word := range words {
		own, ok := known[word]
		if !ok {
			sentences, err := f.sentences(ctx, word)
			if err != nil {
				return nil, err
			}
			own = articulate(sentences)
			known[word] = own
		}
		for _, l := range own {
			alone, of = append(alone, l.phoneme), append(of, i)
		}
	}
	if len(alone) == 0 || len(alone)*len(spokenLetters) > maxCells {
		return nil, nil
	}
	owners := matched(alone, of, spokenLetters)
	complete(owners, spokenLetters)
	return owners, nil
}

// The steps through the table of matched.
const (
	both  = byte(iota) // a phoneme of the sentences and one of a word
	extra              // one of the sentences only
	lost               // one of a word only
)

// matched aligns alone with heard by the fewest changes (Levenshtein's distance) and returns the word of each phoneme
// heard, -1 for those without a match.
func matched(alone []string, of []int, spokenLetters []letter) []int {
	n := len(alone) + 1
	ways := make([]byte, (len(spokenLetters)+1)*n)
	row, above := make([]int, n), make([]int, n)
	for j := range row {
		row[j], ways[j] = j, lost
	}
	for i, l := range spokenLetters {
		row, above = above, row
		row[0], ways[(i+1)*n] = i+1, extra
		for j, phoneme := range alone {
			best, way := above[j], both
			if phoneme != l.phoneme {
				best++
			}
			if v := above[j+1] + 1; v < best {
				best, way = v, extra
			}
			if v := row[j] + 1; v < best {
				best, way = v, lost
			}
			row[j+1], ways[(i+1)*n+j+1] = best, way
		}
	}
	owners := make([]int, len(spokenLetters))
	for i, j := len(spokenLetters), len(alone); i > 0; {
		switch ways[i*n+j] {
		case both:
			i, j = i-1, j-1
			owners[i] = of[j]
		case extra:
			i--
			owners[i] = -1
		default:
			j--
		}
	}
	return owners
}

// complete assigns phonemes without a word to that of their neighbour: in the group before them, else after them, else in
// another group.
func complete(owners []int, spokenLetters []letter) {
	for _, inGroup := range []bool{true, false} {
		for i := 1; i < len(owners); i++ {
			if owners[i] < 0 && (!inGroup || spokenLetters[i].group == spokenLetters[i-1].group) {
				owners[i] = owners[i-1]
			}
		}
		for i := len(owners) - 2; i >= 0; i-- {
			if owners[i] < 0 && (!inGroup || spokenLetters[i].group == spokenLetters[i+1].group) {
				owners[i] = owners[i+1]
			}
		}
	}
}

// ends returns the time in seconds at which each phoneme of a sentence ends, the pad after it included, preceded by the
// time at which the first one begins. It is nil when the frames do not add up to the samples.
func (e *Engine) ends(s spoken, frames []float32, samples int) []float64 {
	if len(frames) != len(s.ids) {
		return nil
	}
	table := e.frontend.config.PhonemeIDMap
	at, sum := 0, 0.0
	pass := func(ids int) float64 {
		for _, f := range frames[at : at+ids] {
			sum += float64(f)
		}
		at += ids
		return sum * float64(e.graph.hop) / float64(e.info.SampleRate)
	}
	out := []float64{pass(len(table[bos]) + len(table[pad]))}
	for _, phoneme := range s.phonemes {
		ids := 0
		if known, ok := table[phoneme]; ok {
			ids = len(known) + len(table[pad])
		}
		out = append(out, pass(ids))
	}
	pass(len(table[eos]))
	if sum*float64(e.graph.hop) != float64(samples) {
		return nil
	}
	return out
}

// times returns the words of a sentence with their times.
func times(words []placed, ends []float64) []backend.Word {
	if ends == nil {
		return nil
	}
	out := make([]backend.Word, len(words))
	for i, w := range words {
		out[i] = backend.Word{Text: w.text, Start: ends[w.first], End: ends[w.last+1]}
	}
	return out
}
