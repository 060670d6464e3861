//go:build soak

package app_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// largeEPUB writes an EPUB file of two chapters with a picture of so many bytes.
func largeEPUB(w io.Writer, picture int64) error {
	z := zip.NewWriter(w)
	page := func(words string) string {
		return `<html xmlns="http://www.w3.org/1999/xhtml"><body><h1>` + words + `</h1><p>Nobody came to the harbour.</p></body></html>`
	}
	for _, f := range [][2]string{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>` +
			`<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
		{"book.opf", `<package version="3.0" xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` +
			`<dc:title>Pictures</dc:title><dc:language>en</dc:language></metadata><manifest>` +
			`<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>` +
			`<item id="p" href="p.jpg" media-type="image/jpeg"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`},
		{"a.xhtml", page("One")},
		{"b.xhtml", page("Two")},
	} {
		part, err := z.Create(f[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(part, f[1]); err != nil {
			return err
		}
	}
	part, err := z.CreateHeader(&zip.FileHeader{Name: "p.jpg", Method: zip.Store})
	if err != nil {
		return err
	}
	if _, err := io.CopyN(part, zeros{}, picture); err != nil {
		return err
	}
	return z.Close()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// sendLarge sends a book of so many bytes as it is made.
func (s *server) sendLarge(picture int64) (int, string) {
	s.t.Helper()
	r, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() {
		part, err := form.CreateFormFile("file", "pictures.epub")
		if err == nil {
			err = largeEPUB(part, picture)
		}
		_ = w.CloseWithError(errors.Join(err, form.Close())) // the server may have refused the rest
	}()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/books", r)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(raw)
}

// peakMemory returns the most memory that the server had, in bytes.
func (s *server) peakMemory() int64 {
	s.t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	require.NoError(s.t, err)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(raw)
	require.NotNil(s.t, found)
	kilobytes, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(s.t, err)
	return kilobytes << 10
}

// TestSoakBookOf500MB uploads a book of nearly 500 MB, most of which is a picture: memory stays small. A larger one is refused.
func TestSoakBookOf500MB(t *testing.T) {
	u := newUser(t)
	s := u.serve()
	_, _ = s.sendLarge(1000)
	before := s.peakMemory()
	status, body := s.sendLarge(499_000_000)
	require.Equal(t, http.StatusCreated, status, body)
	grown := s.peakMemory() - before
	t.Logf("%d MB more", grown>>20)
	require.Less(t, grown, int64(60<<20))
	require.Len(t, bookChapters(parseJSON(t, body)), 2)
	require.Empty(t, u.unfinished())

	status, body = s.sendLarge(500_000_001)
	require.Equal(t, http.StatusRequestEntityTooLarge, status)
	require.Contains(t, body, "500 MB")
	require.Empty(t, u.unfinished())
}
