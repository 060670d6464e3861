package s3_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/s3"
)

// audioName returns the n-th name of audio that is made on a day.
func audioName(day time.Time, n byte) string {
	b := [32]byte{31: n}
	binary.BigEndian.PutUint16(b[:], uint16(day.Unix()/(24*60*60)))
	return base64.RawURLEncoding.EncodeToString(b[:]) + ".mp3"
}

var day = time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)

const preview = service.PreviewPrefix + "0f6c84f5-2b7e-5f0d-9d38-0d4f3a1c2b3a.mp3"

// store creates a file.
func create(t *testing.T, s service.Files, name, text string) {
	t.Helper()
	require.NoError(t, s.Create(t.Context(), name, content(text)))
}

// read returns the content of a file.
func read(t *testing.T, s service.Files, name string) string {
	t.Helper()
	f, size, err := s.Open(t.Context(), name)
	require.NoError(t, err)
	text, err := io.ReadAll(f)
	require.NoError(t, err)
	require.EqualValues(t, len(text), size)
	require.NoError(t, f.Close())
	return string(text)
}

// list returns the names of all files.
func list(t *testing.T, s service.Files) []string {
	t.Helper()
	names := []string{}
	for name, err := range s.Names(t.Context()) {
		require.NoError(t, err)
		names = append(names, name)
	}
	return names
}

func TestFilesByDay(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	audio := audioName(day, 1)
	names := []string{audio, preview, "any.mp3"}
	for _, name := range names {
		create(t, store, name, "content of "+name)
	}
	want := []string{"team/files/2026/11/28/" + audio, "team/files/other/any.mp3", "team/files/previews/" + preview}
	require.Equal(t, want, server.keys(t))
	for _, name := range names {
		require.Equal(t, "content of "+name, read(t, store, name))
	}
	require.Equal(t, []string{audio, "any.mp3"}, list(t, store), "previews do not expire")
	for _, name := range names {
		require.NoError(t, store.Delete(t.Context(), name))
	}
	require.Empty(t, server.keys(t))
}

func TestBucketWithoutPrefix(t *testing.T) {
	server := serve(t)
	address, err := s3.Parse("s3://" + bucket + "?endpoint=" + server.URL)
	require.NoError(t, err)
	store, log := open(t, address)
	audio := audioName(day, 1)
	create(t, store, audio, "x")
	require.NoError(t, store.Ready(t.Context()))
	require.Equal(t, []string{"2026/11/28/" + audio}, server.keys(t))
	require.Equal(t, []string{audio}, list(t, store))
	store.Prepare(t.Context())
	require.Contains(t, log.String(), "no prefix", "no rule for the objects of others")
}

// TestNamesByPage lists old days first, each file once, and none of the objects of others.
func TestNamesByPage(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	var want []string
	for n := range byte(13) {
		name := audioName(day.AddDate(0, 0, int(n)/3), n)
		want = append(want, name)
		create(t, store, name, "x")
	}
	create(t, store, preview, "x")
	create(t, store, "any.mp3", "x")
	want = append(want, "any.mp3")
	for _, other := range []string{
		"team/files", "team/files/", "team/files/2026/11/28/", "team/files/2026/11/28/notes.txt", "team/files/README",
		"team/files/2026/11/27/" + want[0], "team/filesystem/2026/11/28/" + want[0], "other/a.mp3", "team/files/zoo/a.mp3",
	} {
		_, err := server.objects.PutObject(bucket, other, nil, strings.NewReader("x"), 1, &gofakes3.PutConditions{})
		require.NoError(t, err)
	}
	slices.Sort(want[:13])
	for _, page := range []int{1, 4, 100, 1000} {
		store.SetPage(page)
		require.ElementsMatch(t, want, list(t, store), "%d a page", page)
	}
	store.SetPage(2)
	deleted := 0
	for name, err := range store.Names(t.Context()) {
		require.NoError(t, err)
		require.NoError(t, store.Delete(t.Context(), name), "as the sweeper does")
		deleted++
	}
	require.Equal(t, 14, deleted)
	require.Empty(t, list(t, store))
}

// long returns audio that is longer than some parts.
func long(parts int) string {
	return strings.Repeat("0123456789abcde\n", parts*s3.PartSize/16) + "the end"
}

// TestLongFiles are sent in parts.
func TestLongFiles(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	for name, text := range map[string]string{
		"one-less.mp3": long(1)[:s3.PartSize-1], "one.mp3": long(1)[:s3.PartSize], "one-more.mp3": long(1)[:s3.PartSize+1], "two.pcm": long(2),
	} {
		require.NoError(t, store.Create(t.Context(), name, func(w io.Writer) error {
			_, err := io.CopyBuffer(struct{ io.Writer }{w}, strings.NewReader(text), make([]byte, 100_000))
			require.NotContains(t, strings.Join(server.keys(t), " "), name)
			return err
		}))
		require.True(t, text == read(t, store, name), name)
	}
	require.Empty(t, server.halfSent(t))
}

// TestLongFilesLeaveNothing ends uploads in parts in every way.
func TestLongFilesLeaveNothing(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	broken := errors.New("encoder stopped")
	sent := func(w io.Writer) {
		_, err := io.WriteString(w, long(1))
		require.NoError(t, err)
		require.NotEmpty(t, server.halfSent(t))
	}
	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, store.Create(ctx, "a.mp3", func(w io.Writer) error { sent(w); cancel(); return nil }), context.Canceled)
	require.ErrorIs(t, store.Create(t.Context(), "b.mp3", func(w io.Writer) error { sent(w); return broken }), broken)
	require.PanicsWithValue(t, "encoder", func() {
		_ = store.Create(t.Context(), "c.mp3", func(w io.Writer) error { sent(w); panic("encoder") })
	})
	for what, fails := range map[string]func(*http.Request) bool{
		"part":     func(r *http.Request) bool { return r.URL.Query().Get("partNumber") == "2" },
		"begin":    func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploads") },
		"complete": func(r *http.Request) bool { return r.Method == http.MethodPost && r.URL.Query().Has("uploadId") },
	} {
		server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
			if fails(r) {
				http.Error(w, "no", http.StatusInternalServerError)
			}
			return fails(r)
		})
		var written error
		err := store.Create(t.Context(), "d.mp3", func(w io.Writer) error {
			_, written = io.WriteString(w, long(2))
			return nil // hides why it ended
		})
		require.ErrorIs(t, err, service.ErrFilesDown, what)
		require.Equal(t, what != "complete", written != nil, "the encoder is told")
		server.heals()
	}
	require.NoError(t, store.Close())
	require.Empty(t, server.halfSent(t))
	require.Empty(t, server.keys(t))
}

// requireSignature computes the signature of a request, as Amazon describes its version 4, and compares it.
func requireSignature(t *testing.T, r *http.Request, body []byte) {
	t.Helper()
	given := regexp.MustCompile(`^AWS4-HMAC-SHA256 Credential=(\S+?)/(\d{8}/us-east-1/s3/aws4_request), ?SignedHeaders=(\S+), ?Signature=(\w+)$`).
		FindStringSubmatch(r.Header.Get("Authorization"))
	require.NotNil(t, given, r.Header.Get("Authorization"))
	require.Equal(t, accessKey, given[1])
	if sum := sha256.Sum256(body); len(body) > 0 || r.Header.Get("X-Amz-Content-Sha256") != "UNSIGNED-PAYLOAD" {
		require.Equal(t, hex.EncodeToString(sum[:]), r.Header.Get("X-Amz-Content-Sha256"))
	}
	var headers strings.Builder
	for name := range strings.SplitSeq(given[3], ";") {
		value := r.Header.Get(name)
		switch name {
		case "host":
			value = r.Host
		case "content-length":
			value = strconv.Itoa(len(body))
		}
		headers.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
	}
	canonical := sha256.Sum256([]byte(strings.Join([]string{
		r.Method, r.URL.EscapedPath(), strings.ReplaceAll(r.URL.Query().Encode(), "+", "%20"),
		headers.String(), given[3], r.Header.Get("X-Amz-Content-Sha256"),
	}, "\n")))
	text := "AWS4-HMAC-SHA256\n" + r.Header.Get("X-Amz-Date") + "\n" + given[2] + "\n" + hex.EncodeToString(canonical[:])
	secret := []byte("AWS4" + secretKey)
	for _, part := range append(strings.Split(given[2], "/"), text) {
		m := hmac.New(sha256.New, secret)
		m.Write([]byte(part))
		secret = m.Sum(nil)
	}
	require.Equal(t, hex.EncodeToString(secret), given[4], "%s %s", r.Method, r.URL)
}

// TestBodiesAreSigned: a store that knows no chunked signatures stores what was sent, and each store can check it.
func TestBodiesAreSigned(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	var mu sync.Mutex
	puts := 0
	server.breaks(func(_ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		require.True(t, strings.HasPrefix(r.URL.Path, "/"+bucket+"/"), r.URL.Path)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		r.Body = io.NopCloser(bytes.NewReader(body))
		requireSignature(t, r, body)
		if r.Method == http.MethodPut {
			puts++
			require.NotEmpty(t, r.Header.Get("Content-Md5"))
		}
		return false
	})
	create(t, store, "a.mp3", "some audio")
	create(t, store, "b.mp3", long(1))
	require.NoError(t, store.Ready(t.Context()))
	require.Equal(t, "some audio", read(t, store, "a.mp3"))
	require.Len(t, list(t, store), 2)
	store.Prepare(t.Context())
	require.NoError(t, store.Delete(t.Context(), "b.mp3"))
	require.Equal(t, 4, puts)
	o, err := server.objects.GetObject(bucket, "team/files/other/a.mp3", nil)
	require.NoError(t, err)
	stored, err := io.ReadAll(o.Contents)
	require.NoError(t, err)
	require.Equal(t, "some audio", string(stored))
	require.Equal(t, "audio/mpeg", o.Metadata["Content-Type"])
}

// TestDamagedUploads are noticed although the store says that all is well.
func TestDamagedUploads(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			body, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			body[len(body)/2]++
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			r.Header.Del("Content-Md5")
		}
		return false
	})
	for _, text := range []string{"some audio", long(1)} {
		require.ErrorIs(t, store.Create(t.Context(), "a.mp3", content(text)), service.ErrFilesDown)
		require.Empty(t, server.keys(t))
	}
}

// answer copies the answer of the store with other headers.
func (s *server) answer(w http.ResponseWriter, r *http.Request, change func(http.Header)) {
	answer := httptest.NewRecorder()
	s.store.ServeHTTP(answer, r)
	for name, values := range answer.Header() {
		w.Header()[name] = values
	}
	change(w.Header())
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// TestOtherSums: the sums of stores that encrypt are those of nothing that was sent.
func TestOtherSums(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || r.URL.Query().Has("partNumber") {
			return false
		}
		server.answer(w, r, func(h http.Header) { h.Set("ETag", `"0123456789abcdef0123456789abcdef"`) })
		return true
	})
	create(t, store, "a.mp3", "some audio")
	require.Equal(t, "some audio", read(t, store, "a.mp3"))
	create(t, store, "empty.mp3", "")
	require.Empty(t, read(t, store, "empty.mp3"))
}

// TestRanges: only what is read is asked for.
func TestRanges(t *testing.T) {
	server := serve(t)
	store, _ := server.open(t)
	text := strings.Repeat("0123456789", 1000)
	create(t, store, "a.mp3", text)
	var mu sync.Mutex
	var gets []string
	server.breaks(func(_ http.ResponseWriter, r *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if r.Method == http.MethodGet {
			gets = append(gets, r.Header.Get("Range"))
		}
		return false
	})
	f, size, err := store.Open(t.Context(), "a.mp3")
	require.NoError(t, err)
	require.EqualValues(t, len(text), size)
	at, err := f.Seek(0, io.SeekEnd)
	require.NoError(t, err)
	require.EqualValues(t, len(text), at)
	n, err := f.Read(make([]byte, 1))
	require.Equal(t, io.EOF, err)
	require.Zero(t, n)
	require.Empty(t, gets)
	_, err = f.Seek(-3, io.SeekCurrent)
	require.NoError(t, err)
	end, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, "789", string(end))
	_, err = f.Seek(0, io.SeekStart)
	require.NoError(t, err)
	all, err := io.ReadAll(f)
	require.NoError(t, err)
	require.Equal(t, text, string(all))
	_, err = f.Seek(-1, io.SeekStart)
	require.Error(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, []string{"bytes=9997-", ""}, gets)

	for header, want := range map[string]string{"": text, "bytes=5-8": "5678", "bytes=-2": "89", "bytes=9990-": text[:10]} {
		f, _, err := store.Open(t.Context(), "a.mp3")
		require.NoError(t, err)
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		request.Header.Set("Range", header)
		got := httptest.NewRecorder()
		got.Header().Set("Content-Type", "audio/mpeg")
		http.ServeContent(got, request, "", time.Time{}, f)
		require.NoError(t, f.Close())
		require.Equal(t, want, got.Body.String(), header)
	}
}

// TestReplacedWhileRead does not mix two files.
func TestReplacedWhileRead(t *testing.T) {
	store, _ := serve(t).open(t)
	create(t, store, "a.mp3", "first")
	f, _, err := store.Open(t.Context(), "a.mp3")
	require.NoError(t, err)
	create(t, store, "a.mp3", "other")
	_, err = io.ReadAll(f)
	require.ErrorIs(t, err, service.ErrFilesDown)
	require.NoError(t, f.Close())
}

func ExampleParse() {
	address, err := s3.Parse("s3://team-audio/voicewright?endpoint=https://s3.example.org&region=eu-central-1")
	fmt.Println(address.Bucket, address.Prefix, address.Endpoint, address.Region, err)
	// Output: team-audio voicewright https://s3.example.org eu-central-1 <nil>
}
