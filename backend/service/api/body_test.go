package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/strictjson"
	"github.com/voicewright/voicewright/backend/strictjson/strictjsontest"
)

func TestBodies(t *testing.T) {
	t.Parallel()
	const synthesize, enhance = "/api/v1/tts/synthesize", "/api/v1/tts/enhance-dialogue"
	nested := func(n int) string { return `{"text":"a","x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}` }
	cases := []struct {
		name, path, body string
		status           int
		says             string
	}{
		{"empty", synthesize, "", 400, "empty"},
		{"blanks", synthesize, " \n", 400, "empty"},
		{"not JSON", synthesize, "text=hello", 400, "not valid JSON"},
		{"cut off", synthesize, `{"text":"a"`, 400, "not valid JSON"},
		{"trailing garbage", synthesize, `{"text":"a"} x`, 400, "not valid JSON"},
		{"two values", synthesize, `{"text":"a"}{"text":"b"}`, 400, "not valid JSON"},
		{"trailing comma", synthesize, `{"text":"a",}`, 400, "not valid JSON"},
		{"comment", synthesize, `{"text":"a"} // x`, 400, "not valid JSON"},
		{"byte order mark", synthesize, "\ufeff{}", 400, "not valid JSON"},
		{"NaN", synthesize, `{"stability":NaN}`, 400, "not valid JSON"},
		{"array", synthesize, `[]`, 400, "JSON object"},
		{"string", synthesize, `"text"`, 400, "JSON object"},
		{"null", synthesize, `null`, 400, "JSON object"},
		{"a field twice", synthesize, `{"text":"a","text":"b"}`, 400, `"text" twice`},
		{"a field twice, once escaped", synthesize, `{"text":"a","\u0074ext":"b"}`, 400, `"text" twice`},
		{"an unknown field twice", synthesize, `{"x":{"y":1,"y":2}}`, 400, `"y" twice`},
		{"a quote in a field twice", synthesize, `{"\"<b>":1,"\"<b>":2}`, 400, `twice`},
		{"text is a number", synthesize, `{"text":1}`, 400, `"text" must be a string`},
		{"text is an object", synthesize, `{"text":{}}`, 400, `"text" must be a string`},
		{"stability is a string", synthesize, `{"stability":"0.5"}`, 400, `"stability" must be a number`},
		{"stability is true", synthesize, `{"stability":true}`, 400, `"stability" must be a number`},
		{"stability is too large", synthesize, `{"stability":1e999}`, 400, `"stability" must be a number`},
		{"speaker_boost is 1", synthesize, `{"speaker_boost":1}`, 400, `"speaker_boost" must be true or false`},
		{"format is a number", synthesize, `{"response_format":8000}`, 400, `"response_format" must be a string`},
		{"turns is an object", enhance, `{"turns":{}}`, 400, `"turns" must be an array`},
		{"a turn is a string", enhance, `{"turns":[{"id":"1"},"x"]}`, 400, `"turns[1]" must be an object`},
		{"id is a number", enhance, `{"turns":[{"id":"1"},{"id":2}]}`, 400, `"turns[1].id" must be a string`},
		{"not UTF-8", synthesize, "{\"text\":\"\xff\"}", 400, "UTF-8"},
		{"overlong UTF-8", synthesize, "{\"text\":\"\xc0\xaf\"}", 400, "UTF-8"},
		{"surrogate as UTF-8", synthesize, "{\"text\":\"\xed\xa0\x80\"}", 400, "UTF-8"},
		{"lone high surrogate", synthesize, `{"text":"\ud83d"}`, 400, "escape at byte 9"},
		{"lone low surrogate", synthesize, `{"text":"\udc00"}`, 400, "escape"},
		{"two high surrogates", synthesize, `{"text":"\ud83d\ud83d\ude00"}`, 400, "escape"},
		{"NUL", synthesize, `{"text":"a\u0000b"}`, 400, "escape"},
		{"deep", synthesize, nested(15), 200, ""},
		{"too deep", synthesize, nested(16), 400, "in each other"},
		{"far too deep", synthesize, nested(100_000), 400, "in each other"},
		{"deep without an end", synthesize, strings.Repeat(`{"a":`, 50_000), 400, "in each other"},
		{"brackets in a text", synthesize, `{"text":"` + strings.Repeat(`[\"{`, 1000) + `"}`, 200, ""},
		{"largest", synthesize, `{"text":"` + strings.Repeat("a", 256<<10-11) + `"}`, 200, ""},
		{"too large", synthesize, `{"text":"` + strings.Repeat("a", 256<<10-10) + `"}`, 413, "256 KiB"},
		{"name too long a value", "/api/v1/tts/favorites/toggle", `{}`, 400, `"voiceId"`},
	}
	f := newFixture()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := f.sendWithKey("POST", c.path, c.body)
			if c.status == 200 {
				require.Equal(t, 200, w.Code, w.Body.String())
				return
			}
			requireError(t, w, c.status, "")
			var body struct{ Error string }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
			require.Contains(t, body.Error, c.says)
		})
	}
}

// Every attack on a reader of JSON gets the sentence of its fault, and no body with nothing wrong does.
func TestAttacks(t *testing.T) {
	t.Parallel()
	says := map[strictjson.Kind]string{
		strictjson.Malformed: "not valid JSON", strictjson.TooDeep: "in each other", strictjson.Repeated: "twice",
		strictjson.NotUTF8: "UTF-8", strictjson.NUL: "not valid JSON", strictjson.NoCharacter: "escape",
	}
	f := newFixture()
	for _, attack := range strictjsontest.Attacks(16) {
		w := f.sendWithKey("POST", "/api/v1/tts/synthesize", attack.Body)
		switch {
		case attack.Kind == 0:
			require.Equal(t, 200, w.Code, attack.Name)
		case strings.TrimSpace(attack.Body) == "":
			require.Contains(t, w.Body.String(), "empty", attack.Name)
			requireError(t, w, 400, "")
		default:
			require.Contains(t, w.Body.String(), says[attack.Kind], attack.Name)
			requireError(t, w, 400, "")
		}
	}
}

// What a body holds reaches the service: exact names, null as absent, pairs of surrogates as one character.
func TestBodyFields(t *testing.T) {
	t.Parallel()
	f := newFixture()
	number, yes, no, format, title := 0.25, true, false, service.PCM8000, "T"
	body := `{"text":"a\ud83d\ude00\n\\u0000","TEXT":"upper","voice":"v","ttsModel":"m","stability":0.25,"similarity_boost":null,
		"speaker_boost":true,"language_override":false,"response_format":"pcm_8000","title":"T","speed":25e-2,"unknown":[{}]}`
	w := f.send("POST", "/api/v1/tts/synthesize", body, "X-API-Key", key, "Content-Type", "text/plain")
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Equal(t, service.SynthesizeRequest{
		Text: "a😀\n\\u0000", Voice: "v", TTSModel: "m", Speed: &number,
		Options: service.Options{
			Stability: &number, SpeakerBoost: &yes, LanguageOverride: &no, ResponseFormat: &format, Title: &title,
		},
	}, f.stub.seen.synthesize)
	require.Equal(t, 3, utf8.RuneCountInString("a😀\n"), "lengths are code points")

	w = f.sendWithKey("POST", "/api/v1/tts/synthesize-dialogue", `{"turns":[{"voice":"v","text":"t"},null,{"text":null}],"ttsModel":"m"}`)
	require.Equal(t, 200, w.Code)
	require.Equal(t, []service.DialogueTurn{{Voice: "v", Text: "t"}, {}, {}}, f.stub.seen.dialogue.Turns)

	for _, body := range []string{"", "null", "{}", `{"name":null}`} {
		w = f.send("POST", "/api/v1/user/api-keys", body, "Authorization", "Bearer "+token)
		require.Equal(t, 201, w.Code, w.Body.String())
		require.Empty(t, f.stub.seen.keyName)
	}
	w = f.send("POST", "/api/v1/user/api-keys", `{"name":7}`, "Authorization", "Bearer "+token)
	requireError(t, w, 400, "")
}

func TestUsageQuery(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for query, want := range map[string]int{
		"": 50, "?limit=1": 1, "?limit=100": 100, "?cursor=abc": 50,
		"?limit=0": 0, "?limit=101": 0, "?limit=-1": 0, "?limit=x": 0, "?limit=": 0, "?limit=1.5": 0, "?limit=99999999999999999999": 0,
		"?limit=%zz": 0, "?limit=5;": 0, "?limit=1&limit=2": 0, "?limit=&limit=1": 0, "?limit=1&limit=%ff": 0, "?other=%zz&other=1": 50,
	} {
		w := f.sendWithKey("GET", "/api/v1/user/usage"+query, "")
		if want == 0 {
			requireError(t, w, 400, "")
			require.Contains(t, w.Body.String(), "limit")
			continue
		}
		require.Equal(t, 200, w.Code)
		require.Equal(t, want, f.stub.seen.limit)
	}
}
