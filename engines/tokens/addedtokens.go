package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedTokens finds tokens in a text that are cut out of it before it is split.
type addedTokens struct {
	trie   *trie
	tokens []addedToken
}

// newAddedTokens returns a finder of tokens whose text is what normalize makes of their content.
func newAddedTokens(tokens []addedToken, normalize func(string) string) *addedTokens {
	a := &addedTokens{tokens: tokens}
	seen := map[string]bool{"": true}
	var entries []entry
	for i, t := range tokens {
		if text := normalize(t.Content); !seen[text] {
			seen[text] = true
			entries = append(entries, entry{text, int32(i)})
		}
	}
	a.trie = newTrie(entries)
	return a
}

// cut calls visit with the tokens in a text and their ids, and with what is between them and none, in order.
func (a *addedTokens) cut(text string, visit func(part string, id int)) {
	done := 0
	for i := 0; i < len(text); {
		index, size := a.trie.longest(text[i:])
		start, end := i, i+size
		if index == none || a.tokens[index].SingleWord && !isOneWord(text[:start], text[end:]) {
			i += max(size, 1)
			continue
		}
		t := a.tokens[index]
		if t.TrimLeft {
			start = max(done, len(strings.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if t.TrimRight {
			end = len(text) - len(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if done < start {
			visit(text[done:start], none)
		}
		visit(text[start:end], t.ID)
		i, done = end, end
	}
	if done < len(text) {
		visit(text[done:], none)
	}
}

// isOneWord reports whether no word ends with before and none begins with after.
func isOneWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return !isWord(last) && !isWord(first)
}
