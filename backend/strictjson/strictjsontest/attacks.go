// Package strictjsontest has the bodies that every API of the project is tried with.
package strictjsontest

import (
	"strings"

	"github.com/voicewright/voicewright/backend/strictjson"
)

// Attack is a body that a client might send to be understood in two ways, or to wear the server out.
type Attack struct {
	Name string
	Body string
	Kind strictjson.Kind // of its first fault; 0 for a body with nothing wrong, which has the string field text
}

// Attacks returns the bodies, for an API that takes so many levels. Those without a fault and those with a name twice are fit for
// a route with the string field text of at least one character.
func Attacks(depth int) []Attack {
	all := deep(depth)
	for kind, bodies := range attacks {
		for name, body := range bodies {
			all = append(all, Attack{Name: name, Body: body, Kind: kind})
		}
	}
	return all
}

var attacks = map[strictjson.Kind]map[string]string{
	0: {
		"names in two cases":             `{"text":"a","Text":"b","TEXT":1}`,
		"an escaped backslash":           `{"text":"a","x":"\\u0000\\ud83d"}`,
		"a pair of surrogates":           `{"text":"\ud83d\ude00"}`,
		"the replacement character":      "{\"text\":\"\ufffd\",\"x\":\"\\ufffd\"}",
		"brackets and quotes in a text":  `{"text":"a","x":"` + strings.Repeat(`[\"{`, 1000) + `"}`,
		"white space around":             "\r\n\t {\"text\" :\t\"a\"}\n ",
		"one name in two objects":        `{"text":"a","x":{"text":"b"},"y":[{"text":1},{"text":2}]}`,
		"a number of many digits":        `{"text":"a","x":` + strings.Repeat("9", 5000) + `}`,
		"a number beyond every range":    `{"text":"a","x":-1E+99999}`,
		"a name of the runtime's object": `{"text":"a","__proto__":{"text":"b"}}`,
	},
	strictjson.Malformed: {
		"blanks":                  " \n\t",
		"no JSON":                 "text=hello",
		"cut off in an object":    `{"text":"a"`,
		"cut off in a string":     `{"text":"a`,
		"cut off after a name":    `{"text"`,
		"cut off in an escape":    `{"text":"\u00`,
		"no value":                `{"text": }`,
		"no colon":                `{"text" "a"}`,
		"text after the value":    `{"text":"a"} x`,
		"two values":              `{"text":"a"}{"text":"b"}`,
		"a comma at the end":      `{"text":"a",}`,
		"a comma at the end, too": `{"text":"a","x":[1,]}`,
		"a comma only":            `{,}`,
		"a comment":               `{"text":"a"} // x`,
		"a comment inside":        `{"text":/* x */"a"}`,
		"a byte order mark":       "\ufeff{\"text\":\"a\"}",
		"single quotes":           `{'text':'a'}`,
		"no quotes":               `{text:"a"}`,
		"a number as a name":      `{1:"a"}`,
		"NaN":                     `{"text":"a","x":NaN}`,
		"Infinity":                `{"text":"a","x":-Infinity}`,
		"a leading zero":          `{"text":"a","x":01}`,
		"a leading plus":          `{"text":"a","x":+1}`,
		"no digit before a point": `{"text":"a","x":.5}`,
		"no digit after a point":  `{"text":"a","x":1.}`,
		"no exponent":             `{"text":"a","x":1e}`,
		"a hexadecimal number":    `{"text":"a","x":0x10}`,
		"half a word":             `{"text":"a","x":tru}`,
		"a word in capitals":      `{"text":"a","x":TRUE}`,
		"a line feed in a string": "{\"text\":\"a\nb\"}",
		"a tab in a string":       "{\"text\":\"a\tb\"}",
		"an unknown escape":       `{"text":"\x41"}`,
		"an escape of no number":  `{"text":"\u12g4"}`,
		"a signed escape":         `{"text":"\u+123"}`,
		"NUL between tokens":      "{\"text\":\x00\"a\"}",
		"NUL after the value":     "{\"text\":\"a\"}\x00",
		"a form feed as a blank":  "{\f\"text\":\"a\"}",
		"a wide blank":            "{\u00a0\"text\":\"a\"}",
		"the wrong bracket":       `{"text":"a"]`,
		"a bracket too many":      `{"text":"a"}}`,
	},
	strictjson.Repeated: {
		"a name twice":                    `{"text":"a","text":"b"}`,
		"a name twice, escaped":           `{"text":"a","\u0074ext":"b"}`,
		"a name twice, in an object":      `{"text":"a","x":{"y":1,"y":2}}`,
		"a name twice, in an array":       `{"text":"a","x":[0,{"y":1,"z":2,"y":[]}]}`,
		"a name twice, first null":        `{"text":null,"text":"b"}`,
		"no name twice":                   `{"text":"a","":1,"":2}`,
		"a name of a quote twice":         `{"text":"a","\"<b>":1,"\"<b>":2}`,
		"a name twice, slash and escaped": `{"text":"a","x/y":1,"x\/y":2}`,
	},
	strictjson.NotUTF8: {
		"a byte that is not UTF-8":     "{\"text\":\"a\xff\"}",
		"a longer form than needed":    "{\"text\":\"\xc0\xaf\"}",
		"a surrogate in UTF-8":         "{\"text\":\"\xed\xa0\x80\"}",
		"beyond Unicode":               "{\"text\":\"\xf4\x90\x80\x80\"}",
		"a character cut off":          "{\"text\":\"\xe2\x82\"}",
		"Latin-1":                      "{\"text\":\"caf\xe9\"}",
		"a name that is not UTF-8":     "{\"text\":\"a\",\"\xff\":1}",
		"an inner text that is not":    "{\"text\":\"a\",\"x\":[{\"y\":\"\xff\"}]}",
		"two names, one after mending": "{\"text\":\"a\",\"\xff\":1,\"\xfe\":2}",
	},
	strictjson.NUL: {
		"NUL in a string": "{\"text\":\"a\x00\"}",
		"NUL in a name":   "{\"text\":\"a\",\"x\x00\":1}",
	},
	strictjson.NoCharacter: {
		"the first half of a pair":      `{"text":"\ud83d"}`,
		"the second half of a pair":     `{"text":"\udc00"}`,
		"two first halves":              `{"text":"\ud83d\ud83d\ude00"}`,
		"a pair the wrong way round":    `{"text":"\ude00\ud83d"}`,
		"a half before another escape":  `{"text":"\ud83d\n"}`,
		"a half before a letter":        `{"text":"\ud83da"}`,
		"an escaped NUL":                `{"text":"a\u0000b"}`,
		"an escaped NUL in a name":      `{"text":"a","x\u0000":1}`,
		"half a pair in a name":         `{"text":"a","x\ud800":1}`,
		"half a pair in an inner value": `{"text":"a","x":{"y":["\udfff"]}}`,
	},
}

// deep returns bodies that are nested as deeply as an API takes, and more deeply.
func deep(depth int) []Attack {
	arrays := func(n int) string { return `{"text":"a","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	return []Attack{
		{Name: "as deep as may be", Body: arrays(depth - 1)},
		{
			Name: "as deep as may be, with a value",
			Body: `{"text":"a","x":` + strings.Repeat("[", depth-1) + "1" + strings.Repeat("]", depth-1) + `}`,
		},
		{Name: "too deep", Body: arrays(depth), Kind: strictjson.TooDeep},
		{Name: "far too deep", Body: arrays(100_000), Kind: strictjson.TooDeep},
		{Name: "deep without an end", Body: strings.Repeat(`{"a":`, 50_000), Kind: strictjson.TooDeep},
		{Name: "deep in turns", Body: strings.Repeat(`[{"a":`, depth), Kind: strictjson.TooDeep},
	}
}
