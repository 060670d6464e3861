// Package suspects finds the words of a text that may be spoken wrongly.
package suspects

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text"
)

// Kind is why a word may be spoken wrongly.
type Kind string

// The kinds of suspect words, in the order in which they are listed.
const (
	Capitals Kind = "capitals" // in capitals, and no acronym that is known: it may be spelled
	Roman    Kind = "roman"    // a Roman numeral
	Name     Kind = "name"     // a name, which no dictionary may have
)

// Suspect is a word that may be spoken wrongly.
type Suspect struct {
	Word   string `json:"word"`
	Kind   Kind   `json:"kind" enum:"capitals,roman,name"`
	Count  int    `json:"count"`
	Sample string `json:"sample" doc:"its first place, with the words around it"`
}

// maxWords is how many words of a kind are listed.
const maxWords = 500

// Finder collects suspects. Create it with New.
type Finder struct {
	names bool            // names can be told from other words
	lower map[string]bool // words that are written in lower case
	known map[string]bool // words with a pronunciation
	found map[string]*Suspect
}

// New returns a Finder for a language. Words with a pronunciation are known. In German, where all nouns have capitals, names are not
// found.
func New(language string, pronunciations map[string]string) *Finder {
	f := &Finder{lower: map[string]bool{}, found: map[string]*Suspect{}, known: map[string]bool{}}
	for word := range pronunciations {
		f.known[text.PronunciationKey(word)] = true
	}
	f.names = !slices.Contains([]string{"de", "lb"}, backend.BaseLanguage(language))
	return f
}

// Read collects the words of a text.
func (f *Finder) Read(s string) {
	for _, sentence := range text.Sentences(s) {
		words := backend.Words(sentence)
		for i, w := range words {
			if w == strings.ToLower(w) {
				f.lower[w] = true
				continue
			}
			w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
			if kind := f.kind(words, i, w); kind != "" && !f.known[text.PronunciationKey(w)] {
				f.add(w, kind, words[max(0, i-4):min(len(words), i+5)])
			}
		}
	}
}

func (f *Finder) add(word string, kind Kind, around []string) {
	if f.found[word] == nil {
		f.found[word] = &Suspect{Word: word, Kind: kind, Sample: strings.Join(around, " ")}
	}
	f.found[word].Count++
}

// kind returns why a word of a sentence is suspect, "" where it is not.
func (f *Finder) kind(words []string, i int, w string) Kind {
	switch {
	case !capitals(w):
		if f.names && i > 0 && nameLike(w) {
			return Name
		}
		return ""
	case i > 0 && shouted(words[i-1]), i+1 < len(words) && shouted(words[i+1]):
		return "" // a line in capitals is read as words
	case romanNumeral(w):
		return Roman
	case text.Acronym(w):
		return ""
	}
	return Capitals
}

// capitals reports whether a word has two letters or more, and only capitals.
func capitals(w string) bool {
	letters := 0
	for _, r := range w {
		if !unicode.IsUpper(r) {
			return false
		}
		letters++
	}
	return letters > 1
}

// shouted reports whether a word is in capitals and neither a numeral nor an acronym.
func shouted(w string) bool { return capitals(w) && !romanNumeral(w) && !text.Acronym(w) }

// numeral matches Roman numerals, and some words.
var numeral = regexp.MustCompile(`^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$`)

// romanNumeral reports whether a word in capitals is a Roman numeral: one up to 89, or one of four letters and more, as shorter ones
// are rather acronyms (CD, MC, DI).
func romanNumeral(w string) bool {
	return len(w) > 1 && numeral.MatchString(w) && (len(w) > 3 || !strings.ContainsAny(w, "CDM"))
}

// titles are words with a capital that are no names.
var titles = strings.Fields("Mr Mrs Ms Dr St Sir Lady Lord January February March April May June July August September October November " +
	"December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Chapter Part")

// nameLike reports whether a word begins with a capital and goes on in lower case.
func nameLike(w string) bool {
	runes := []rune(w)
	if len(runes) < 3 || !unicode.IsUpper(runes[0]) || slices.Contains(titles, w) {
		return false
	}
	for _, r := range runes[1:] {
		if !unicode.IsLetter(r) && r != '-' && r != '‐' {
			return false
		}
	}
	return true
}

// List returns what was found, by kind, the most frequent first; at most 500 of a kind. A word that is also written in lower case is no
// name.
func (f *Finder) List() []Suspect {
	kinds := []Kind{Capitals, Roman, Name}
	all := map[Kind][]Suspect{}
	for _, found := range f.found {
		if found.Kind != Name || !f.lower[strings.ToLower(found.Word)] {
			all[found.Kind] = append(all[found.Kind], *found)
		}
	}
	out := []Suspect{}
	for _, kind := range kinds {
		slices.SortFunc(all[kind], func(a, b Suspect) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Word, b.Word)) })
		out = append(out, all[kind][:min(len(all[kind]), maxWords)]...)
	}
	return out
}
