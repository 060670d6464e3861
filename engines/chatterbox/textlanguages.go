package chatterbox

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/python"
	"github.com/voicewright/voicewright/engines/tokens"
)

// prepareText returns a text as Multilingual takes it: tidy, in lower case, decomposed, in the letters of its language and
// after the tag of the language. Japanese, Hebrew and Russian stay as they are written: the libraries by which the reference
// implementation adds readings, vowels and stress do not exist for Go.
func prepareText(language, text string, table cangjie) string {
	text = languageText(language, tokens.NFKD(python.Lower(multilingualMarks.tidy(text))), table)
	return "[" + language + "]" + text
}

// languageText returns a decomposed text in the letters that the tokenizer has for its language.
func languageText(language, text string, table cangjie) string {
	switch language {
	case "zh":
		return table.spell(text)
	case "ko": // the syllables are decomposed already
		return python.TrimSpace(text)
	}
	return text
}

// cangjie has the tokens of Chinese characters: the keys of the Cangjie input method by which they are typed.
type cangjie map[rune]string

// readCangjie reads the file Cangjie5_TC.json: a list of texts with a character, a tab, its keys, and maybe more. Of several
// characters with equal keys, the second and later ones also have a number.
func readCangjie(raw []byte) (cangjie, error) {
	var rows []string
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, err
	}
	type coded struct{ character, keys string }
	keysOf := make(map[string]string, len(rows))
	index := make(map[coded]int, len(rows))
	counts := map[string]int{}
	for i, row := range rows {
		parts := strings.Split(row, "\t")
		if len(parts) < 2 {
			return nil, fmt.Errorf("row %d has no tab", i)
		}
		c := coded{parts[0], parts[1]}
		if _, ok := index[c]; !ok {
			index[c] = counts[c.keys]
		}
		counts[c.keys]++
		keysOf[c.character] = c.keys
	}
	table := make(cangjie, len(keysOf))
	for character, keys := range keysOf {
		if r, size := utf8.DecodeRuneInString(character); size == len(character) {
			table[r] = keyTokens(keys, index[coded{character, keys}])
		}
	}
	return table, nil
}

// keyTokens returns the tokens of keys, a number that is not 0, and the end of the character.
func keyTokens(keys string, number int) string {
	if number > 0 {
		keys += strconv.Itoa(number)
	}
	var out strings.Builder
	for _, key := range keys + "." {
		out.WriteString("[cj_" + string(key) + "]")
	}
	return out.String()
}

// spell returns a text with the tokens of the characters that the table has.
func (c cangjie) spell(text string) string {
	var out strings.Builder
	for _, r := range text {
		if code, ok := c[r]; ok && unicode.Is(unicode.Lo, r) {
			out.WriteString(code)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
