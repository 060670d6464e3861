package english

import (
	"slices"
	"strings"
)

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

// past tells the present of read and wound from their past.
func (c *clause) past(i int) string {
	p := c.before(i)
	if c.at(p) == "not" {
		p = c.before(p)
	}
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
	case coordinating(w):
		return c.inRow(i, p)
	case reflexive(w):
		return "VBD"
	case capitalised(c.textAt(p)) || c.follows(i):
		return "VBD"
	}
	return "NN"
}

// inRow gives the form of a verb behind "and": that of the verb before it.
func (c *clause) inRow(i, and int) string {
	for j := and - 1; j >= 0; j-- {
		w := c.lower[j]
		switch {
		case have(w) || be(w):
			return "VBN"
		case w == "to" || modal(w) || w == "'ll" || w == "n't" || w == "please":
			return "VB"
		case pastForm(w) || strings.HasPrefix(c.tokens[j].tag, "VBD"):
			return "VBD"
		case strings.HasPrefix(c.tokens[j].tag, "VB"):
			return c.tokens[j].tag
		}
	}
	if and <= c.first() || c.at(and-1) == "" {
		return "VBD"
	}
	if c.kind(i) == noun {
		return "NN"
	}
	return "VB"
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

// near tells close by, in "a close race" and "keep them close to you", from the end that something draws to.
func (c *clause) near(i int) bool {
	n := c.at(i + 1)
	switch c.kind(i) {
	case noun:
		return n != "of" && (n != "" || c.at(i-1) != "a" && c.at(i-1) != "the")
	case verb:
		return object(c.at(i-1)) && (n == "to" || n == "by" || n == "together" || n == "behind")
	case unclear, adjective:
	}
	return false
}
