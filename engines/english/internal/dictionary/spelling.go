package dictionary

import (
	"strings"

	"github.com/voicewright/voicewright/engines/english/internal/sound"
)

// rule is one line of spelling.
type rule struct{ before, letters, after, phonemes string }

// parseRules returns the rules by the first of their letters.
func parseRules() [26][]rule {
	var rules [26][]rule
	for line := range strings.Lines(strings.TrimSpace(spelling)) {
		fields := strings.Fields(line)
		for i := range fields {
			fields[i] = strings.Trim(fields[i], ".")
		}
		i := fields[1][0] - 'a'
		rules[i] = append(rules[i], rule{fields[0], fields[1], fields[2], fields[3]})
	}
	return rules
}

// ByRules returns the phonemes of a word of small ASCII letters by its spelling.
func (d *Dictionary) ByRules(word string) string {
	if stem, ok := pluralStem(word); ok {
		return d.addS(d.ByRules(stem))
	}
	if stem, ok := pastStem(word); ok {
		return d.addEd(d.ByRules(stem))
	}
	var b strings.Builder
	for i := 0; i < len(word); {
		n := 1
		for _, r := range d.rules[word[i]-'a'] {
			if r.fits(word, i) {
				b.WriteString(r.phonemes)
				n = len(r.letters)
				break
			}
		}
		i += n
	}
	return d.accent(stressByEnding(word, b.String()))
}

// pluralStem returns the word that a word in -s is formed from; false for words where the s belongs to the stem.
func pluralStem(word string) (string, bool) {
	stem, ok := strings.CutSuffix(word, "s")
	if !ok || len(stem) <= 2 || strings.ContainsAny(stem[len(stem)-1:], "siu") {
		return "", false
	}
	if short, ok := strings.CutSuffix(stem, "ie"); ok && len(short) > 1 {
		return short + "y", true
	}
	if short, ok := strings.CutSuffix(stem, "e"); ok && strings.ContainsAny(short[len(short)-1:], "sxzh") {
		return short, true
	}
	return stem, true
}

// pastStem returns the word that a word in -ed is formed from; false for others.
func pastStem(word string) (string, bool) {
	if stem, ok := strings.CutSuffix(word, "d"); ok && len(stem) > 3 && stem[len(stem)-1] == 'e' && letterClass(stem[len(stem)-2]) == 'C' {
		return stem, true
	}
	stem, ok := strings.CutSuffix(word, "ied")
	return stem + "y", ok && len(stem) > 1
}

// fits reports whether a rule applies to the letters at i.
func (r rule) fits(word string, i int) bool {
	return strings.HasPrefix(word[i:], r.letters) && endsWith(word[:i], r.before) && startsWith(word[i+len(r.letters):], r.after)
}

// endsWith reports whether a context fits the letters before those of a rule.
func endsWith(text, context string) bool {
	for i := len(context) - 1; i >= 0; i-- {
		if text == "" {
			return context[:i+1] == "_"
		}
		if !inClass(text[len(text)-1], context[i]) {
			return false
		}
		text = text[:len(text)-1]
	}
	return true
}

// startsWith reports whether a context fits the letters behind those of a rule.
func startsWith(text, context string) bool {
	for i := range len(context) {
		switch {
		case context[i] == '_':
			return text == ""
		case context[i] == 'M':
			return silentE(text)
		case text == "" || !inClass(text[0], context[i]):
			return false
		}
		text = text[1:]
	}
	return true
}

// silentE reports whether a text is one consonant and an e or ending that makes the vowel before it long.
func silentE(text string) bool {
	if len(text) < 2 || letterClass(text[0]) != 'C' || text[0] == 'x' {
		return false
	}
	switch text[1:] {
	case "e", "er", "ers", "est", "ing", "ings", "ely", "eless", "eful", "ement", "eness", "ee":
		return true
	}
	return false
}

// inClass reports whether a letter belongs to a class, or is the letter that the class names.
func inClass(letter, class byte) bool {
	switch class {
	case 'V', 'C':
		return letterClass(letter) == class
	case 'E':
		return letter == 'e' || letter == 'i' || letter == 'y'
	}
	return letter == class
}

func letterClass(letter byte) byte {
	if strings.IndexByte("aeiouy", letter) >= 0 {
		return 'V'
	}
	return 'C'
}

// stressByEnding stresses the phonemes of a word by its ending and length, and weakens the vowels without stress.
func stressByEnding(word, phonemes string) string {
	runes := []rune(phonemes)
	var places []int
	for i, r := range runes {
		if strings.ContainsRune(sound.Vowels, r) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return phonemes
	}
	main := stressPlace(word, len(places))
	var b strings.Builder
	next := 0
	for i, r := range runes {
		if next < len(places) && places[next] == i {
			switch {
			case next == main:
				b.WriteString(sound.Primary)
			case next == 0 && main > 1:
				b.WriteString(sound.Secondary)
			default:
				r = weakened(r)
			}
			next++
		}
		b.WriteRune(r)
	}
	return b.String()
}

// stressPlace returns the number of the vowel with the primary stress, from 0.
func stressPlace(word string, syllables int) int {
	last := syllables - 1
	fromEnd := func(n int) int { return max(last-n, 0) }
	switch {
	case ends(word, "ee", "eer", "ese", "ette", "esque", "oo", "aire"):
		return last
	case ends(word, "tion", "sion", "cian", "ic", "ics", "cial", "tial", "cious", "tious", "ture", "ish"):
		return fromEnd(1)
	case ends(word, "ity", "ical", "ify", "graphy", "logy", "ious", "eous", "ian", "ial", "ion", "ate", "ize", "ise", "metry", "cracy",
		"ular", "inous"):
		return fromEnd(2)
	case syllables == 2 && begins(word, "be", "de", "re", "ex", "con", "com", "per", "pre", "pro", "sub", "a", "en", "in", "un", "dis") &&
		!ends(word, "a", "o", "i", "y", "er", "or", "le", "on", "en", "el", "al", "us", "um", "ing"):
		return last
	case syllables > 2 && ends(word, "a", "o", "i", "ini", "ella", "elli"):
		return fromEnd(1)
	case syllables > 3:
		return fromEnd(2)
	}
	return 0
}

func ends(word string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(word, e) {
			return true
		}
	}
	return false
}

func begins(word string, beginnings ...string) bool {
	for _, b := range beginnings {
		if strings.HasPrefix(word, b) && len(word) > len(b)+1 {
			return true
		}
	}
	return false
}

// weakened is a vowel without stress.
func weakened(r rune) rune {
	switch r {
	case 'æ', 'ɒ', 'ʌ', 'ɛ', 'ɜ':
		return 'ə'
	}
	return r
}

// accent makes the phonemes of the rules American or British.
func (d *Dictionary) accent(phonemes string) string {
	phonemes = strings.NewReplacer("ɹju", "ɹu", "lju", "lu", "ʧju", "ʧu", "ʤju", "ʤu", "ʃju", "ʃu", "ɹjˈu", "ɹˈu", "ljˈu", "lˈu",
		"ʧjˈu", "ʧˈu", "ʤjˈu", "ʤˈu").Replace(phonemes)
	if !d.British {
		phonemes = strings.NewReplacer("ɒ", "ɑ", "tju", "tu", "dju", "du", "nju", "nu", "tjˈu", "tˈu", "djˈu", "dˈu", "njˈu",
			"nˈu").Replace(phonemes)
		return flapped(phonemes)
	}
	phonemes = strings.NewReplacer("O", "Q", "æ", "a", "u", "uː", "ɑ", "ɑː", "ɔ", "ɔː", "ɜ", "ɜː").Replace(phonemes)
	return withoutR(strings.NewReplacer("ˈi", "ˈiː", "ˌi", "ˌiː").Replace(phonemes))
}

// flapped turns a t between a vowel and an unstressed vowel into a flap.
func flapped(phonemes string) string {
	runes := []rune(phonemes)
	for i := 1; i+1 < len(runes); i++ {
		if runes[i] == 't' && strings.ContainsRune(flapping, runes[i-1]) && strings.ContainsRune("əɪiᵻᵊO", runes[i+1]) {
			runes[i] = 'ɾ'
		}
	}
	return string(runes)
}

// withoutR drops each r that no vowel follows, and lengthens the vowel before it.
func withoutR(phonemes string) string {
	runes := []rune(phonemes)
	var out []rune
	for i, r := range runes {
		next := rune(' ')
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if r != 'ɹ' || strings.ContainsRune(sound.Vowels+sound.Stresses+"jᵊ", next) {
			out = append(out, r)
			continue
		}
		if n := len(out); n > 0 {
			switch out[n-1] {
			case 'ɛ':
				out = append(out, 'ː')
			case 'ɪ', 'ʊ':
				out = append(out, 'ə')
			}
		}
	}
	return string(out)
}
