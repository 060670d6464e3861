package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
)

// maxPattern is the most bytes of a regular expression.
const maxPattern = 1000

// pattern is what a step looks for: a text, or a regular expression.
type pattern struct {
	text   string
	regexp *regexp.Regexp
}

func (p *pattern) UnmarshalJSON(raw []byte) error {
	var v struct{ String, Regex *string }
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	switch {
	case v.String != nil && *v.String != "":
		p.text = *v.String
		return nil
	case v.Regex != nil && *v.Regex != "" && len(*v.Regex) <= maxPattern:
		translated, err := translate(*v.Regex)
		if err != nil {
			return err
		}
		p.regexp, err = regexp.Compile(translated)
		return err
	}
	return errors.New("a pattern is empty or too long")
}

// The Unicode classes that \s, \d and \w stand for, as parts of a bracket expression; Go's own are ASCII only.
var classes = map[rune]string{
	's': `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`,
	'd': `\p{Nd}`,
	'w': `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200C}\x{200D}\x{24B6}-\x{24E9}`,
}

// translate returns a regular expression of Hugging Face's tokenizers as Go writes it.
func translate(expression string) (string, error) {
	var out strings.Builder
	inside, escaped := false, false // of brackets; after a backslash
	for _, r := range expression {
		switch {
		case escaped:
			escaped = false
			lower := r | 0x20
			class, ok := classes[lower]
			switch {
			case !ok:
				out.WriteString(`\` + string(r))
			case inside && r == lower:
				out.WriteString(class)
			case inside:
				return "", fmt.Errorf(`\%c inside brackets is not supported`, r)
			case r == lower:
				out.WriteString("[" + class + "]")
			default:
				out.WriteString("[^" + class + "]")
			}
			continue
		case r == '\\':
			escaped = true
			continue
		case r == '[':
			inside = true
		case r == ']':
			inside = false
		}
		out.WriteRune(r)
	}
	if escaped {
		return "", errors.New("a pattern ends with a backslash")
	}
	return out.String(), nil
}

// matches are where the pattern is found in a text: starts and ends. Matches of nothing are left out.
func (p pattern) matches(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		if p.regexp != nil {
			for _, at := range p.regexp.FindAllStringIndex(text, -1) {
				if at[0] < at[1] && !yield(at[0], at[1]) {
					return
				}
			}
			return
		}
		for from := 0; ; {
			start := strings.Index(text[from:], p.text)
			if start < 0 || !yield(from+start, from+start+len(p.text)) {
				return
			}
			from += start + len(p.text)
		}
	}
}

// replaceAll returns the text with all matches replaced.
func (p pattern) replaceAll(text, content string) string {
	if p.regexp != nil {
		return p.regexp.ReplaceAllLiteralString(text, content)
	}
	return strings.ReplaceAll(text, p.text, content)
}
