package app_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// server is a running serve command.
type server struct {
	*running
	url, token string
}

// serve starts a server on a free port.
func (u *user) serve(args ...string) *server {
	u.t.Helper()
	r := u.start(append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	return r.waitForAddress()
}

// waitForAddress waits until serve has printed its address and returns the server.
func (r *running) waitForAddress() *server {
	r.t.Helper()
	output := r.waitForLines(2)
	url, ok := strings.CutPrefix(output[0], "listening on ")
	require.True(r.t, ok, output[0])
	page, ok := strings.CutPrefix(output[1], "open "+url+"/")
	require.True(r.t, ok, output[1])
	token, _ := strings.CutPrefix(page, "#token=")
	return &server{r, url, token}
}

// request makes a request and returns the status and the body of the response.
func (s *server) request(method, path, body string, headers ...string) (int, string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Close = true
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(s.t, err)
	return resp.StatusCode, string(raw)
}

// followEvents opens a stream of events and reads its first line.
func (s *server) followEvents(path string) *bufio.Scanner {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, http.NoBody)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(s.t, http.StatusOK, resp.StatusCode)
	lines := bufio.NewScanner(resp.Body)
	require.True(s.t, lines.Scan())
	return lines
}

// firstProfile returns the id of the first profile.
func (s *server) firstProfile() string {
	s.t.Helper()
	_, body := s.request("GET", "/profiles", "")
	return parseJSON(s.t, body)["items"].([]any)[0].(object)["id"].(string)
}

// startGeneration submits a text, waits until its speech is being generated, and returns the id of the generation.
func (s *server) startGeneration(text string) string {
	s.t.Helper()
	status, body := s.request("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":%q}`, s.firstProfile(), text), "Prefer: respond-async")
	require.Equal(s.t, http.StatusAccepted, status, body)
	id := parseJSON(s.t, body)["id"].(string)
	require.Eventually(s.t, func() bool {
		_, body := s.request("GET", "/generate/"+id, "")
		return parseJSON(s.t, body)["status"] == "generating"
	}, testTimeout, 5*time.Millisecond)
	return id
}

// longText returns a text that takes espeak-ng about n tenths of a second.
func longText(n int) string {
	return strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it at all. ", 13*n)
}

// newForm returns a form with a file, and fields as name=value, and its content type.
func newForm(file, content string, fields ...string) (form, kind string, err error) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		err = errors.Join(err, w.WriteField(name, value))
	}
	part, failed := w.CreateFormFile("file", file)
	if failed == nil {
		_, failed = io.WriteString(part, content)
	}
	err = errors.Join(err, failed, w.Close())
	return out.String(), w.FormDataContentType(), err
}

// try makes a request to a server that may be killed meanwhile. With a file it sends a form, in which the body is the file; more are
// fields of the form, as name=value, or else headers, as "Name: value".
func (s *server) try(method, path, body, file string, more ...string) (status int, answer string, err error) {
	return s.tryFor(context.Background(), method, path, body, file, more...)
}

// tryFor is try that goes away when ctx ends.
func (s *server) tryFor(ctx context.Context, method, path, body, file string, more ...string) (status int, answer string, err error) {
	kind, headers := "application/json", more
	if file != "" {
		if body, kind, err = newForm(file, body, more...); err != nil {
			return 0, "", err
		}
		headers = nil
	}
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", kind)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	req.Close = true
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), err
}

// must makes a request that succeeds, and returns the object of its response.
func (s *server) must(method, path, body, file string) object {
	s.t.Helper()
	status, answer, err := s.try(method, path, body, file)
	require.NoError(s.t, err)
	require.Less(s.t, status, 300, "%s %s: %s", method, path, answer)
	if answer == "" {
		return nil
	}
	return parseJSON(s.t, answer)
}
