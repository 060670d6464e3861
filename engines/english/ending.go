package english

import "strings"

// flapping are the sounds after which an American t between vowels becomes a flap.
const flapping = "AIOWYiuæɑəɛɪɹʊʌ"

// ending gives the phonemes of a word whose stem the dictionary has: with -s, -ed or -ing.
func (l *lexicon) ending(word, tag string, e emphasis, after following) (string, bool) {
	if sound, ok := l.withS(word, tag, e, after); ok {
		return sound, true
	}
	if sound, ok := l.withEd(word, tag, e, after); ok {
		return sound, true
	}
	if e == asIs {
		e = mild
	}
	return l.withIng(word, tag, e, after)
}

func (l *lexicon) withS(word, tag string, e emphasis, after following) (string, bool) {
	n := len(word)
	if n < 3 || word[n-1] != 's' {
		return "", false
	}
	ies := strings.HasSuffix(word, "ies")
	var stem string
	switch {
	case !strings.HasSuffix(word, "ss") && l.known(word[:n-1]):
		stem = word[:n-1]
	case (strings.HasSuffix(word, "'s") || n > 4 && strings.HasSuffix(word, "es") && !ies) && l.known(word[:n-2]):
		stem = word[:n-2]
	case n > 4 && ies && l.known(word[:n-3]+"y"):
		stem = word[:n-3] + "y"
	default:
		return "", false
	}
	sound, ok := l.lookup(stem, tag, e, after)
	return l.s(sound), ok
}

// s gives the phonemes of a word with the ending of plurals, possessives and verbs.
func (l *lexicon) s(sound string) string {
	last, _ := lastRunes(sound)
	switch {
	case strings.ContainsRune("ptkfθ", last):
		return sound + "s"
	case strings.ContainsRune("szʃʒʧʤ", last):
		return sound + l.weakI() + "z"
	}
	return sound + "z"
}

func (l *lexicon) withEd(word, tag string, e emphasis, after following) (string, bool) {
	n := len(word)
	if n < 4 || word[n-1] != 'd' {
		return "", false
	}
	var stem string
	switch {
	case !strings.HasSuffix(word, "dd") && l.known(word[:n-1]):
		stem = word[:n-1]
	case n > 4 && strings.HasSuffix(word, "ed") && !strings.HasSuffix(word, "eed") && l.known(word[:n-2]):
		stem = word[:n-2]
	default:
		return "", false
	}
	sound, ok := l.lookup(stem, tag, e, after)
	return l.ed(sound), ok
}

// ed gives the phonemes of a word with the ending of the past.
func (l *lexicon) ed(sound string) string {
	last, before := lastRunes(sound)
	switch {
	case strings.ContainsRune("pkfθʃsʧ", last):
		return sound + "t"
	case last == 'd':
		return sound + l.weakI() + "d"
	case last != 't':
		return sound + "d"
	case l.british || before == 0:
		return sound + "ɪd"
	case strings.ContainsRune(flapping, before):
		return sound[:len(sound)-1] + "ɾᵻd"
	}
	return sound + "ᵻd"
}

func (l *lexicon) withIng(word, tag string, e emphasis, after following) (string, bool) {
	n := len(word)
	if n < 5 || !strings.HasSuffix(word, "ing") {
		return "", false
	}
	var stem string
	switch {
	case n > 5 && l.known(word[:n-3]):
		stem = word[:n-3]
	case l.known(word[:n-3] + "e"):
		stem = word[:n-3] + "e"
	case n > 5 && doubled(word[:n-3]) && l.known(word[:n-4]):
		stem = word[:n-4]
	default:
		return "", false
	}
	sound, ok := l.lookup(stem, tag, e, after)
	if !ok {
		return "", false
	}
	return l.ing(sound)
}

// doubled reports whether a stem ends in a consonant that is there twice because of its ending.
func doubled(stem string) bool {
	n := len(stem)
	return n > 1 && (stem[n-2] == stem[n-1] && strings.IndexByte("bcdgklmnprstvxz", stem[n-1]) >= 0 ||
		strings.HasSuffix(stem, "ck"))
}

// ing gives the phonemes of a word with -ing. A British stem in ə or a long vowel is left to others: it may want an r.
func (l *lexicon) ing(sound string) (string, bool) {
	last, before := lastRunes(sound)
	switch {
	case l.british && (last == 'ə' || last == 'ː'):
		return "", false
	case !l.british && last == 't' && before != 0 && strings.ContainsRune(flapping, before):
		return sound[:len(sound)-1] + "ɾɪŋ", true
	}
	return sound + "ɪŋ", true
}

// weakI is the vowel of an unstressed ending.
func (l *lexicon) weakI() string {
	if l.british {
		return "ɪ"
	}
	return "ᵻ"
}
