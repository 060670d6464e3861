package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// splitter calls visit with the parts of a text, in order. No part is empty.
type splitter func(text string, visit func(part string))

// readPreTokenizers returns the functions that split a text, in order, and whether its bytes are the symbols of the model
// then, not its characters.
func readPreTokenizers(raw json.RawMessage) (splitters []splitter, byteLevel bool, err error) {
	all, err := steps(raw)
	if err != nil {
		return nil, false, err
	}
	for _, s := range all {
		if byteLevel {
			return nil, false, fmt.Errorf("the pre-tokenizer %.100q after ByteLevel is not supported", s.Type)
		}
		switch s.Type {
		case "ByteLevel":
			byteLevel = true
			splitters = append(splitters, s.byteLevel)
		case "Whitespace":
			splitters = append(splitters, splitWords)
		case "Split":
			if err := s.checkSplit(); err != nil {
				return nil, false, err
			}
			splitters = append(splitters, s.split)
		default:
			return nil, false, fmt.Errorf("the pre-tokenizer %.100q is not supported", s.Type)
		}
	}
	return splitters, byteLevel, nil
}

// byteLevel splits a text as GPT-2 does.
func (s step) byteLevel(text string, visit func(string)) {
	if s.AddPrefixSpace && !strings.HasPrefix(text, " ") {
		text = " " + text
	}
	if s.UseRegex != nil && !*s.UseRegex {
		visit(text)
		return
	}
	for text != "" {
		size := firstWord(text)
		visit(text[:size])
		text = text[size:]
	}
}

func (s step) checkSplit() error {
	if s.Pattern.text == "" && s.Pattern.regexp == nil {
		return errors.New("a pre-tokenizer has no pattern")
	}
	if s.Behavior != "Removed" && s.Behavior != "Isolated" {
		return fmt.Errorf("splitting with the behaviour %.100q is not supported", s.Behavior)
	}
	return nil
}

// split splits a text at the matches of a pattern, which are parts of their own or left out. With Invert, what is between
// them is.
func (s step) split(text string, visit func(string)) {
	keep := func(part string, isMatch bool) {
		if part != "" && (s.Behavior == "Isolated" || isMatch == s.Invert) {
			visit(part)
		}
	}
	done := 0
	for start, end := range s.Pattern.matches(text) {
		keep(text[done:start], false)
		keep(text[start:end], true)
		done = end
	}
	keep(text[done:], false)
}

// splitWords splits a text into runs of word characters and runs of others, and leaves white space out.
func splitWords(text string, visit func(string)) {
	start, kind := 0, 0 // of the run; 0 is white space
	for i, r := range text {
		next := 2
		if unicode.IsSpace(r) {
			next = 0
		} else if isWord(r) {
			next = 1
		}
		if next == kind {
			continue
		}
		if kind != 0 {
			visit(text[start:i])
		}
		start, kind = i, next
	}
	if kind != 0 {
		visit(text[start:])
	}
}

// isWord reports whether a character is one of words, as \w of regular expressions with Unicode.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

// contractions are parts of their own in English texts.
var contractions = []string{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}

// firstWord returns the length of what GPT-2 splits off at the start of a text: a contraction; letters, numbers or other
// characters, after at most one space; or white space, without its last character where something follows it.
func firstWord(text string) int {
	for _, c := range contractions {
		if strings.HasPrefix(text, c) {
			return len(c)
		}
	}
	start := 0
	if text[0] == ' ' && len(text) > 1 {
		start = 1
	}
	r, size := utf8.DecodeRuneInString(text[start:])
	if kind := kindOf(r); kind != whiteSpace {
		end := start + size
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if kindOf(r) != kind {
				break
			}
			end += size
		}
		return end
	}
	return spaces(text)
}

// spaces returns the length of the white space that a text begins with, without its last character where something
// follows and it has more than one.
func spaces(text string) int {
	end, last := 0, 0
	for i, r := range text {
		if kindOf(r) != whiteSpace {
			if last > 0 {
				return last
			}
			return end
		}
		last, end = i, i+utf8.RuneLen(r)
	}
	return end
}

// characterKind is how GPT-2 sorts characters.
type characterKind int

const (
	otherCharacter characterKind = iota
	letter
	number
	whiteSpace
)

func kindOf(r rune) characterKind {
	switch {
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return whiteSpace
	}
	return otherCharacter
}
