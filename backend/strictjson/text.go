package strictjson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// str parses a string and returns the raw bytes between its quotes, and the first place where it is not valid text.
func (p *parser) str() (raw []byte, unclean, err *Fault) {
	p.pos++
	start := p.pos
	note := func(kind Kind, at int) {
		if unclean == nil {
			unclean = &Fault{Kind: kind, Offset: at}
		}
	}
	for p.pos < len(p.data) {
		at := p.pos
		switch b := p.data[at]; {
		case b == '"':
			p.pos++
			return p.data[start:at], unclean, nil
		case b == '\\':
			character, err := p.escape()
			if err != nil {
				return nil, nil, err
			}
			if !character {
				note(NoCharacter, at)
			}
		case b == 0:
			p.pos++
			note(NUL, at)
		case b < ' ':
			return nil, nil, p.bad("invalid control character")
		case b < utf8.RuneSelf:
			p.pos++
		default:
			r, size := utf8.DecodeRune(p.data[at:])
			if r == utf8.RuneError && size == 1 {
				note(NotUTF8, at)
			}
			p.pos += size
		}
	}
	return nil, nil, p.bad("unterminated string")
}

// escape parses an escape sequence and reports whether it is a character of a text: NUL and half a surrogate pair are not.
func (p *parser) escape() (bool, *Fault) {
	p.pos++
	switch p.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos++
		return true, nil
	case 'u':
	default:
		return false, p.bad("invalid escape")
	}
	r, err := p.hex()
	if err != nil {
		return false, err
	}
	if !utf16.IsSurrogate(r) {
		return r != 0, nil
	}
	if p.pos+1 >= len(p.data) || p.data[p.pos] != '\\' || p.data[p.pos+1] != 'u' {
		return false, nil
	}
	back := p.pos
	p.pos++
	low, err := p.hex()
	if err != nil {
		return false, err
	}
	if utf16.DecodeRune(r, low) == utf8.RuneError {
		p.pos = back // the second may be the first half of another pair
		return false, nil
	}
	return true, nil
}

// hex parses `u` and four hexadecimal digits.
func (p *parser) hex() (rune, *Fault) {
	p.pos++
	if p.pos+4 > len(p.data) {
		return 0, p.bad("invalid \\uXXXX escape")
	}
	n, err := strconv.ParseUint(string(p.data[p.pos:p.pos+4]), 16, 16)
	if err != nil {
		return 0, p.bad("invalid \\uXXXX escape")
	}
	p.pos += 4
	return rune(n), nil
}

// report adds a fault of the text at the current path, if there is one.
func (p *parser) report(unclean *Fault) {
	if unclean == nil || len(p.text) == maxTextFaults {
		return
	}
	unclean.Path = p.names()
	p.text = append(p.text, *unclean)
}

// decoded returns the text of a string, of the raw bytes between its quotes.
func decoded(raw []byte) string {
	if !bytes.ContainsRune(raw, '\\') {
		return string(raw)
	}
	var text string
	if json.Unmarshal(append(append([]byte{'"'}, raw...), '"'), &text) != nil {
		return string(raw)
	}
	return text
}

// readable returns a name for the path of a fault, whatever bytes it has.
func readable(raw []byte) string {
	return strings.ToValidUTF8(strings.ReplaceAll(decoded(raw), "\x00", ""), "\uFFFD")
}
