package phonemes

import "strings"

// NotAfterArticle reports whether a word cannot follow the article "a", so that an A before it is a letter: A is for apple,
// A or B, A to Z. next is the word after it.
func NotAfterArticle(word, next string) bool {
	switch word {
	case "is", "was", "or", "and", "&", "stands":
		return true
	case "means": // a means to an end
		return next != "of" && next != "to" && next != "by"
	case "to":
		return SingleCapital(next)
	}
	return false
}

// SingleCapital reports whether a word is a single capital letter that is no word by itself.
func SingleCapital(word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

// HyphenateLetterA writes a hyphen behind each capital A that is a letter, between single capitals as in "F A Q" or before a
// word that follows no article as in "A or B", where espeak-ng would read the article. With the hyphen it reads the letter;
// the number of words stays the same.
func HyphenateLetterA(text string) string {
	if !strings.Contains(text, "A ") {
		return text
	}
	words := strings.Split(text, " ")
	word := func(i int) string { return strings.TrimRight(words[min(i, len(words)-1)], `.,:;!?)]"'”’`) }
	for i := range len(words) - 1 {
		after := word(i + 1)
		afterLetter := i > 0 && (SingleCapital(words[i-1]) || words[i-1] == "I" && i > 1 && SingleCapital(words[i-2]))
		if strings.TrimLeft(words[i], `("'“‘[`) == "A" && (afterLetter || after == "I" || SingleCapital(after) || NotAfterArticle(after, word(i+2))) {
			words[i] += "-"
		}
	}
	return strings.Join(words, " ")
}
