package english

import "strings"

// kind is what the neighbours make of a word that could be several.
type kind int

const (
	unclear kind = iota
	noun
	verb
	adjective
)

// kind decides by the nearest words that tell: an article makes a noun, a subject or "to" a verb, an object behind the word
// a verb again.
func (c *clause) kind(i int) kind {
	p := c.before(i)
	w := c.at(p)
	switch {
	case w == "to" && c.goal(i, p):
		return noun
	case w == "to" || modal(w) || w == "n't" || w == "please" || w == "let" || w == "let's" || w == "cannot":
		return verb
	case w == "not":
		if be(c.at(p - 1)) {
			return adjective
		}
		return verb
	case pronoun(w):
		return verb
	case w == "'s" && c.tokens[p].tag == "POS":
		return noun
	case w == "us" || w == "them" || w == "him" || w == "me" || reflexive(w):
		return verb
	case w == "that" && c.tokens[p].tag == "DT":
		return noun
	case have(w) && c.follows(i):
		return verb
	case determiner(w) || p >= 0 && c.tokens[p].tag == "CD":
		return noun
	case be(w) || w == "'s" || w == "'m" || w == "'re":
		return adjective
	case have(w) || preposition(w):
		return noun
	case w == "and" || w == "or":
		return c.joined(i, p)
	case w == "" && c.at(i+1) == "of":
		return noun
	case w == "":
		if c.follows(i) || reflexive(c.at(i+1)) {
			return verb
		}
		return unclear
	case w == "who" || w == "which" || w == "that":
		if n := c.at(i + 1); w == "that" && (be(n) || modal(n) || have(n)) {
			return noun
		}
		return verb
	}
	if c.follows(i) && c.at(i+1) != "that" {
		return verb
	}
	if c.noun(p) && !c.contentAt(i+1) {
		return noun
	}
	if n := c.at(i + 1); n == "of" || be(n) {
		return noun
	}
	return unclear
}

// goal reports whether the word behind the to at p is what it leads to and no infinitive: "from hand to mouth", "to refills".
func (c *clause) goal(i, to int) bool {
	w, n := c.lower[i], c.at(i+1)
	if stem, ok := strings.CutSuffix(w, "s"); ok && !strings.HasSuffix(w, "ss") && c.lexicon.known(stem) {
		return true
	}
	if to > 0 && c.lower[to-1] == w {
		return true
	}
	return (w == "mouth" || w == "house") && (n == "" || preposition(n) || joining(n))
}

// joined decides for a word behind and: what follows tells first, then what it is joined with.
func (c *clause) joined(i, and int) kind {
	if c.follows(i) {
		return verb
	}
	if and > 0 {
		switch t := c.tokens[and-1].tag; {
		case strings.HasPrefix(t, "VB"):
			return verb
		case strings.HasPrefix(t, "NN"):
			return noun
		}
	}
	return unclear
}

// noun reports whether an article stands before the word at p with at most two words between, which makes what follows p the
// end of a noun phrase.
func (c *clause) noun(p int) bool {
	for n := 0; n < 3 && p >= 0; n++ {
		if determiner(c.at(p)) {
			return true
		}
		if !c.contentAt(p) {
			return false
		}
		p--
	}
	return false
}

func determiner(w string) bool {
	switch w {
	case "a", "an", "the", "this", "these", "those", "my", "your", "his", "her", "its", "our", "their", "some", "any", "no", "every",
		"each", "another", "either", "neither", "what", "whose", "many", "few", "several", "most", "more", "much", "little", "such",
		"one", "two", "three", "four", "five", "six", "ten", "hundred", "thousand", "both", "all", "other", "own", "new", "old", "first", "last", "same":
		return true
	}
	return false
}

func preposition(w string) bool {
	switch w {
	case "of", "in", "on", "at", "with", "without", "from", "by", "for", "under", "into", "onto", "about", "per", "between", "against",
		"during", "before", "after", "through", "over", "behind", "near", "beyond", "within", "via", "despite", "upon", "until",
		"towards", "toward", "across", "around", "along", "amid", "among", "amongst", "beneath", "beside", "below", "above",
		"throughout", "concerning", "regarding":
		return true
	}
	return false
}

func modal(w string) bool {
	switch w {
	case "will", "would", "can", "could", "shall", "should", "may", "might", "must", "do", "does", "did", "'ll", "'d", "wo", "ca",
		"gonna", "wanna", "gotta":
		return true
	}
	return false
}

func be(w string) bool {
	switch w {
	case "is", "are", "was", "were", "be", "been", "being", "am", "'m", "'re", "get", "got", "getting", "seem", "seems", "seemed",
		"became", "become", "becomes", "feel", "felt", "looks", "looked":
		return true
	}
	return false
}

func have(w string) bool {
	switch w {
	case "have", "has", "had", "having", "'ve":
		return true
	}
	return false
}

func pronoun(w string) bool {
	switch w {
	case "i", "you", "he", "she", "it", "we", "they", "who", "everyone", "everybody", "someone", "people":
		return true
	}
	return false
}

// object is a pronoun that can only be an object, or is one where it stands behind a verb.
func object(w string) bool {
	switch w {
	case "me", "him", "them", "us", "it", "you", "that", "everything", "something", "anything", "nothing", "everyone":
		return true
	}
	return false
}

func reflexive(w string) bool { return strings.HasSuffix(w, "self") || strings.HasSuffix(w, "selves") }

// adverb is a word that may stand between a subject and its verb without changing what they are.
func adverb(w string) bool {
	switch w {
	case "always", "never", "often", "usually", "also", "still", "just", "only", "really", "then", "now", "ever", "already", "even",
		"soon", "sometimes", "almost", "very", "too", "quite", "again", "perhaps", "maybe", "rather", "seldom", "once", "however":
		return true
	case "family", "supply", "apply", "reply", "fly", "july", "italy", "ally", "rally", "jelly", "belly", "bully":
		return false
	}
	return len(w) > 4 && strings.HasSuffix(w, "ly")
}

// adjectival reports whether a word sounds otherwise as an adjective than as a noun.
func (c *clause) adjectival(w string) bool {
	switch w {
	case "close", "closer", "content", "invalid", "overhead", "overweight", "uptown":
		return true
	case "minute", "read":
		return false
	}
	value, _, _ := c.lexicon.find(w)
	return strings.Contains(value, "ADJ=")
}

func habitual(w string) bool {
	switch w {
	case "every", "always", "usually", "often", "sometimes", "never", "daily", "rarely":
		return true
	}
	return false
}
