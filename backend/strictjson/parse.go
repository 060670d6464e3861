// Package strictjson reads the JSON that clients send, for every API of the project. It takes no text that decoders read in
// different ways, names each fault with its place, and holds field names to their exact spelling.
package strictjson

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// maxTextFaults is the most faults of text that Parse returns for one body.
const maxTextFaults = 16

// Rules are what an API allows where APIs differ.
type Rules struct {
	Depth   int  // objects and arrays within each other
	Repeats bool // a name may stand twice in one object; the last value counts
}

// Kind is what is wrong with a body.
type Kind int

// Kinds of faults. The last three are faults of text: the body may be JSON, but a name or a string in it is not valid text.
const (
	Malformed   Kind = iota + 1 // no JSON
	TooDeep                     // more levels than Rules.Depth
	Repeated                    // a name twice in one object
	NotUTF8                     // bytes that are not UTF-8
	NUL                         // a NUL byte
	NoCharacter                 // an escape that is NUL or half a surrogate pair
)

// Fault is one thing that is wrong with a body.
type Fault struct {
	Kind   Kind
	Offset int      // in bytes, from 0
	Path   []string // names and indexes of the object, string or array element it is about
	What   string   // of a malformed body: what was expected or found
}

// Parse returns the value of a JSON text: nil, bool, json.Number, string, []any or map[string]any. Faults of text are
// collected, up to 16 of them; any other fault ends the reading and stands alone.
func Parse(data []byte, rules Rules) (any, []Fault) {
	p := parser{data: data, rules: rules}
	p.space()
	value, fault := p.value()
	if fault == nil {
		p.space()
		if p.pos < len(data) {
			fault = p.bad("extra data")
		}
	}
	switch {
	case fault != nil:
		return nil, []Fault{*fault}
	case len(p.text) > 0:
		return nil, p.text
	default:
		return value, nil
	}
}

// parser reads a JSON text; path has the names and indexes of the current value.
type parser struct {
	data  []byte
	rules Rules
	pos   int
	path  []step
	text  []Fault
}

// step is a name (the raw bytes between the quotes) or, with name nil, an index.
type step struct {
	name  []byte
	index int
}

// bad returns the fault of a malformed text at the current position.
func (p *parser) bad(what string) *Fault { return &Fault{Kind: Malformed, Offset: p.pos, What: what} }

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the next byte, 0 at the end; a NUL byte outside strings is malformed as well.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) value() (any, *Fault) {
	switch b := p.peek(); {
	case b == '{' || b == '[':
		if len(p.path) >= p.rules.Depth {
			return nil, &Fault{Kind: TooDeep, Offset: p.pos}
		}
		if b == '{' {
			return p.object()
		}
		return p.array()
	case b == '"':
		raw, unclean, err := p.str()
		if err != nil || unclean != nil {
			p.report(unclean)
			return nil, err
		}
		return decoded(raw), nil
	case b == '-' || b >= '0' && b <= '9':
		return p.number()
	default:
		return p.word()
	}
}

// word parses true, false or null.
func (p *parser) word() (any, *Fault) {
	for _, w := range []struct {
		text  string
		value any
	}{{"true", true}, {"false", false}, {"null", nil}} {
		if bytes.HasPrefix(p.data[p.pos:], []byte(w.text)) {
			p.pos += len(w.text)
			return w.value, nil
		}
	}
	return nil, p.bad("expecting value")
}

func (p *parser) object() (any, *Fault) {
	object := map[string]any{}
	p.pos++
	p.path = append(p.path, step{})
	defer func() { p.path = p.path[:len(p.path)-1] }()
	p.space()
	if p.peek() == '}' {
		p.pos++
		return object, nil
	}
	for {
		name, err := p.name(object)
		if err != nil {
			return nil, err
		}
		value, more, err := p.item('}')
		if err != nil {
			return nil, err
		}
		object[name] = value
		if !more {
			return object, nil
		}
	}
}

// name parses a name of an object and the colon after it.
func (p *parser) name(object map[string]any) (string, *Fault) {
	if p.peek() != '"' {
		return "", p.bad("expecting property name enclosed in double quotes")
	}
	at := p.pos
	raw, unclean, err := p.str()
	if err != nil {
		return "", err
	}
	p.path[len(p.path)-1].name = raw
	p.report(unclean)
	name := decoded(raw)
	if _, twice := object[name]; twice && unclean == nil && !p.rules.Repeats {
		return "", &Fault{Kind: Repeated, Offset: at, Path: p.names()}
	}
	p.space()
	if p.peek() != ':' {
		return "", p.bad("expecting ':' delimiter")
	}
	p.pos++
	return name, nil
}

func (p *parser) array() (any, *Fault) {
	array := []any{}
	p.pos++
	p.path = append(p.path, step{})
	defer func() { p.path = p.path[:len(p.path)-1] }()
	p.space()
	if p.peek() == ']' {
		p.pos++
		return array, nil
	}
	for {
		value, more, err := p.item(']')
		if err != nil {
			return nil, err
		}
		array = append(array, value)
		if !more {
			return array, nil
		}
		p.path[len(p.path)-1].index++
	}
}

// item parses a value and what follows it: a comma (more) or the end of the array or object.
func (p *parser) item(end byte) (value any, more bool, err *Fault) {
	p.space()
	if value, err = p.value(); err != nil {
		return nil, false, err
	}
	p.space()
	switch p.peek() {
	case ',':
		p.pos++
		p.space()
		return value, true, nil
	case end:
		p.pos++
		return value, false, nil
	default:
		return nil, false, p.bad("expecting ',' delimiter")
	}
}

// digits skips decimal digits and reports whether there was one.
func (p *parser) digits() bool {
	start := p.pos
	for b := p.peek(); b >= '0' && b <= '9'; b = p.peek() {
		p.pos++
	}
	return p.pos > start
}

func (p *parser) number() (any, *Fault) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !p.digits() {
		return nil, p.bad("expecting digits")
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return nil, p.bad("expecting digits")
		}
	}
	if b := p.peek(); b == 'e' || b == 'E' {
		p.pos++
		if b := p.peek(); b == '+' || b == '-' {
			p.pos++
		}
		if !p.digits() {
			return nil, p.bad("expecting digits")
		}
	}
	return json.Number(p.data[start:p.pos]), nil
}

// names returns the path of the current value.
func (p *parser) names() []string {
	names := make([]string, len(p.path))
	for i, s := range p.path {
		if s.name == nil {
			names[i] = strconv.Itoa(s.index)
		} else {
			names[i] = readable(s.name)
		}
	}
	return names
}
