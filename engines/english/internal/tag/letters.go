package tag

import (
	"strings"
	"unicode"
	"unicode/utf8"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/engines/english/internal/token"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// article tags "a": the article or the letter. Opening quotes and brackets between it and the next word do not count, nor do a
// dash or dots behind a small a, which are a speaker who hesitates.
func (s *sentence) article(i int) string {
	next := i + 1
	for next < len(s.tokens) && (opening[s.tags[next]] || s.hesitates(i, next)) {
		next++
	}
	word := s.text(next)
	switch {
	case word == "" || !token.Readable(word) && !s.tokens[next].IPA:
		return "NN"
	case next == i+1 && !s.tokens[i].Space:
		return "NN"
	case s.tokens[i].Text != "A":
		return "DT"
	case s.letterA(i):
		return "NN"
	}
	within := s.at(i-1) != "" && !s.tokens[i-1].Line
	if within && !s.shouted && !token.Capitalised(word) {
		return "NN"
	}
	return "DT"
}

// opening are the tags of marks that open.
var opening = map[string]bool{"``": true, "-LRB-": true}

// hesitates reports whether the mark at next is a dash or dots behind a small a at i.
func (s *sentence) hesitates(i, next int) bool {
	mark := s.tokens[next].Text
	return s.tokens[i].Text == "a" && s.tags[next] == ":" && mark != ":" && mark != ";"
}

// letterA reports whether the words around a capital A show that it is a letter: a name goes on with it, as in J A Smith, or
// it is the first letter of one, as in A B Smith and in A D. At the beginning of a sentence, A B movie has the article.
func (s *sentence) letterA(i int) bool {
	if before := s.at(i - 1); before == "the" || before == "an" || phonemes.SingleCapital(s.text(i-1)) || phonemes.NotAfterArticle(s.at(i+1), s.text(i+2)) {
		return true
	}
	if next := s.text(i + 1); !phonemes.SingleCapital(next) {
		return next == "I"
	}
	third, _ := utf8.DecodeRuneInString(s.text(i + 2))
	joined := s.at(i+2) == "and" && phonemes.SingleCapital(s.text(i+3)) // A T and T
	return s.at(i-1) != "" || joined || !unicode.IsLower(third)
}

// singleLetter reports whether the word at i is a single capital letter.
func (s *sentence) singleLetter(i int) bool {
	return phonemes.SingleCapital(s.text(i)) || s.text(i) == "I" || s.text(i) == "A"
}

// capitals tags a word in capitals: as a name where it stands for letters or is not in the dictionary, else as the word is
// tagged in small letters.
func (s *sentence) capitals(i int) string {
	shouted := s.shouted && s.at(i-1) != "the"
	if !s.dictionary.Has(s.lower[i]) || !shouted && textenglish.Letters(s.at(i-2), s.at(i-1), s.tokens[i].Text, s.at(i+1)) {
		return "NNP"
	}
	tag := s.open(i)
	switch {
	case !strings.HasPrefix(tag, "NN"):
		return tag
	case s.dictionary.SpellsNoun(s.tokens[i].Text):
		return ""
	}
	return "NN"
}
