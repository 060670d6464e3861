package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/strictjson"
	"github.com/voicewright/voicewright/backend/strictjson/strictjsontest"
)

const itemID = "0190b7a6-7c4f-7e0a-9c3a-2f4b6d8e0a1c"

// TestValidationBodies pins the 422 answers to both huma's words and Pydantic's names.
func TestValidationBodies(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	cases := []struct{ name, method, path, body string }{
		{"absent", "POST", "/echo", ""},
		{"spaces", "POST", "/echo", "  "},
		{"malformed", "POST", "/echo", `{"text": }`},
		{"cut", "POST", "/echo", `{"text": "a`},
		{"two values", "POST", "/echo", `{"text":"a"} {}`},
		{"top list", "POST", "/echo", `[1]`},
		{"top string", "POST", "/echo", `"a"`},
		{"top null", "POST", "/echo", `null`},
		{"missing", "POST", "/echo", `{}`},
		{"missing other case", "POST", "/echo", `{"TEXT":"a"}`},
		{"null required", "POST", "/echo", `{"text":null}`},
		{"string type", "POST", "/echo", `{"text":5}`},
		{"too short", "POST", "/echo", `{"text":""}`},
		{"too long", "POST", "/echo", `{"text":"abcdef"}`},
		{"int type", "POST", "/echo", `{"text":"a","seed":"5"}`},
		{"int fraction", "POST", "/echo", `{"text":"a","seed":1.5}`},
		{"int low", "POST", "/echo", `{"text":"a","seed":-1}`},
		{"int high", "POST", "/echo", `{"text":"a","seed":101}`},
		{"int beyond 64 bits", "POST", "/echo", `{"text":"a","big":99999999999999999999}`},
		{"float beyond range", "POST", "/echo", `{"text":"a","speed":1e999}`},
		{"float type", "POST", "/echo", `{"text":"a","speed":"fast"}`},
		{"float low", "POST", "/echo", `{"text":"a","speed":0.1}`},
		{"bool type", "POST", "/echo", `{"text":"a","flag":"yes"}`},
		{"enum", "POST", "/echo", `{"text":"a","kind":"c"}`},
		{"list type", "POST", "/echo", `{"text":"a","turns":{}}`},
		{"dict type", "POST", "/echo", `{"text":"a","words":[]}`},
		{"nested missing", "POST", "/echo", `{"text":"a","turns":[{"id":"` + itemID + `"},{}]}`},
		{"nested uuid", "POST", "/echo", `{"text":"a","turns":[{"id":"x"}]}`},
		{"map value", "POST", "/echo", `{"text":"a","words":{"b":1}}`},
		{"invalid utf-8", "POST", "/echo", "{\"text\":\"a\xff\"}"},
		{"lone surrogate", "POST", "/echo", `{"text":"\ud83d"}`},
		{"lone low surrogate", "POST", "/echo", `{"text":"\udc00\ud83d\ude00"}`},
		{"NUL escape", "POST", "/echo", `{"text":"\u0000"}`},
		{"NUL raw", "POST", "/echo", "{\"text\":\"a\x00\"}"},
		{"bad key", "POST", "/echo", `{"text":"a","words":{"b\ud800":"x"}}`},
		{"bad text in list", "POST", "/echo", `{"text":"a","turns":[{"id":"a"},{"id":"\u0000"}]}`},
		{"too deep", "POST", "/echo", strings.Repeat("[", 300) + strings.Repeat("]", 300)},
		{"repeated key", "POST", "/echo", `{"text":"abcdef","text":""}`},
		{"several", "POST", "/echo", `{"text":"","seed":-1,"kind":"c"}`},
		{"path uuid", "GET", "/items/nope", ""},
		{"query int", "GET", "/items/" + itemID + "?limit=abc", ""},
		{"query low", "GET", "/items/" + itemID + "?limit=0", ""},
		{"query float", "GET", "/items/" + itemID + "?from=abc", ""},
		{"query bool", "GET", "/items/" + itemID + "?wide=maybe", ""},
		{"query enum", "GET", "/items/" + itemID + "?sort=best", ""},
		{"query text", "GET", "/items/" + itemID + "?word=%ff", ""},
		{"path text", "GET", "/items/%00", ""},
		{"handler", "DELETE", "/fail/invalid", ""},
	}
	var got strings.Builder
	for _, c := range cases {
		a := r.do(c.method, c.path, c.body)
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, "%s: %s", c.name, a.body)
		require.Equal(t, "application/json", a.Header.Get("Content-Type"), c.name)
		fmt.Fprintf(&got, "%s: %s", c.name, a.body)
	}
	require.Zero(t, r.entered.Load(), "no handler runs on an unfit body")
	golden(t, "validation.txt", got.String())
}

// TestAttacks: every attack on a reader of JSON is answered with the Pydantic name of its fault and reaches no handler. A name that
// stands twice in one object is none here: its last value counts.
func TestAttacks(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	types := map[strictjson.Kind]string{
		strictjson.Malformed: "json_invalid", strictjson.TooDeep: "json_invalid", strictjson.NotUTF8: "string_unicode",
		strictjson.NUL: "string_unicode", strictjson.NoCharacter: "string_unicode",
	}
	for _, attack := range strictjsontest.Attacks(200) {
		before := r.entered.Load()
		a := r.do("POST", "/echo", attack.Body)
		if attack.Kind == 0 || attack.Kind == strictjson.Repeated {
			require.Equal(t, http.StatusOK, a.StatusCode, "%s: %s", attack.Name, a.body)
			continue
		}
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, "%s: %s", attack.Name, a.body)
		require.Contains(t, a.body, `"type":"`+types[attack.Kind]+`"`, attack.Name)
		require.Equal(t, before, r.entered.Load(), attack.Name)
	}
}

func TestAcceptedBodies(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for _, c := range []struct{ body, want string }{
		{`{"text":"a","unknown":[1]}`, `{"text":"a"}`},
		{`{"text":"a","seed":null,"kind":null}`, `{"text":"a"}`},
		{`{"text":"a","seed":1e1}`, `{"text":"a","seed":10}`},
		{`{"text":"a","Seed":-5}`, `{"text":"a"}`},
		{`{"text":"abcdefgh","text":"b"}`, `{"text":"b"}`},
		{`{"text":"\ud83d\ude00é"}`, `{"text":"😀é"}`},
		{`{"text":"a","turns":[{"id":"` + strings.ToUpper(itemID) + `"}]}`, `{"text":"a","turns":[{"id":"` + itemID + `"}]}`},
		{" \n{\"text\":\"a\"}\t", `{"text":"a"}`},
	} {
		a := r.do("POST", "/echo", c.body, "Content-Type: text/plain")
		require.Equal(t, http.StatusOK, a.StatusCode, a.body)
		require.Equal(t, c.want+"\n", a.body)
	}
	a := r.do("GET", "/items/"+strings.ToUpper(itemID)+"?unknown=1", "")
	require.Equal(t, `{"id":"`+itemID+`","limit":50}`+"\n", a.body)
	require.Equal(t, http.StatusNoContent, r.do("POST", "/nobody/"+itemID, "").StatusCode)
	require.Equal(t, http.StatusNoContent, r.do("POST", "/nobody/"+itemID, "no json").StatusCode)
	require.Equal(t, http.StatusNoContent, r.do("POST", "/maybe", "").StatusCode)
	require.Equal(t, http.StatusNoContent, r.do("POST", "/maybe", `{"text":"a"}`).StatusCode)
	require.Equal(t, http.StatusUnprocessableEntity, r.do("POST", "/maybe", `{"text":1}`).StatusCode)
}

func TestBodyLimits(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	body := func(size int) string { return `{"text":"a","x":"` + strings.Repeat("y", size-19) + `"}` }
	for _, c := range []struct {
		path string
		size int
		want int
	}{
		{"/echo", 1 << 20, 200},
		{"/echo", 1<<20 + 1, 413},
		{"/echo", 5_000_000, 413},
		{"/text/echo", 4 << 20, 200},
		{"/text/echo", 4<<20 + 1, 413},
	} {
		for _, headers := range [][]string{nil, {"Expect: 100-continue"}} {
			a := r.do("POST", c.path, body(c.size), headers...)
			require.Equal(t, c.want, a.StatusCode, "%s %d", c.path, c.size)
			if c.want == 413 {
				require.Contains(t, a.body, `"code":"body_too_large"`)
			}
		}
	}
	require.Equal(t, 204, r.do("PUT", "/upload", strings.Repeat("z", 1000), "Content-Type: application/zip").StatusCode)
	require.Equal(t, 413, r.do("PUT", "/upload", strings.Repeat("z", 1001), "Content-Type: application/zip").StatusCode)
}

// TestErrorTextInValue: what a client writes is not taken for an error of its connection.
func TestErrorTextInValue(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for _, words := range []string{"http: request body too large", "i/o timeout", "cannot read multipart form: i/o timeout"} {
		a := r.do("POST", "/echo", `{"text":"`+words+`"}`)
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, a.body)
		require.Contains(t, a.body, "string_too_long")
	}
}

// TestChunkedBodyLimit sends a body of unknown length, as a client that streams does.
func TestChunkedBodyLimit(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for _, c := range []struct {
		path, ct string
		size     int
	}{{"/echo", "application/json", 2_000_000}, {"/upload", "application/zip", 2_000}} {
		method := map[string]string{"/echo": "POST", "/upload": "PUT"}[c.path]
		req, err := http.NewRequestWithContext(t.Context(), method, r.srv.URL+c.path,
			struct{ *strings.Reader }{strings.NewReader(strings.Repeat(" ", c.size))})
		require.NoError(t, err)
		req.ContentLength = -1
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", c.ct)
		resp, err := r.client.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 413, resp.StatusCode, c.path)
	}
}
