package phonemes

import "strings"

// NoNoun reports whether a word cannot follow an article, by the word after it: A is for apple, A or B, A to Z.
func NoNoun(word, next string) bool {
	switch word {
	case "is", "was", "or", "and", "&", "stands":
		return true
	case "means": // a means to an end
		return next != "of" && next != "to" && next != "by"
	case "to":
		return Initial(next)
	}
	return false
}

// Initial reports whether a word is a single capital letter that is no word by itself.
func Initial(word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

// SpelledA writes a hyphen behind each capital A between single capitals, as in "A I" or "F A Q", or before a word that
// follows no article, as in "A or B", where espeak-ng would read the article. With the hyphen it reads the letter; the number of words stays the same.
func SpelledA(text string) string {
	if !strings.Contains(text, "A ") {
		return text
	}
	words := strings.Split(text, " ")
	word := func(i int) string { return strings.TrimRight(words[min(i, len(words)-1)], `.,:;!?)]"'”’`) }
	for i := range len(words) - 1 {
		after := word(i + 1)
		behind := i > 0 && (Initial(words[i-1]) || words[i-1] == "I" && i > 1 && Initial(words[i-2]))
		if strings.TrimLeft(words[i], `("'“‘[`) == "A" && (behind || after == "I" || Initial(after) || NoNoun(after, word(i+2))) {
			words[i] += "-"
		}
	}
	return strings.Join(words, " ")
}
