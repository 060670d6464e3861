// Package dictionary finds the phonemes of single words and numbers: by the dictionaries of misaki, by endings of words that
// they have, and by letter-to-sound rules for all others.
package dictionary

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary/packed"
)

// data holds the dictionaries of misaki, as the program in pack writes them.
//
//go:embed data/*.gz
var data embed.FS

// Dictionary is the dictionary of one accent. It is safe for concurrent use.
type Dictionary struct {
	entries
	British bool
	rules   [26][]rule
}

// entries are the words that a dictionary has.
type entries struct {
	lines  string   // word, tab, value and newline, in byte order of the words
	starts []uint32 // of the lines
}

// Open unpacks the dictionary of an accent.
func Open(british bool) (*Dictionary, error) {
	files, err := fs.Sub(data, "data")
	if err != nil {
		return nil, fmt.Errorf("open dictionary: %w", err)
	}
	lines, err := packed.Decode(files, british)
	if err != nil {
		return nil, err
	}
	d := &Dictionary{entries: entries{lines: lines}, British: british, rules: parseRules()}
	d.starts = make([]uint32, 0, strings.Count(d.lines, "\n"))
	start := 0
	for line := range strings.Lines(d.lines) {
		d.starts = append(d.starts, uint32(start))
		start += len(line)
	}
	return d, nil
}

// find returns the entry of exactly this word. Gold entries were checked by people; the others are less certain.
func (e *entries) find(word string) (value string, gold, ok bool) {
	i, found := slices.BinarySearchFunc(e.starts, word, func(start uint32, word string) int {
		key, _, _ := strings.Cut(e.lines[start:], "\t")
		return strings.Compare(key, word)
	})
	if !found {
		return "", false, false
	}
	line, _, _ := strings.Cut(e.lines[e.starts[i]:], "\n")
	_, value, _ = strings.Cut(line, "\t")
	value, silver := strings.CutPrefix(value, "~")
	return value, !silver, true
}

// entry returns the entry of a word as it is written or with the case of its first letter changed. Gold entries go before the
// others, then the spelling of word before the other one.
func (e *entries) entry(word string) (value string, gold, ok bool) {
	value, gold, ok = e.find(word)
	if gold {
		return value, gold, ok
	}
	other := otherCase(word)
	if other == "" {
		return value, gold, ok
	}
	if v, g, found := e.find(other); found && (g || !ok) {
		return v, g, true
	}
	return value, gold, ok
}

// goldEntry returns the entry of a word and whether it is gold.
func (e *entries) goldEntry(word string) (string, bool) {
	value, gold, _ := e.entry(word)
	return value, gold
}

// otherCase returns Word for word and word for Word, and an empty string for words that have no other form.
func otherCase(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) {
		return ""
	}
	tail := word[size:]
	if tail != strings.ToLower(tail) {
		return ""
	}
	if lower := unicode.ToLower(first); lower != first {
		return string(lower) + tail
	}
	if upper := unicode.ToTitle(first); upper != first {
		return string(upper) + tail
	}
	return ""
}

// Known reports whether a word has an entry or can be spelled out: a letter, or capitals behind the first letter.
func (e *entries) Known(word string) bool {
	if word == "" {
		return false
	}
	if _, _, ok := e.entry(word); ok || symbols[word] != "" {
		return true
	}
	for i := range len(word) {
		if !asciiLetter(word[i]) {
			return false
		}
	}
	return word[1:] == strings.ToUpper(word[1:])
}

// Lists reports whether exactly this word has an entry.
func (e *entries) Lists(word string) bool {
	_, _, ok := e.find(word)
	return ok
}

// Has reports whether a word, or the stem that it is formed from, has an entry.
func (d *Dictionary) Has(word string) bool {
	if _, _, ok := d.entry(word); ok {
		return true
	}
	_, ok := d.ending(word, "", 0, Next{})
	return ok
}

// HasAdjective reports whether the entry of a word has a pronunciation of its own for the adjective.
func (e *entries) HasAdjective(word string) bool {
	value, _, _ := e.find(word)
	return strings.Contains(value, "ADJ=")
}

// HasNoun reports whether the entry of a word has a pronunciation of its own for the noun.
func (e *entries) HasNoun(word string) bool {
	value, _, _ := e.find(word)
	return strings.Contains(value, "NOUN=")
}

// SpellsNoun reports whether a word is spelled out as a noun, as are ACT, LED and SAT.
func (e *entries) SpellsNoun(word string) bool {
	value, _ := e.goldEntry(word)
	return strings.Contains(value+" ", "NOUN= ")
}

// phonemesFor returns the phonemes that an entry has for a part of speech; none when the word is to be spelled out.
func phonemesFor(value, tag string, next Next) (string, bool) {
	if !strings.Contains(value, "=") {
		return value, value != ""
	}
	var best string
	var rank int // of best: 1 any word, 2 the class of the tag, 3 the tag itself, 4 the end of a clause
	class := wordClass(tag)
	for variant := range strings.SplitSeq(value, " ") {
		name, phonemes, _ := strings.Cut(variant, "=")
		if r := variantRank(name, tag, class, next); r > 0 && r >= rank {
			best, rank = phonemes, r
		}
	}
	return best, best != ""
}

// variantRank returns how well a variant of an entry fits a word, 0 for not at all.
func variantRank(name, tag, class string, next Next) int {
	switch {
	case name == "None" && next.Onset == Pause:
		return 4
	case name == tag:
		return 3
	case name == class:
		return 2
	case name == "DEFAULT":
		return 1
	}
	return 0
}

// classes are the beginnings of Penn tags with the names under which the dictionary has their variants.
var classes = [...]struct{ prefix, name string }{
	{"VB", "VERB"}, {"NN", "NOUN"}, {"RB", "ADV"}, {"ADV", "ADV"}, {"JJ", "ADJ"}, {"ADJ", "ADJ"},
}

// wordClass returns the name under which the dictionary has the variants of a Penn tag.
func wordClass(tag string) string {
	for _, c := range classes {
		if strings.HasPrefix(tag, c.prefix) {
			return c.name
		}
	}
	return tag
}

func asciiLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
