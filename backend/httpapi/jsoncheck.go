package httpapi

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

const (
	maxNesting     = 200 // objects and lists within each other
	maxTextErrors  = 16  // string_unicode entries in one response
	unicodeMessage = "Input should be a valid string, unable to parse raw data as a unicode string"
)

// checkJSON rejects what encoding/json would reject or silently repair: json_invalid with a byte offset for malformed JSON,
// string_unicode with the path of the string for invalid UTF-8, a lone surrogate or NUL in a string. It returns nil for a valid
// body.
func checkJSON(data []byte) *backend.ValidationError {
	c := checker{data: data}
	c.space()
	err := c.value()
	if err == nil {
		c.space()
		if c.pos < len(data) {
			err = c.bad("extra data")
		}
	}
	switch {
	case err != nil:
		return backend.Invalid("json_invalid", "JSON decode error: "+err.what, "body", strconv.Itoa(err.offset))
	case len(c.text) > 0:
		return &backend.ValidationError{Fields: c.text}
	default:
		return nil
	}
}

// checker parses a JSON text; path has the keys and indexes of the current value.
type checker struct {
	data []byte
	pos  int
	path []step
	text []backend.FieldError
}

// step is a key (the raw bytes between the quotes) or, with key nil, an index.
type step struct {
	key   []byte
	index int
}

type syntaxError struct {
	offset int
	what   string
}

func (c *checker) bad(what string) *syntaxError { return &syntaxError{offset: c.pos, what: what} }

func (c *checker) space() {
	for c.pos < len(c.data) {
		switch c.data[c.pos] {
		case ' ', '\t', '\n', '\r':
			c.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end; a NUL byte outside strings is invalid as well.
func (c *checker) peek() byte {
	if c.pos < len(c.data) {
		return c.data[c.pos]
	}
	return 0
}

func (c *checker) value() *syntaxError {
	if len(c.path) >= maxNesting {
		return c.bad(fmt.Sprintf("more than %d levels", maxNesting))
	}
	switch b := c.peek(); {
	case b == '{':
		return c.object()
	case b == '[':
		return c.list()
	case b == '"':
		_, clean, err := c.str()
		if err == nil && !clean {
			c.report()
		}
		return err
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	default:
		for _, word := range []string{"true", "false", "null"} {
			if strings.HasPrefix(string(c.data[c.pos:min(len(c.data), c.pos+len(word))]), word) {
				c.pos += len(word)
				return nil
			}
		}
		return c.bad("expecting value")
	}
}

func (c *checker) object() *syntaxError {
	c.pos++
	c.path = append(c.path, step{})
	defer func() { c.path = c.path[:len(c.path)-1] }()
	c.space()
	if c.peek() == '}' {
		c.pos++
		return nil
	}
	for {
		if c.peek() != '"' {
			return c.bad("expecting property name enclosed in double quotes")
		}
		key, clean, err := c.str()
		if err != nil {
			return err
		}
		c.path[len(c.path)-1].key = key
		if !clean {
			c.report()
		}
		c.space()
		if c.peek() != ':' {
			return c.bad("expecting ':' delimiter")
		}
		c.pos++
		if more, err := c.item('}'); err != nil || !more {
			return err
		}
	}
}

func (c *checker) list() *syntaxError {
	c.pos++
	c.path = append(c.path, step{})
	defer func() { c.path = c.path[:len(c.path)-1] }()
	c.space()
	if c.peek() == ']' {
		c.pos++
		return nil
	}
	for {
		if more, err := c.item(']'); err != nil || !more {
			return err
		}
		c.path[len(c.path)-1].index++
	}
}

// item parses a value and what follows it: a comma (true) or the end of the list or object.
func (c *checker) item(end byte) (bool, *syntaxError) {
	c.space()
	if err := c.value(); err != nil {
		return false, err
	}
	c.space()
	switch c.peek() {
	case ',':
		c.pos++
		c.space()
		return true, nil
	case end:
		c.pos++
		return false, nil
	default:
		return false, c.bad("expecting ',' delimiter")
	}
}

// digits skips decimal digits and reports whether there was one.
func (c *checker) digits() bool {
	start := c.pos
	for b := c.peek(); b >= '0' && b <= '9'; b = c.peek() {
		c.pos++
	}
	return c.pos > start
}

func (c *checker) number() *syntaxError {
	if c.peek() == '-' {
		c.pos++
	}
	if c.peek() == '0' {
		c.pos++
	} else if !c.digits() {
		return c.bad("expecting digits")
	}
	if c.peek() == '.' {
		c.pos++
		if !c.digits() {
			return c.bad("expecting digits")
		}
	}
	if b := c.peek(); b == 'e' || b == 'E' {
		c.pos++
		if b := c.peek(); b == '+' || b == '-' {
			c.pos++
		}
		if !c.digits() {
			return c.bad("expecting digits")
		}
	}
	return nil
}

// str parses a string and returns the raw bytes between its quotes, and whether it is valid text.
func (c *checker) str() (raw []byte, clean bool, err *syntaxError) {
	c.pos++
	start, clean := c.pos, true
	for c.pos < len(c.data) {
		switch b := c.data[c.pos]; {
		case b == '"':
			c.pos++
			return c.data[start : c.pos-1], clean, nil
		case b == '\\':
			ok, err := c.escape()
			if err != nil {
				return nil, false, err
			}
			clean = clean && ok
		case b == 0:
			c.pos++
			clean = false
		case b < ' ':
			return nil, false, c.bad("invalid control character")
		case b < utf8.RuneSelf:
			c.pos++
		default:
			r, size := utf8.DecodeRune(c.data[c.pos:])
			clean = clean && (r != utf8.RuneError || size > 1)
			c.pos += size
		}
	}
	return nil, false, c.bad("unterminated string")
}

// report adds an error for the string at the current path, which is not valid text.
func (c *checker) report() {
	if len(c.text) == maxTextErrors {
		return
	}
	loc := []string{"body"}
	for _, s := range c.path {
		if s.key == nil {
			loc = append(loc, strconv.Itoa(s.index))
		} else {
			loc = append(loc, keyName(s.key))
		}
	}
	c.text = append(c.text, backend.FieldError{Loc: loc, Msg: unicodeMessage, Type: "string_unicode"})
}
