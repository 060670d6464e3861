package httpapi_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func (s *studio) word(word, respelling, language string) object {
	s.t.Helper()
	a := s.do("POST", "/pronunciations", fmt.Sprintf(`{"word":%q,"respelling":%q,"language":%q}`, word, respelling, language))
	require.Equal(s.t, 200, a.StatusCode, a.body)
	return a.object(s.t)
}

func TestPronunciations(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("POST", "/pronunciations", `{"word":" nginx ","respelling":"engine  x"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	p := a.object(t)
	requireShape(t, map[string]string{"id": "string", "word": "string", "respelling": "string", "language": "string"}, p)
	require.Equal(t, object{"id": p["id"], "word": "nginx", "respelling": "engine x", "language": ""}, p)
	path := "/pronunciations/" + p["id"].(string)
	require.Equal(t, p, s.do("GET", "/pronunciations/"+strings.ToUpper(p["id"].(string)), "").object(t))
	s.word("Nginx", "/ɛndʒɪnˈɛks/", "en-GB")
	s.word("École", "ekol", "fr")

	for query, want := range map[string]string{
		"": "École nginx Nginx", "?search=ECOLE": "École", "?search=engine": "nginx", "?language=en": "Nginx",
		"?language=EN-gb": "Nginx", "?search=ngi&language=fr": "", "?limit=2": "École nginx",
	} {
		var words []string
		for _, item := range s.do("GET", "/pronunciations"+query, "").items(t) {
			words = append(words, item["word"].(string))
		}
		require.Equal(t, want, strings.Join(words, " "), query)
	}
	first := s.do("GET", "/pronunciations?limit=2", "").object(t)
	require.Equal(t, "3", fmt.Sprint(first["total"]))
	second := s.do("GET", "/pronunciations?limit=2&cursor="+first["next_cursor"].(string), "").object(t)
	require.Len(t, second["items"], 1)
	require.Nil(t, second["next_cursor"])

	for _, c := range []struct{ body, field, want string }{
		{`{"respelling":"/x/"}`, "respelling", "/x/"},
		{`{"word":"NGINX"}`, "word", "NGINX"}, // its own word in another case
		{`{"language":"de"}`, "language", "de"},
		{`{"language":""}`, "language", ""},
		{`{}`, "word", "NGINX"},
		{`{"word":null}`, "word", "NGINX"},
	} {
		a := s.do("PUT", path, c.body)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, c.want, a.object(t)[c.field], c.body)
		require.Equal(t, a.object(t), s.do("GET", path, "").object(t))
	}
	a = s.do("PUT", path, `{"language":"en-GB"}`)
	require.Equal(t, 409, a.StatusCode)
	require.Equal(t, "name_taken", a.object(t)["code"])

	a = s.do("DELETE", path, "")
	require.Equal(t, 204, a.StatusCode)
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		body := map[string]string{"PUT": `{"word":"x"}`}[method]
		a := s.do(method, path, body)
		require.Equal(t, 404, a.StatusCode, method)
		require.Equal(t, "pronunciation_not_found", a.object(t)["code"])
		a = s.do(method, "/pronunciations/nope", body)
		require.Equal(t, 422, a.StatusCode, method)
		require.Contains(t, a.body, `"loc":["path","pronunciation_id"]`)
	}
}

func TestInvalidPronunciations(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	s.word("Taken", "x", "")
	other := s.word("other", "x", "")["id"].(string)
	for _, route := range [][2]string{{"POST", "/pronunciations"}, {"PUT", "/pronunciations/" + other}} {
		send := func(name, body string, status int, has ...string) scenario {
			return scenario{name: route[0] + " " + name, method: route[0], path: route[1], body: body, status: status, has: has}
		}
		s.play(t, []scenario{
			send("absent body", "", 422, `"loc":["body"]`, `"type":"missing"`),
			send("word type", `{"word":5,"respelling":"x"}`, 422, `"loc":["body","word"]`, `"type":"string_type"`),
			send("empty", `{"word":"","respelling":" "}`, 422, `"loc":["body","word"]`, `"loc":["body","respelling"]`, `"type":"string_too_short"`),
			send("signs", `{"word":"?!","respelling":"x"}`, 422, `"loc":["body","word"]`, `"type":"value_error"`),
			send("long word", `{"word":"`+strings.Repeat("é", 101)+`","respelling":"x"}`, 422, `"loc":["body","word"]`, `"type":"string_too_long"`),
			send("long respelling", `{"word":"x","respelling":"`+strings.Repeat("é", 201)+`"}`, 422, `"loc":["body","respelling"]`, `"type":"string_too_long"`),
			send("markup in a word", `{"word":"a<b","respelling":"x"}`, 422, `"loc":["body","word"]`, `"type":"value_error"`),
			send("bar in a word", `{"word":"a|b","respelling":"x"}`, 422, `"loc":["body","word"]`),
			send("raw phonemes", `{"word":"x","respelling":"[[x"}`, 422, `"loc":["body","respelling"]`, `"type":"value_error"`),
			send("bar in a respelling", `{"word":"x","respelling":"a|b"}`, 422, `"loc":["body","respelling"]`),
			send("no phonemes", `{"word":"x","respelling":"//"}`, 422, `"loc":["body","respelling"]`),
			send("half open phonemes", `{"word":"x","respelling":"/a"}`, 422, `"loc":["body","respelling"]`),
			send("language", `{"word":"x","respelling":"x","language":"not a tag"}`, 422, `"loc":["body","language"]`),
			send("control character", `{"word":"x\u0007","respelling":"x"}`, 422, `"loc":["body","word"]`, `"type":"string_unicode"`),
			send("taken", `{"word":" tAKEN","respelling":"x"}`, 409, `"code":"name_taken"`, `"remedy":"`),
			send("2 MB", `{"word":"x","respelling":"`+strings.Repeat("a", 2_000_000)+`"}`, 413, `"code":"body_too_large"`),
		})
	}
	s.play(t, []scenario{
		{name: "no word", method: "POST", path: "/pronunciations", body: `{"respelling":"x"}`, status: 422, has: []string{`"loc":["body","word"]`, `"type":"missing"`}},
		{name: "no respelling", method: "POST", path: "/pronunciations", body: `{"word":"x"}`, status: 422, has: []string{`"loc":["body","respelling"]`}},
		{name: "limit", method: "GET", path: "/pronunciations?limit=501", status: 422, has: []string{`"loc":["query","limit"]`}},
		{name: "cursor", method: "GET", path: "/pronunciations?cursor=x", status: 422, has: []string{`"loc":["query","cursor"]`}},
		{name: "export format", method: "GET", path: "/pronunciations/export?format=xml", status: 422, has: []string{`"loc":["query","format"]`, `"type":"enum"`}},
	})
	require.Len(t, s.do("GET", "/pronunciations", "").items(t), 2, "a refused request leaves nothing")
}

func TestImportPronunciations(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	kept := s.word("Lemma", "old", "")
	send := func(kind, body string) answer {
		return s.do("POST", "/pronunciations/import", body, "Content-Type: "+kind)
	}
	a := send("text/csv; charset=utf-8", "word,respelling,language\nlemma,new,\n?,x\ntwo,\"2, too\",en\n")
	require.Equal(t, 201, a.StatusCode, a.body)
	require.JSONEq(t, `{"added":1,"replaced":1,"skipped":[{"line":3,"reason":"word: a word has a letter or a digit"}],"skipped_total":1}`, a.body)
	require.Equal(t, "new", s.do("GET", "/pronunciations/"+kept["id"].(string), "").object(t)["respelling"])
	a = send("application/json", `[{"word":"TWO","respelling":"tu","language":"EN"},{"word":"three","respelling":"3"},{"word":5}]`)
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Contains(t, a.body, `"added":1,"replaced":1,"skipped":[{"line":3,`)
	for _, c := range []struct {
		kind, body, code string
		status           int
	}{
		{"application/json", `{"items":[]}`, "list_type", 422},
		{"application/json", `[`, "json_invalid", 422},
		{"application/json", `[{"word":"\ud800"}]`, "string_unicode", 422},
		{"application/json", "", "missing", 422},
		{"text/csv", "", "missing", 422},
		{"text/csv", strings.Repeat("word,respelling\n", 2_000_000), "body_too_large", 413},
		{"application/json", "[" + strings.Repeat(" ", 20_000_000) + "]", "body_too_large", 413},
	} {
		a := send(c.kind, c.body)
		require.Equal(t, c.status, a.StatusCode, a.body)
		require.Contains(t, a.body, c.code)
	}

	wrong := send("text/csv", "word,respelling\n"+strings.Repeat("w,\n", 20_000))
	require.Equal(t, 201, wrong.StatusCode)
	require.Contains(t, wrong.body, `"skipped_total":20000`)
	require.Less(t, len(wrong.body), 200_000)

	for format, want := range map[string]string{
		"": "word,respelling,language\nlemma,new,\nthree,3,\nTWO,tu,en\n", "?format=csv": "word,respelling,language\n",
		"?format=json": `"word": "lemma"`,
	} {
		a := s.do("GET", "/pronunciations/export"+format, "")
		require.Equal(t, 200, a.StatusCode)
		require.Contains(t, a.body, want)
		require.Contains(t, a.Header.Get("Content-Disposition"), "pronunciations.")
	}
	other := newStudio(t, studioOptions{})
	for format, kind := range map[string]string{"csv": "text/csv", "json": "application/json"} {
		file := s.do("GET", "/pronunciations/export?format="+format, "").body
		a := other.do("POST", "/pronunciations/import", file, "Content-Type: "+kind)
		require.Equal(t, 201, a.StatusCode, a.body)
		require.Contains(t, a.body, `"skipped":[]`)
		require.Equal(t, file, other.do("GET", "/pronunciations/export?format="+format, "").body)
	}
}

// TestLargeDictionary imports, finds and exports as many words as a large dictionary has.
func TestLargeDictionary(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var file strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&file, "word%05d,the respelling of the word with number %d,en\n", i, i)
	}
	a := s.do("POST", "/pronunciations/import", file.String(), "Content-Type: text/csv")
	require.Equal(t, 201, a.StatusCode, a.body)
	require.JSONEq(t, `{"added":10000,"replaced":0,"skipped":[],"skipped_total":0}`, a.body)
	back := s.do("GET", "/pronunciations/export?format=json", "").body
	require.Greater(t, len(back), 1<<20, "more than an ordinary body may have")
	a = s.do("POST", "/pronunciations/import", back)
	require.JSONEq(t, `{"added":0,"replaced":10000,"skipped":[],"skipped_total":0}`, a.body)
	found := s.do("GET", "/pronunciations?search="+url.QueryEscape("word09999"), "").items(t)
	require.Len(t, found, 1)
	require.Equal(t, "the respelling of the word with number 9999", found[0]["respelling"])
}
