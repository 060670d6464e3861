package httpapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBatchParse(t *testing.T) {
	s := newStudio(t, studioOptions{})
	parse := func(name, list string) answer {
		body, header := form(t, "file", name, list)
		return s.do("POST", "/batch/parse", body, header)
	}
	out := parse("list.csv", "text;voice;speed\nHello.;espeak:en;1,5\n;;2\n")
	require.Equal(t, 200, out.StatusCode, out.body)
	body := out.object(t)
	require.Len(t, body, 3)
	require.Contains(t, out.body, `"total":2,"bad":1}`)
	require.Contains(t, out.body, `{"items":[{"row":1,"line":2,"text":"Hello.","name":"","voice":"espeak:en","language":"","speed":1.5,"format":"","problem":""},`)
	require.Equal(t, "The text is empty.", body["items"].([]any)[1].(map[string]any)["problem"])

	for _, bad := range []answer{
		parse("list.xlsx", "text\n"), parse("list.csv", "words\nHello.\n"), parse("list.txt", strings.Repeat("a\n", 10_001)),
	} {
		require.Equal(t, 415, bad.StatusCode, bad.body)
		requireInvalidOrProblem(t, bad)
	}
}
