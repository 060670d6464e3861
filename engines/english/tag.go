package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/phonemes"
)

// tag gives the parts of speech that decide between readings, by the words around. Tokens that have a tag keep it. It is no
// general tagger: what it does not recognise stays without a tag, and a word without a tag has its usual reading.
func tag(l *lexicon, tokens []token) {
	for start := 0; start < len(tokens); {
		stop := start
		for stop < len(tokens) && tokens[stop].tag != "." {
			stop++
		}
		c := clause{lexicon: l, tokens: tokens[start:stop]}
		c.lower = make([]string, stop-start)
		for i, t := range c.tokens {
			if !borders(t.tag) {
				c.lower[i] = strings.ToLower(straight(t.text))
			}
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
	lexicon *lexicon
	tokens  []token
	lower   []string
	loud    bool // written in capitals
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

// borders reports whether a tag is one of punctuation, which parts what stands on its sides.
func borders(tag string) bool {
	switch tag {
	case ",", ":", "``", "''", "-LRB-", "-RRB-":
		return true
	}
	return false
}

// at returns the word at i in small letters; marks and what lies outside the sentence give an empty one.
func (c *clause) at(i int) string {
	if i < 0 || i >= len(c.lower) {
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
		return "DT"
	case "that":
		return c.that(i)
	case "i":
		if text == "I" && c.tokens[i].space && c.at(i+1) == "" && capitalised(c.textAt(i-1)) && i > 1 {
			return "CD"
		}
		if c.lone(i+1) || c.lone(i-1) && (c.lone(i-2) || c.textAt(i-1) == "A") {
			return "NNP"
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
		if i > 0 && c.tokens[i-1].tag == "CD" || text == "AM" && !c.loud && c.at(i-1) != "i" && c.at(i+1) != "i" {
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
	case "by", "in":
		if text == "IN" && !c.loud {
			return "RB"
		}
		return c.particle(i)
	case "of", "on", "at", "for", "with", "from":
		return "IN"
	}
	if modal(w) {
		return "MD"
	}
	if len(text) > 1 && letters(text) && text == strings.ToUpper(text) && text != strings.ToLower(text) {
		return c.capitals(i)
	}
	return c.open(i)
}

// particle tells "come in and sit", where the word belongs to the verb, from "in town".
func (c *clause) particle(i int) string {
	if c.lower[i] == "by" && c.at(i-1) == "and" && c.at(i-2) == "by" {
		return "RB"
	}
	switch n := c.at(i + 1); n {
	case "and", "or":
		if after := c.at(i + 2); after != "out" && !preposition(after) {
			return "RB"
		}
	case "but", "again", "along", "before", "after", "without", "because", "until", "if", "since":
		return "RB"
	case "with", "to", "by", "for", "from", "on", "through", "towards", "toward", "upon", "here", "while", "when":
		if c.lower[i] == "in" {
			return "RB"
		}
	default:
		if strings.HasSuffix(n, "ly") && c.at(i+2) == "" {
			return "RB"
		}
	}
	return "IN"
}

// inflected reports whether a word is the past of a verb that the dictionary has without its ending.
func (c *clause) inflected(i int) bool {
	w := c.lower[i]
	if !strings.HasSuffix(w, "ed") {
		return false
	}
	_, _, ok := c.lexicon.find(w)
	return !ok
}

func (c *clause) textAt(i int) string {
	if i < 0 || i >= len(c.tokens) {
		return ""
	}
	return c.tokens[i].text
}

// article tells the article a from the letter. Behind opening quotes and brackets, and before them, it is read as if they were
// not there; a dash or dots behind a small a are a speaker who hesitates.
func (c *clause) article(i int) string {
	next := i + 1
	for next < len(c.tokens) && (opening(c.tokens[next].tag) || c.hesitates(i, next)) {
		next++
	}
	word := c.textAt(next)
	if word == "" || !worth(word) && !c.tokens[next].spoken || next == i+1 && !c.tokens[i].space {
		return "NN"
	}
	within := c.at(i-1) != "" && !c.tokens[i-1].line
	if c.tokens[i].text == "A" && (c.letter(i) || within && !c.loud && !capitalised(word)) {
		return "NN"
	}
	return "DT"
}

// opening reports whether a tag is one of marks that open.
func opening(tag string) bool { return tag == "``" || tag == "-LRB-" }

// hesitates reports whether the dash or dots at next break off after a small a.
func (c *clause) hesitates(i, next int) bool {
	return c.tokens[i].text == "a" && c.tokens[next].tag == ":" && c.tokens[next].text != ":" && c.tokens[next].text != ";"
}

// letter tells by the neighbours of a capital A that it is a letter: a name goes on with it, as in J A Smith, or it is the
// first letter of one, as in A B Smith or in A D. At the beginning of a sentence, A B movie has the article.
func (c *clause) letter(i int) bool {
	if before := c.at(i - 1); before == "the" || before == "an" || phonemes.Initial(c.textAt(i-1)) || phonemes.NoNoun(c.at(i+1), c.textAt(i+2)) {
		return true
	}
	if next := c.textAt(i + 1); !phonemes.Initial(next) {
		return next == "I"
	}
	after, _ := utf8.DecodeRuneInString(c.textAt(i + 2))
	joined := c.at(i+2) == "and" && phonemes.Initial(c.textAt(i+3)) // A T and T
	return c.at(i-1) != "" || joined || !unicode.IsLower(after)
}

// lone reports whether the word at i is a single capital letter.
func (c *clause) lone(i int) bool {
	return phonemes.Initial(c.textAt(i)) || c.textAt(i) == "I" || c.textAt(i) == "A"
}

// open tags a word of an open class by what stands before and after it.
func (c *clause) open(i int) string {
	switch c.lower[i] {
	case "read", "reread", "wound":
		return c.past(i)
	case "live":
		return c.live(i)
	case "lives", "uses":
		p, place := c.at(i-1), preposition(c.at(i+1))
		if capitalised(c.textAt(i-1)) && !determiner(p) && (i > 1 || place) || adverb(p) && place {
			return "VBZ"
		}
	case "learned":
		if !determiner(c.at(i - 1)) {
			return "VBD"
		}
	case "close":
		if c.near(i) {
			return "JJ"
		}
	case "minute":
		if c.kind(i) == noun && c.contentAt(i+1) && c.at(i-1) == "a" {
			return "JJ"
		}
	}
	if c.inflected(i) {
		return "VBD"
	}
	plural := strings.HasSuffix(c.lower[i], "s")
	switch c.kind(i) {
	case verb:
		return "VB"
	case adjective:
		if pastForm(c.at(i + 1)) {
			return "RB"
		}
		return "JJ"
	case noun:
		if capitalised(c.tokens[i].text) && i > 0 {
			return "NNP"
		}
		if c.adjectival(c.lower[i]) && c.contentAt(i+1) {
			return "JJ"
		}
		if plural {
			return "NNS"
		}
		return "NN"
	case unclear:
		if c.at(i-1) == "" && c.adjectival(c.lower[i]) && c.contentAt(i+1) {
			return "JJ"
		}
	}
	if capitalised(c.tokens[i].text) && !c.loud && i > 0 && c.at(i-1) != "" {
		return "NNP"
	}
	return ""
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
