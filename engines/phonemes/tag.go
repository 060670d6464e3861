package phonemes

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tag gives the parts of speech that decide between readings, by the words around. Tokens that have a tag keep it. It is no
// general tagger: what it does not recognise stays without a tag, and a word without a tag has its usual reading.
func tag(tokens []token) {
	for start := 0; start < len(tokens); {
		stop := start
		for stop < len(tokens) && tokens[stop].tag != "." {
			stop++
		}
		c := clause{tokens: tokens[start:stop]}
		c.lower = make([]string, stop-start)
		for i, t := range c.tokens {
			c.lower[i] = strings.ToLower(straight(t.text))
		}
		c.loud = c.shouted()
		for i := range c.tokens {
			if t := &c.tokens[i]; (t.tag == "" || t.tag == "POS") && !t.spoken {
				t.tag = c.tag(i)
			}
		}
		start = stop + 1
	}
}

// clause is a sentence while it is tagged, from left to right.
type clause struct {
	tokens []token
	lower  []string
	loud   bool // written in capitals
}

// shouted reports whether most words are capitals.
func (c *clause) shouted() bool {
	loud, words := 0, 0
	for _, t := range c.tokens {
		if !letters(t.text) || len(t.text) < 2 {
			continue
		}
		words++
		if t.text == strings.ToUpper(t.text) {
			loud++
		}
	}
	return words > 1 && loud*10 >= words*6
}

// at gives the word at i in small letters; marks and what lies outside the sentence give an empty one.
func (c *clause) at(i int) string {
	if i < 0 || i >= len(c.lower) || c.tokens[i].tag == "," || c.tokens[i].tag == ":" {
		return ""
	}
	return c.lower[i]
}

// before gives the index of the word before i, over adverbs.
func (c *clause) before(i int) int {
	const most = 4
	start := i - 1
	for i = start; i > start-most && adverb(c.at(i)); i-- {
	}
	return i
}

func (c *clause) tag(i int) string {
	w, text := c.lower[i], c.tokens[i].text
	switch w {
	case "a":
		return c.article(i)
	case "an", "the", "these", "those", "every", "each", "some", "any", "no":
		if w == "an" && text == "AN" && !c.loud {
			return "NNP"
		}
		return "DT"
	case "that":
		return c.that(i)
	case "i":
		if text == "I" && c.tokens[i].space && c.at(i+1) == "" && capitalised(c.textAt(i-1)) && i > 1 {
			return "CD"
		}
		return "PRP"
	case "'s":
		if p := c.at(i - 1); pronoun(p) || p == "that" || p == "there" || p == "here" || p == "what" || p == "who" {
			return "VBZ"
		}
		return "POS"
	case "to":
		return "TO"
	case "am":
		if i > 0 && c.tokens[i-1].tag == "CD" || text == "AM" && !c.loud && c.at(i-1) != "i" {
			return "NN"
		}
		return "VBP"
	case "used":
		return c.used(i)
	case "vs":
		return "IN"
	case "hundred", "thousand", "million", "billion", "trillion":
		if i > 0 && c.tokens[i-1].tag == "CD" {
			return "CD"
		}
		return "NN"
	case "by", "in", "of", "on", "at", "for", "with", "from":
		return "IN"
	}
	if modal(w) {
		return "MD"
	}
	if len(text) > 1 && letters(text) && text == strings.ToUpper(text) && text != strings.ToLower(text) {
		return c.acronym(i)
	}
	return c.open(i)
}

func (c *clause) textAt(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].text
}

// article tells the article a from the letter.
func (c *clause) article(i int) string {
	next := c.textAt(i + 1)
	if next == "" || !worth(next) && !c.tokens[i+1].spoken || !c.tokens[i].space {
		return "NN"
	}
	if c.tokens[i].text == "A" && c.letter(i) {
		return "NN"
	}
	if c.tokens[i].text == "A" && i > 0 && c.at(i-1) != "" && !c.loud && !capitalised(next) {
		return "NN"
	}
	return "DT"
}

// letter tells by the neighbours of a capital A that it is a letter: a name goes on with it, as in J A Smith, or it is the
// first letter of one, as in A B Smith. A B movie has the article.
func (c *clause) letter(i int) bool {
	if before := c.at(i - 1); before == "the" || before == "an" || initial(c.textAt(i-1)) {
		return true
	}
	after, _ := utf8.DecodeRuneInString(c.textAt(i + 2))
	return initial(c.textAt(i+1)) && !unicode.IsLower(after)
}

// initial reports a single capital letter that is no word by itself.
func initial(word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

// that is stressed where it points at something, and weak where it joins clauses.
func (c *clause) that(i int) string {
	p, n := c.at(i-1), c.at(i+1)
	switch {
	case n == "" || p == "":
		return "DT"
	case preposition(p) || p == "that" || p == "do" || p == "did" || p == "does" || p == "like" || p == "all" || p == "not":
		return "DT"
	case (p == "and" || p == "but" || p == "or" || p == "is" || p == "was") && (be(n) || modal(n) || n == "'s"):
		return "DT"
	}
	return "IN"
}

// used tells "used to read" and "I am used to it" from "it is used to cut".
func (c *clause) used(i int) string {
	p := c.before(i)
	if !be(c.at(p)) {
		return "VBD"
	}
	switch c.at(p - 1) {
	case "i", "you", "we", "he", "she", "who":
		return "JJ"
	}
	if w := c.at(p); w == "'m" || w == "'re" {
		return "JJ"
	}
	return "VBN"
}

// acronym tags a word in capitals: a name, unless the whole sentence is so, or it is a small word said loudly.
func (c *clause) acronym(i int) string {
	p, n := c.at(i-1), c.at(i+1)
	switch w := c.lower[i]; w {
	case "he", "me", "be", "is", "as", "or", "oh", "hi", "hm", "hmm", "ah", "mm":
		return c.open(i)
	case "it":
		if p != "in" && p != "of" && !determiner(p) && n != "department" && n != "support" && n != "team" {
			return "PRP"
		}
	case "who":
		if p != "the" {
			return "WP"
		}
	case "us":
		if c.loud {
			return "PRP"
		}
	default:
		if c.loud && p != "the" {
			return c.open(i)
		}
	}
	return "NNP"
}

// open tags a word of an open class by what stands before and after it.
func (c *clause) open(i int) string {
	switch c.lower[i] {
	case "read", "reread", "wound":
		return c.past(i)
	case "live":
		return c.live(i)
	case "close":
		if c.kind(i) == noun && c.at(i+1) != "of" {
			return "JJ"
		}
	case "minute":
		if c.kind(i) == noun && c.contentAt(i+1) && c.at(i-1) == "a" {
			return "JJ"
		}
	}
	plural := strings.HasSuffix(c.lower[i], "s")
	switch c.kind(i) {
	case verb:
		return "VB"
	case adjective:
		return "JJ"
	case noun:
		if capitalised(c.tokens[i].text) && i > 0 {
			return "NNP"
		}
		if adjectival(c.lower[i]) && c.contentAt(i+1) {
			return "JJ"
		}
		if plural {
			return "NNS"
		}
		return "NN"
	case unclear:
	}
	if capitalised(c.tokens[i].text) && !c.loud && i > 0 && c.at(i-1) != "" {
		return "NNP"
	}
	return ""
}

// past tells the present of read and wound from their past.
func (c *clause) past(i int) string {
	p := c.before(i)
	w := c.at(p)
	switch {
	case have(w) || be(w) || w == "'s" && c.tokens[p].tag == "VBZ" || w == "'ve":
		return "VBN"
	case w == "to" || modal(w) || w == "let" || w == "'ll" || w == "n't" || w == "please":
		return "VB"
	case w == "he" || w == "she" || w == "it" || w == "who":
		return "VBD"
	case w == "i" || w == "we" || w == "they":
		if c.habit(i) {
			return "VB"
		}
		return "VBD"
	case w == "you" || w == "" || determiner(w) || preposition(w):
		return "NN"
	case (w == "and" || w == "or") && c.kind(i) == verb:
		return "VB"
	case capitalised(c.textAt(p)) || c.follows(i):
		return "VBD"
	}
	return "NN"
}

// habit reports whether the part of the sentence around i, between its commas, tells of a habit, as "every day" does.
func (c *clause) habit(i int) bool {
	start, stop := i, i
	const most = 30
	for i-start < most && c.at(start-1) != "" {
		start--
	}
	for stop-i < most && c.at(stop) != "" {
		stop++
	}
	return slices.ContainsFunc(c.lower[start:stop], habitual)
}

// follows reports whether an object follows the word at i.
func (c *clause) follows(i int) bool {
	n := c.at(i + 1)
	return determiner(n) || object(n)
}

// live tells the verb from the adjective.
func (c *clause) live(i int) string {
	p, n := c.at(c.before(i)), c.at(i+1)
	switch n {
	case "music", "show", "shows", "concert", "concerts", "broadcast", "stream", "streaming", "event", "events", "audience",
		"performance", "performances", "album", "tv", "television", "video", "coverage", "version", "wire", "recording", "band":
		return "JJ"
	}
	switch {
	case be(p) || p == "go" || p == "went" || p == "going" || p == "goes" || p == "'s":
		return "JJ"
	case determiner(p) && c.contentAt(i+1):
		return "JJ"
	}
	return "VB"
}

// contentAt reports whether the word at i is a noun or the like: no small word and no mark.
func (c *clause) contentAt(i int) bool {
	w := c.at(i)
	return w != "" && worth(w) && !determiner(w) && !preposition(w) && !object(w) && !pronoun(w) && !modal(w) && !be(w) && !have(w) &&
		!joining(w)
}

func joining(w string) bool {
	switch w {
	case "and", "or", "but", "that", "which", "who", "when", "if", "because", "to", "as", "than", "'s", "not", "so", "while", "where":
		return true
	}
	return adverb(w)
}
