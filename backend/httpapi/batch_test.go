package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatchParse(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	parse := func(name, list string) answer {
		body, header := form(t, "file", name, list)
		return s.do("POST", "/batch/parse", body, header)
	}
	out := parse("list.csv", "text;voice;speed\nHello.;espeak:en;1,5\n;;2\n")
	require.Equal(t, 200, out.StatusCode, out.body)
	body := out.object(t)
	require.Len(t, body, 5)
	require.Contains(t, out.body, `"total":2,"bad":1,"encoding":"UTF-8","encoding_guessed":false}`)
	require.Contains(t, out.body, `{"items":[{"row":1,"line":2,"text":"Hello.","name":"","voice":"espeak:en","language":"","speed":1.5,"format":"","problem":""},`)
	require.Equal(t, "The text is empty.", body["items"].([]any)[1].(map[string]any)["problem"])

	cyrillic := parse("list.txt", "\xcf\xf0\xe8\xe2\xe5\xf2\n")
	require.Contains(t, cyrillic.body, `"text":"Привет"`)
	require.Contains(t, cyrillic.body, `"encoding":"windows-1251","encoding_guessed":true`)
	encoded, header := formWith(t, "list.txt", "\xf0\xd2\xc9\xd7\xc5\xd4", "koi8-r")
	require.Contains(t, s.do("POST", "/batch/parse", encoded, header).body, `"text":"Привет"`)
	encoded, header = formWith(t, "list.txt", "a", "klingon")
	unknown := s.do("POST", "/batch/parse", encoded, header)
	require.Equal(t, 422, unknown.StatusCode)
	require.Contains(t, unknown.body, "windows-1251")

	dots := parse("list.txt", "...\n")
	require.Equal(t, 200, dots.StatusCode)
	require.Equal(t, "no_text", dots.object(t)["items"].([]any)[0].(map[string]any)["reason"])
	noText := parse("list.txt", "One.\n\x00\x01\x02")
	require.Equal(t, 415, noText.StatusCode, noText.body)
	require.Equal(t, "kind", noText.object(t)["params"].(map[string]any)["reason"])

	for reason, bad := range map[string]answer{
		"kind": parse("list.xlsx", "text\n"), "no_column": parse("list.csv", "words\nHello.\n"), "too_long": parse("list.txt", strings.Repeat("a\n", 10_001)),
		"no_rows": parse("list.csv", "text\n"), "quotes": parse("list.csv", "te\"xt\nHello.\n"),
	} {
		require.Equal(t, 415, bad.StatusCode, bad.body)
		requireInvalidOrProblem(t, bad)
		require.Equal(t, reason, bad.object(t)["params"].(map[string]any)["reason"])
	}
	for _, list := range []string{"", "\ufeff", "\n\n", "sep=;\n"} {
		for _, name := range []string{"list.csv", "list.jsonl"} {
			if name == "list.jsonl" && list == "sep=;\n" {
				continue // a line that is no object
			}
			empty := parse(name, list)
			require.Equal(t, 415, empty.StatusCode, empty.body)
			require.Equal(t, "no_rows", empty.object(t)["params"].(map[string]any)["reason"], "%s %q", name, list)
		}
	}
}

// TestBatchParseOfLongCells: however long a wrong value is, the problem of its row is a sentence.
func TestBatchParseOfLongCells(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	long := strings.Repeat("é", 200_000)
	for name, list := range map[string]string{
		"list.csv": "text,speed,format\nHello.," + long + ",\nHello.,," + long + "\n",
		"list.jsonl": `{"text":"Hello.","speed":"` + long + `"}` + "\n" + `{"text":"Hello.","format":"` + long + `"}` + "\n" +
			`{"text":"Hello.","speed":1` + strings.Repeat("0", 200_000) + "}\n" + `{"text":"Hello.","` + long + `":[]}` + "\n",
	} {
		body, header := form(t, "file", name, list)
		out := s.do("POST", "/batch/parse", body, header)
		require.Equal(t, 200, out.StatusCode, out.body)
		for i, reason := range map[int]string{0: "speed", 1: "format"} {
			row := out.object(t)["items"].([]any)[i].(map[string]any)
			require.Equal(t, reason, row["reason"])
			require.Less(t, len(row["problem"].(string)), 400)
			require.Contains(t, row["problem"], "éé…")
			require.Less(t, len(row["params"].(map[string]any)["value"].(string)), 400)
		}
		require.Less(t, len(out.body), len(list))
	}
}

// TestEmptyFiles sends files without any content, with and without a content type, to each route that reads one from a form.
func TestEmptyFiles(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	for _, c := range []struct {
		path, name string
		status     int
		code       string
	}{
		{"/batch/parse", "list.txt", 415, "unsupported_media"},
		{"/batch/parse", "list.csv", 415, "unsupported_media"},
		{"/text/extract", "a.txt", 422, "nothing_to_speak"},
		{"/profiles/import", "a.zip", 415, "unsupported_media"},
	} {
		typed, header := form(t, "file", c.name, "")
		untyped := strings.Replace(typed, "Content-Type: application/octet-stream\r\n", "", 1)
		require.NotEqual(t, typed, untyped)
		for _, body := range []string{typed, untyped} {
			out := s.do("POST", c.path, body, header)
			require.Equal(t, c.status, out.StatusCode, "%s: %s", c.path, out.body)
			require.Equal(t, c.code, out.object(t)["code"], c.path)
			require.NotEmpty(t, out.object(t)["remedy"], c.path)
		}
	}
}
