package httpapi_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// form is a body with one file, and its content type as a header line.
func form(t *testing.T, field, name, content string) (body, header string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreateFormFile(field, name)
	require.NoError(t, err)
	_, err = io.WriteString(part, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return out.String(), "Content-Type: " + w.FormDataContentType()
}

func TestTextExtract(t *testing.T) {
	s := newStudio(t, studioOptions{})
	post := func(field, name, content string) answer {
		body, header := form(t, field, name, content)
		return s.do("POST", "/text/extract", body, header)
	}
	a := post("file", "Mein Text.md", "# Hello\n\n- *one*\n")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"text":"Hello\n\none","title":"Hello","format":"md","encoding":"UTF-8","notes":[]}`, a.body)

	for name, c := range map[string]struct {
		answer
		status int
		part   string
	}{
		"other kind":    {post("file", "a.docx", "x"), 415, `"code":"unsupported_media"`},
		"empty":         {post("file", "a.txt", ""), 422, `"code":"nothing_to_speak"`},
		"other field":   {post("other", "a.txt", "x"), 422, `"detail":[`},
		"no form":       {s.do("POST", "/text/extract", "{}"), 422, `"detail":[`},
		"no token":      {s.do("POST", "/text/extract", "{}", "-Authorization"), 401, `"code":"unauthorized"`},
		"too large":     {post("file", "a.txt", strings.Repeat("word ", 10_000_001)), 413, `"code":"body_too_large"`},
		"far too large": {post("file", "a.txt", strings.Repeat("word ", 10_100_000)), 413, `"code":"body_too_large"`},
	} {
		require.Equal(t, c.status, c.StatusCode, "%s: %s", name, c.body)
		require.Contains(t, c.body, c.part, name)
	}
}
