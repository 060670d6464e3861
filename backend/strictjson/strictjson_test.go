package strictjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/strictjson"
	"github.com/voicewright/voicewright/backend/strictjson/strictjsontest"
)

var strict = strictjson.Rules{Depth: 20}

func TestAttacks(t *testing.T) {
	t.Parallel()
	lax := strictjson.Rules{Depth: strict.Depth, Repeats: true}
	for _, attack := range strictjsontest.Attacks(strict.Depth) {
		_, faults := strictjson.Parse([]byte(attack.Body), strict)
		if attack.Kind == 0 {
			require.Empty(t, faults, attack.Name)
			continue
		}
		require.NotEmpty(t, faults, attack.Name)
		require.Equal(t, attack.Kind, faults[0].Kind, attack.Name)
		_, faults = strictjson.Parse([]byte(attack.Body), lax)
		require.Equal(t, attack.Kind != strictjson.Repeated, len(faults) > 0, attack.Name)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		body string
		want []strictjson.Fault
	}{
		{`{"a":1,}`, []strictjson.Fault{{Kind: strictjson.Malformed, Offset: 7, What: "expecting property name enclosed in double quotes"}}},
		{`{"a":{"b":1,"b":2}}`, []strictjson.Fault{{Kind: strictjson.Repeated, Offset: 12, Path: []string{"a", "b"}}}},
		{`{"a":["x","\u0000"],"b\ud800":"` + "\xff" + `"}`, []strictjson.Fault{
			{Kind: strictjson.NoCharacter, Offset: 11, Path: []string{"a", "1"}},
			{Kind: strictjson.NoCharacter, Offset: 22, Path: []string{"b\ufffd"}},
			{Kind: strictjson.NotUTF8, Offset: 31, Path: []string{"b\ufffd"}},
		}},
		{`["\u0000",}`, []strictjson.Fault{{Kind: strictjson.Malformed, Offset: 10, What: "expecting value"}}},
	} {
		_, faults := strictjson.Parse([]byte(c.body), strict)
		require.Equal(t, c.want, faults, c.body)
	}
	_, faults := strictjson.Parse([]byte("["+strings.Repeat(`"\u0000",`, 100)+"1]"), strict)
	require.Len(t, faults, 16)
	value, faults := strictjson.Parse([]byte(`{"a":1,"a":{"b":2},"a":{"c":3}}`), strictjson.Rules{Depth: 2, Repeats: true})
	require.Empty(t, faults)
	require.Equal(t, map[string]any{"a": map[string]any{"c": json.Number("3")}}, value)
}

type part struct {
	ID    string   `json:"id"`
	Sizes []int    `json:"sizes"`
	Lax   *float64 `json:"lax" wrong:"-1"`
}

type base struct {
	Text string `json:"text"`
	Kind string `json:"kind"`
}

// Size has a field of its own name.
type Size struct {
	Size int `json:"size"`
}

type request struct {
	base
	Size
	Kind  *string                    `json:"kind,omitempty"` // hides that of base
	Yes   *bool                      `json:"yes"`
	Speed float64                    `json:"speed"`
	Small int8                       `json:"small"`
	Parts []part                     `json:"parts"`
	One   *part                      `json:"one"`
	Words map[string]string          `json:"words"`
	Raw   map[string]json.RawMessage `json:"raw"`
	At    time.Time                  `json:"at"`
	Any   any                        `json:"any"`
	Plain string
	Not   string `json:"-"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	decode := func(body string) (request, error) {
		value, faults := strictjson.Parse([]byte(body), strict)
		require.Empty(t, faults, body)
		var into request
		err := strictjson.Decode(value, &into)
		return into, err
	}
	kind, yes, lax := "k", true, -1.0
	got, err := decode(`{"text":"a","TEXT":"b","kind":"k","yes":true,"speed":25e-2,"small":1.2e1,"parts":[{"id":"1","sizes":[1,2.0]},null,{"lax":"x"}],
		"one":{"id":"2","ID":"3"},"words":{"b":"c"},"raw":{"d":[1.50]},"at":"2026-01-02T03:04:05Z","any":[1,{"b":"c"}],"size":3,"Plain":"p","-":"n","Not":"n","unknown":[{}]}`)
	require.NoError(t, err)
	require.Equal(t, request{
		base: base{Text: "a"}, Kind: &kind, Yes: &yes, Speed: 0.25, Small: 12,
		Parts: []part{{ID: "1", Sizes: []int{1, 2}}, {}, {Lax: &lax}}, One: &part{ID: "2"},
		Words: map[string]string{"b": "c"}, Raw: map[string]json.RawMessage{"d": json.RawMessage("[1.50]")},
		At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Plain: "p",
		Any: []any{1.0, map[string]any{"b": "c"}}, Size: Size{Size: 3},
	}, got)
	got, err = decode(`{"text":null,"kind":null,"parts":null,"one":null,"words":null}`)
	require.NoError(t, err)
	require.Equal(t, request{}, got)
	got, err = decode(`null`)
	require.NoError(t, err)
	require.Equal(t, request{}, got)

	for body, want := range map[string]string{
		`[]`:                          ": expected object",
		`{"text":1}`:                  "text: expected string",
		`{"yes":1}`:                   "yes: expected boolean",
		`{"yes":"true"}`:              "yes: expected boolean",
		`{"speed":"1"}`:               "speed: expected number",
		`{"speed":true}`:              "speed: expected number",
		`{"speed":1e999}`:             "speed: expected number",
		`{"small":1.5}`:               "small: expected integer",
		`{"small":128}`:               "small: expected integer",
		`{"small":99999999999999999}`: "small: expected integer",
		`{"small":1e300}`:             "small: expected integer",
		`{"small":"1"}`:               "small: expected integer",
		`{"parts":{}}`:                "parts: expected array",
		`{"parts":[{},"x"]}`:          "parts[1]: expected object",
		`{"parts":[{"id":"1"},{"sizes":[1,"2"]}]}`: "parts[1].sizes[1]: expected integer",
		`{"words":[]}`:      "words: expected object",
		`{"words":{"b":1}}`: "words.b: expected string",
	} {
		_, err := decode(body)
		var wrong *strictjson.TypeError
		require.ErrorAs(t, err, &wrong, body)
		require.Equal(t, want, err.Error(), body)
	}
}

// FuzzParse holds the reader against encoding/json: it takes no text that encoding/json refuses, reads every other one to the
// same value, and names as malformed only what is.
func FuzzParse(f *testing.F) {
	for _, attack := range strictjsontest.Attacks(strict.Depth) {
		if len(attack.Body) < 2000 {
			f.Add([]byte(attack.Body))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, repeats := range []bool{false, true} {
			value, faults := strictjson.Parse(data, strictjson.Rules{Depth: strict.Depth, Repeats: repeats})
			if len(faults) == 0 {
				requireSame(t, data, value)
				_ = strictjson.Decode(value, &request{})
				continue
			}
			require.Nil(t, value)
			requireTrue(t, data, faults, repeats)
		}
	})
}

// requireSame requires the value that encoding/json reads.
func requireSame(t *testing.T, data []byte, value any) {
	var want any
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	require.True(t, json.Valid(data))
	require.True(t, utf8.Valid(data))
	require.NoError(t, decoder.Decode(&want))
	require.Equal(t, want, value)
}

// requireTrue requires that the faults are those of the body.
func requireTrue(t *testing.T, data []byte, faults []strictjson.Fault, repeats bool) {
	for _, fault := range faults {
		require.LessOrEqual(t, fault.Offset, len(data))
		switch fault.Kind {
		case strictjson.Malformed:
			require.NotEmpty(t, fault.What)
			require.True(t, !json.Valid(data), fault.What)
		case strictjson.NotUTF8:
			require.False(t, utf8.Valid(data))
		case strictjson.NoCharacter:
			require.Equal(t, byte('\\'), data[fault.Offset])
		case strictjson.NUL:
			require.Zero(t, data[fault.Offset])
		case strictjson.Repeated:
			require.False(t, repeats)
		case strictjson.TooDeep:
			require.Contains(t, "[{", string(data[fault.Offset]))
		default:
			t.Fatalf("unknown kind %d", fault.Kind)
		}
	}
}
