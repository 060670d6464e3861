package tokens

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxGrowth is by how much the normalizers of a tokenizer.json file may make a text longer, in all.
const maxGrowth = 4096

// readNormalizers returns the functions that prepare a text, in order.
func readNormalizers(raw json.RawMessage) ([]func(string) string, error) {
	all, err := steps(raw)
	if err != nil {
		return nil, err
	}
	var normalizers []func(string) string
	growth := 1
	for _, s := range all {
		normalize, times, err := readNormalizer(s)
		if err != nil {
			return nil, err
		}
		if growth *= times; growth > maxGrowth {
			return nil, errors.New("the normalizers make texts too long")
		}
		normalizers = append(normalizers, normalize)
	}
	return normalizers, nil
}

// readNormalizer returns a normalizer, and how many times longer it makes a text at most.
func readNormalizer(s step) (normalize func(string) string, growth int, err error) {
	switch s.Type {
	case "Replace":
		if s.Pattern.text == "" && s.Pattern.regexp == nil {
			return nil, 0, errors.New("a normalizer has no pattern")
		}
		growth := min(len(s.Content), maxGrowth) + 1
		return func(text string) string { return s.Pattern.replaceAll(text, s.Content) }, growth, nil
	case "Lowercase":
		return lowercase, 2, nil
	case "NFKD":
		return NFKD, 11, nil // U+FDFA
	case "NFD":
		return norm.NFD.String, 4, nil
	case "NFC":
		return norm.NFC.String, 3, nil
	case "NFKC":
		return norm.NFKC.String, 11, nil
	}
	return nil, 0, fmt.Errorf("the normalizer %.100q is not supported", s.Type)
}

// lowercase returns the text in lower case, each character by itself.
func lowercase(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r == 'İ' {
			out.WriteString("i\u0307")
		} else {
			out.WriteRune(unicode.ToLower(r))
		}
	}
	return out.String()
}

// NFKD returns the compatibility decomposition of a text. Unlike package norm, it inserts nothing into a long run of
// combining marks, as the reference implementations of the speech models do not.
func NFKD(text string) string {
	if isASCII(text) {
		return text
	}
	var out []byte
	start, last := 0, uint8(0) // of the marks at the end of out that are sorted, and the class of the last of them
	sorted := true
	flush := func() {
		if !sorted {
			copy(out[start:], sortMarks(out[start:]))
		}
		start, last, sorted = len(out), 0, true
	}
	for _, r := range text {
		for _, d := range norm.NFKD.String(string(r)) {
			class := classOf(d)
			if class == 0 {
				flush()
			}
			sorted = sorted && class >= last
			last = class
			out = utf8.AppendRune(out, d)
			if class == 0 {
				start = len(out)
			}
		}
	}
	flush()
	return string(out)
}

// sortMarks returns combining marks in their canonical order.
func sortMarks(marks []byte) []byte {
	runes := []rune(string(marks))
	slices.SortStableFunc(runes, func(a, b rune) int { return int(classOf(a)) - int(classOf(b)) })
	return []byte(string(runes))
}

// classOf returns the canonical combining class of a character; 0 is that of characters that marks are added to.
func classOf(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return norm.NFKD.PropertiesString(string(r)).CCC()
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
