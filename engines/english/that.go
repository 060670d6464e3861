package english

import "strings"

// that tells the demonstrative, which is stressed (DT), from the conjunction and the relative pronoun, which are weak (IN).
func (c *clause) that(i int) string {
	p, n := c.at(i-1), c.at(i+1)
	switch {
	case n == "":
		return c.thatAtBorder(i)
	case p == "that":
		return "DT"
	case n == "that":
		return "IN"
	case p == "in" && (subject(n) || strictly(n)) || p == "about" && strictly(n):
		return "IN"
	case preposition(p) || p == "like" || p == "than" || p == "to" || n == "which" || n == "who" || n == "of" || n == "very":
		return "DT"
	case many(n) && (p != "" || i > c.first()) && (!conjunction(p) || coordinating(p) || p == "as"):
		return "IN"
	case n == "are" || n == "were" || n == "have":
		return "IN"
	case c.asks(i-1) || modal(p) && be(n):
		return "DT"
	case subject(n) || possessor(n):
		if p == "do" || p == "did" || p == "does" {
			return "DT"
		}
		return "IN"
	case pastForm(n) && i > c.first():
		return "IN"
	case be(n) || modal(n) || have(n) || n == "'s":
		return c.thatBeforeVerb(i)
	case joining(n) || preposition(n) || n == "one" && (c.at(i+2) == "of" || c.verbWithin(i+2, 1)):
		return "IN"
	}
	return c.thatBeforeNoun(i)
}

// thatAtBorder is for a that with a mark behind it: "I know that." but "I know that, when he comes, he stays."
func (c *clause) thatAtBorder(i int) string {
	p, n := c.at(i-1), c.at(i+2)
	thinks := saying(p) && !verbal(p)
	if i+1 == len(c.tokens) {
		return "DT"
	}
	switch mark := c.tokens[i+1].tag; {
	case opening(mark):
		if saying(p) || pastForm(p) {
			return "IN"
		}
	case mark == ":":
		if thinks {
			return "IN"
		}
	case mark != ",", n == "", p == "all", p == "to", preposition(p), conjunction(p), adverb(p), coordinating(n), n == "too":
	case p == "" && (i == 0 || c.tokens[i-1].tag != ","):
	case preposition(n), conjunction(n), n == "however", strings.HasSuffix(n, "ing"), pastForm(n), thinks && adverb(n):
		return "IN"
	}
	return "DT"
}

// asks reports whether the word at i is the verb at the head of a question: "Is that ...", "What was that ...".
func (c *clause) asks(i int) bool {
	w := c.at(i)
	if w != "is" && w != "was" && w != "isn" && w != "wasn" {
		return false
	}
	switch c.at(i - 1) {
	case "", "what", "who", "how", "where", "why":
		return true
	}
	return coordinating(c.at(i - 1))
}

func coordinating(w string) bool { return w == "and" || w == "or" || w == "but" }

// thatBeforeVerb is for "that is", "that would": a subject of its own, or one that goes on with the noun before it.
func (c *clause) thatBeforeVerb(i int) string {
	p, n := c.at(i-1), c.at(i+1)
	switch {
	case p == "":
		return "DT"
	case c.noun(i - 1):
		return "IN"
	case conjunction(p) || saying(p) || adverb(p) || p == "so" || p == "not":
		return "DT"
	case n == "'s":
		return "DT"
	}
	return "IN"
}

// thatBeforeNoun is for "that man": he points at one, or says something of men.
func (c *clause) thatBeforeNoun(i int) string {
	p := c.at(i - 1)
	named := capitalised(c.textAt(i + 1))
	switch {
	case named && (p == "" && i > c.first() || aside(p)):
		return "IN"
	case p == "is" || p == "was":
		if c.verbWithin(i+2, 3) {
			return "IN"
		}
		return "DT"
	case i+2 >= len(c.tokens) && !many(p) && !named:
		return "DT"
	case moment(c.at(i+1)) || p == "" || conjunction(p) || aside(p) || p == "all" || p == "not" || p == "do" || p == "did" || p == "does":
		return "DT"
	case p == "so" || p == "such":
		return "IN"
	case saying(p):
		if verbal(p) && !named && !c.verbWithin(i+2, 3) {
			return "DT"
		}
		return "IN"
	case object(p) || reflexive(p):
		if saying(c.at(i-2)) || named {
			return "IN"
		}
		return "DT"
	case c.acts(i - 1):
		return "DT"
	}
	return "IN"
}

// verbWithin reports whether one of the n words at i is a verb of the kind that can be told by itself.
func (c *clause) verbWithin(i, n int) bool {
	for ; n > 0 && c.at(i) != ""; i, n = i+1, n-1 {
		if w := c.at(i); be(w) || modal(w) || have(w) || w == "'s" {
			return true
		}
	}
	return false
}

// acts reports whether the word at i is a verb, by its ending or what stands before it.
func (c *clause) acts(i int) bool {
	w, p := c.at(i), c.at(c.before(i))
	switch {
	case pastForm(w) || w == "read":
		return true
	case subject(p) || modal(p) || have(p) || p == "to" || p == "n't" || p == "please" || p == "let":
		return true
	case determiner(p) || c.noun(c.before(i)):
		return false
	case strings.HasSuffix(w, "ing"):
		return true
	}
	return p == "" && i == c.first()
}

// first gives the index of the first word.
func (c *clause) first() int {
	for i := range c.lower {
		if c.at(i) != "" {
			return i
		}
	}
	return 0
}

// aside is the last word of verbs such as "set aside".
func aside(w string) bool {
	switch w {
	case "aside", "away", "off", "out", "down", "up", "back", "round", "forth", "again":
		return true
	}
	return false
}

// many reports whether a word ends as plurals and verbs do, which a demonstrative that never stands before.
func many(w string) bool {
	if w == "men" || w == "women" || w == "children" {
		return true
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is")
}

// moment is a time that people point at.
func moment(w string) bool {
	switch w {
	case "day", "night", "morning", "afternoon", "evening", "time", "moment", "instant", "hour", "minute", "year", "week", "month",
		"summer", "winter", "spring", "autumn", "way", "sort", "kind":
		return true
	}
	return false
}

// pastForm is the past of a verb that is no other word as often.
func pastForm(w string) bool {
	switch w {
	case "made", "came", "went", "gave", "took", "began", "became", "brought", "caught", "fell", "flew", "got", "grew", "held", "hid",
		"kept", "knew", "laid", "lay", "led", "lost", "met", "ran", "rose", "sat", "saw", "sent", "shone", "sold", "spoke", "sprang",
		"stood", "struck", "sung", "swam", "taught", "thought", "threw", "told", "tore", "wore", "won", "wrote", "bore", "broke", "built",
		"drew", "drove", "ate", "fought", "forgot", "hung", "paid", "rang", "sank", "sang", "sought", "spent", "stole", "swept", "swung",
		"understood", "woke", "lit", "left", "bent", "bound", "burst", "forsook", "mistook", "overcame", "withdrew",
		"stung", "sprung", "flung", "slung", "wrung", "spun", "dug", "shrank", "swore", "froze", "trod", "said", "found", "did", "blew", "bought", "chose", "clung", "crept", "dealt", "drank", "fed", "fled", "lent",
		"rode", "shook", "shot", "slept", "stuck", "wept":
		return true
	}
	return len(w) > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed")
}

// subject is a word that begins a clause of its own behind that.
func subject(w string) bool {
	switch w {
	case "i", "you", "he", "she", "it", "we", "they", "there", "everyone", "everybody", "someone", "somebody", "nobody", "nothing",
		"everything", "something", "anything", "anyone", "anybody", "none", "what", "whatever", "whoever", "people", "mr.", "mrs.":
		return true
	}
	return false
}

// strictly is a determiner that stands behind no other.
func strictly(w string) bool {
	switch w {
	case "the", "a", "an", "my", "your", "his", "its", "our", "their":
		return true
	}
	return false
}

// possessor is a determiner that cannot follow another.
func possessor(w string) bool {
	switch w {
	case "the", "a", "an", "my", "your", "his", "her", "its", "our", "their", "this", "these", "those", "no", "every", "each", "some",
		"any", "such", "both", "another", "all", "many", "most":
		return true
	}
	return false
}

func conjunction(w string) bool {
	switch w {
	case "and", "or", "but", "if", "when", "while", "because", "though", "although", "as", "where", "whether", "how", "why", "what",
		"till", "since", "once", "unless", "nor", "yet", "whenever", "which", "who", "whom":
		return true
	}
	return false
}

// saying is a word that a clause with that goes with: of saying, thinking and feeling.
func saying(w string) bool {
	switch w {
	case "say", "says", "said", "saying", "think", "thinks", "thought", "thinking", "believe", "believes", "believed", "believing",
		"suppose", "supposed", "supposing", "imagine", "imagined", "hope", "hopes", "hoped", "hoping", "wish", "wishes", "wished", "fear",
		"feared", "declare", "declared", "declaring", "tell", "tells", "told", "telling", "promise", "promised", "assure", "assured",
		"perceive", "perceived", "perceiving", "observe", "observed", "remark", "remarked", "reply", "replied", "answer", "answered",
		"agree", "agreed", "confess", "confessed", "admit", "admitted", "claim", "claimed", "conclude", "concluded", "insist",
		"insisted", "doubt", "doubted", "swear", "swore", "sworn", "suspect", "suspected", "learn", "learned", "learnt", "discover",
		"discovered", "realize", "realized", "realise", "realised", "prove", "proved", "show", "shows", "showed", "shown", "mean",
		"means", "meant", "suggest", "suggested", "suggests", "argue", "argued", "announce", "announced", "decide", "decided",
		"resolve", "resolved", "guess", "guessed", "fancy", "fancied", "trust", "explain", "explained", "persuaded", "convinced",
		"satisfied", "informed", "warned", "reminded", "afraid", "sure", "certain", "glad", "sorry", "happy", "aware", "possible",
		"impossible", "likely", "true", "clear", "evident", "plain", "probable", "conscious", "confident", "ashamed", "pity", "fact",
		"idea", "provided", "so", "such", "now", "except", "save", "notwithstanding", "reflected", "added", "wonder", "wondered", "pray",
		"prayed", "require", "required", "expect", "expected", "seems", "seemed", "appears", "appeared", "ordered", "pretend", "pretended":
		return true
	}
	return verbal(w)
}

// verbal is a verb of saying that takes a plain object as often: "see that man", "see that men are here".
func verbal(w string) bool {
	switch w {
	case "know", "knows", "knew", "known", "knowing", "see", "sees", "saw", "seen", "seeing", "hear", "hears", "heard", "hearing",
		"remember", "remembers", "remembered", "forget", "forgot", "forgotten", "feel", "feels", "felt", "feeling", "find", "finds",
		"found", "understand", "understood", "notice", "noticed", "mind", "mark":
		return true
	}
	return false
}
