package tag

import (
	"strings"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
	"github.com/voicewright/voicewright/engines/english/internal/token"
	"github.com/voicewright/voicewright/engines/phonemes"
)

// articleTag tags "a": the article or the letter. Opening quotes and brackets between it and the next word do not count, nor do a
// dash or dots behind a small a, which are a speaker who hesitates.
func articleTag(s *sentence, i int) string {
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
		if phonemes.SmallLetterA(s.written(i-1), s.written(i+1), s.written(i+2)) {
			return "NN"
		}
		return "DT"
	case s.letterA(i):
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

// letterA reports whether the words around a capital A show that it is a letter.
func (s *sentence) letterA(i int) bool {
	return phonemes.Around{
		Earlier: s.written(i - 2), Before: s.written(i - 1), Next: s.written(i + 1), After: s.written(i + 2),
		Line: i > 0 && s.tokens[i-1].Line, Prose: s.prose(),
	}.LetterA()
}

// written returns the word at i as it is written; marks and places outside the sentence are empty.
func (s *sentence) written(i int) string {
	if s.at(i) == "" {
		return ""
	}
	return s.text(i)
}

// prose reports whether the sentence has a long word in small letters, which titles would write with a capital.
func (s *sentence) prose() bool {
	for i, t := range s.tokens {
		if s.lower[i] == t.Text && phonemes.TitleWord(t.Text) {
			return true
		}
	}
	return false
}

// singleLetter reports whether the word at i is a single capital letter.
func (s *sentence) singleLetter(i int) bool {
	return phonemes.SingleCapital(s.text(i)) || s.text(i) == "I" || s.text(i) == "A"
}

// capitalsTag tags a word in capitals: as a name where it stands for letters or is not in the dictionary, else as the word is
// tagged in small letters.
func capitalsTag(s *sentence, i int) string {
	shouted := s.shouted && s.at(i-1) != "the"
	if !s.dictionary.Has(s.lower[i]) || !shouted && textenglish.Letters(s.at(i-2), s.at(i-1), s.tokens[i].Text, s.at(i+1)) {
		return "NNP"
	}
	tag := openTag(s, i)
	switch {
	case !strings.HasPrefix(tag, "NN"):
		return tag
	case s.dictionary.SpellsNoun(s.tokens[i].Text):
		return ""
	}
	return "NN"
}
