package httpapi_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// formWith is a form with a file and the encoding that it is in.
func formWith(t *testing.T, name, content, encoding string) (body, header string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	part, err := w.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = io.WriteString(part, content)
	require.NoError(t, err)
	require.NoError(t, w.WriteField("encoding", encoding))
	require.NoError(t, w.Close())
	return out.String(), "Content-Type: " + w.FormDataContentType()
}

func TestTextExtractInAnEncoding(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	post := func(content, encoding string) answer {
		body, header := formWith(t, "a.txt", content, encoding)
		return s.do("POST", "/text/extract", body, header)
	}
	require.JSONEq(t, `{"text":"Привет","title":"a","has_title":false,"format":"txt","encoding":"KOI8-R","notes":[]}`, post("\xf0\xd2\xc9\xd7\xc5\xd4", "koi8-r").body)
	require.JSONEq(t, `{"text":"Привет","title":"a","has_title":false,"format":"txt","encoding":"windows-1251","notes":[{"code":"encoding_guessed",
		"detail":"The file does not name its character encoding; it was read as windows-1251.","params":{"encoding":"windows-1251"}}]}`,
		post("\xcf\xf0\xe8\xe2\xe5\xf2", "").body)
	unknown := post("a", "klingon")
	require.Equal(t, 422, unknown.StatusCode, unknown.body)
	require.Contains(t, unknown.body, `"loc":["body","encoding"]`)
	require.Contains(t, unknown.body, "windows-1251")
}

func TestTextExtract(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	post := func(field, name, content string) answer {
		body, header := form(t, field, name, content)
		return s.do("POST", "/text/extract", body, header)
	}
	a := post("file", "Mein Text.md", "# Hello\n\n- *one*\n")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"text":"Hello\n\none","title":"Hello","has_title":true,"format":"md","encoding":"UTF-8","notes":[]}`, a.body)

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

// fullDisk is a body whose form cannot be stored from its middle on.
type fullDisk struct{ io.Reader }

func (f fullDisk) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = &fs.PathError{Op: "write", Path: "multipart-1", Err: syscall.ENOSPC}
	}
	return n, err
}

// A form that the program cannot store is no fault of the form.
func TestFormThatCannotBeStored(t *testing.T) {
	s := newStudio(t, studioOptions{})
	for _, path := range []string{"/text/extract", "/profiles/import", "/batch/parse"} {
		body, header := form(t, "file", "a.txt", strings.Repeat("Some words. ", 20_000))
		r := httptest.NewRequest(http.MethodPost, path, fullDisk{strings.NewReader(body[:len(body)/2])})
		r.ContentLength, r.Host = int64(len(body)), s.srv.Listener.Addr().String()
		r.Header.Set("Content-Type", strings.TrimPrefix(header, "Content-Type: "))
		r.Header.Set("Authorization", "Bearer "+token)
		w := httptest.NewRecorder()
		s.srv.Config.Handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusInsufficientStorage, w.Code, "%s: %s", path, w.Body)
		require.Contains(t, w.Body.String(), `"code":"insufficient_disk"`)
		require.Contains(t, w.Body.String(), "temporary folder is full")
	}
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	t.Setenv("TMPDIR", file)
	t.Setenv("TMP", file) // of Windows
	body, header := form(t, "file", "a.txt", strings.Repeat("Some words. ", 20_000))
	a := s.do("POST", "/text/extract", body, header)
	require.GreaterOrEqual(t, a.StatusCode, 500, a.body)
	require.NotContains(t, a.body, file)
}
