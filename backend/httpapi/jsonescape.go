package httpapi

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
)

// escape parses an escape sequence and reports whether it is valid in text: NUL and lone surrogates are not.
func (c *checker) escape() (bool, *syntaxError) {
	c.pos++
	switch c.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		c.pos++
		return true, nil
	case 'u':
	default:
		return false, c.bad("invalid escape")
	}
	r, err := c.hex()
	if err != nil {
		return false, err
	}
	if !utf16.IsSurrogate(r) {
		return r != 0, nil
	}
	if c.pos+1 >= len(c.data) || c.data[c.pos] != '\\' || c.data[c.pos+1] != 'u' {
		return false, nil
	}
	back := c.pos
	c.pos++
	low, err := c.hex()
	if err != nil {
		return false, err
	}
	if utf16.DecodeRune(r, low) == '\uFFFD' {
		c.pos = back // the second may be the first half of another pair
		return false, nil
	}
	return true, nil
}

// hex parses `u` and four hexadecimal digits.
func (c *checker) hex() (rune, *syntaxError) {
	c.pos++
	if c.pos+4 > len(c.data) {
		return 0, c.bad("invalid \\uXXXX escape")
	}
	n, err := strconv.ParseUint(string(c.data[c.pos:c.pos+4]), 16, 16)
	if err != nil {
		return 0, c.bad("invalid \\uXXXX escape")
	}
	c.pos += 4
	return rune(n), nil
}

// keyName returns a readable form of a key, for the path of an error.
func keyName(raw []byte) string {
	quoted := append(append([]byte{'"'}, raw...), '"')
	var name string
	if json.Unmarshal(quoted, &name) != nil {
		name = string(raw)
	}
	return strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), "\uFFFD")
}
