//go:build s3rver

package s3_test

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/s3"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// s3rverKey is the access key of s3rver, and its secret. It reads signatures of version 4, but does not compute them.
const s3rverKey = "S3RVER"

// startS3rver starts s3rver with an empty bucket, and returns its address. It ends with the test.
func startS3rver(t *testing.T) string {
	t.Helper()
	program := filepath.Join(enginetest.Root(t), "build", "lib", "s3rver", "node_modules", "s3rver", "bin", "s3rver.js")
	cmd := exec.CommandContext(t.Context(), "node", "--openssl-legacy-provider", program, // with which it makes the tokens of lists
		"--directory", t.TempDir(), "--address", "127.0.0.1", "--port", "0",
		"--no-vhost-buckets", "--configure-bucket", bucket)
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var problems strings.Builder
	cmd.Stderr = &problems
	require.NoError(t, cmd.Start(), "make objects-test installs what is needed")
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		_ = cmd.Wait()
	})
	address := make(chan string, 1)
	go func() {
		defer close(ended)
		defer close(address)
		for lines := bufio.NewScanner(output); lines.Scan(); { // also reads the rest, or the server would stand still
			if at, found := strings.CutPrefix(lines.Text(), "S3rver listening on "); found {
				address <- at
			}
		}
	}()
	at := <-address
	require.NotEmpty(t, at, "s3rver did not start: %s", &problems)
	return "http://" + at
}

// openS3rver returns an empty store of files on s3rver.
func openS3rver(t *testing.T, url, key string) *s3.Store {
	t.Helper()
	address, err := s3.Parse("s3://" + bucket + "/" + uuid.NewString() + "?endpoint=" + url)
	require.NoError(t, err)
	c, err := s3.NewCredentials(key, s3rverKey)
	require.NoError(t, err)
	return openWith(t, address, c, t.Output())
}

func TestS3rver(t *testing.T) {
	url := startS3rver(t)
	// Not all of storetest.RunFiles: s3rver shows an object to others while it writes it.
	t.Run("Files", func(t *testing.T) {
		store := openS3rver(t, url, s3rverKey)
		for _, text := range []string{"some audio", "", "other audio"} {
			for _, name := range []string{audioName(day, 1), preview, "-_AZaz09.pcm"} {
				create(t, store, name, text)
				require.Equal(t, text, read(t, store, name))
			}
		}
		require.Equal(t, []string{audioName(day, 1), "-_AZaz09.pcm"}, list(t, store))
		for range 2 {
			require.NoError(t, store.Delete(t.Context(), preview))
			_, _, err := store.Open(t.Context(), preview)
			require.ErrorIs(t, err, service.ErrNotFound)
		}
		broken := errors.New("encoder stopped")
		require.ErrorIs(t, store.Create(t.Context(), preview, func(w io.Writer) error {
			_, err := io.WriteString(w, long(1))
			return errors.Join(err, broken)
		}), broken)
		_, _, err := store.Open(t.Context(), preview)
		require.ErrorIs(t, err, service.ErrNotFound)
	})
	t.Run("Credentials", func(t *testing.T) {
		good, wrong := openS3rver(t, url, s3rverKey), openS3rver(t, url, "AKIAWRONG")
		require.NoError(t, good.Ready(t.Context()))
		require.ErrorIs(t, wrong.Ready(t.Context()), service.ErrFilesDown)
		for call, f := range calls(wrong) {
			err := f(t.Context())
			require.ErrorIs(t, err, service.ErrFilesDown, call)
			require.NotErrorIs(t, err, service.ErrNotFound, call)
			require.NotContains(t, err.Error(), "AKIAWRONG", call)
		}
	})
	t.Run("Long", func(t *testing.T) {
		store := openS3rver(t, url, s3rverKey)
		name := audioName(day, 1)
		text := long(2)
		create(t, store, name, text)
		require.True(t, text == read(t, store, name))
	})
	t.Run("Pages", func(t *testing.T) {
		store := openS3rver(t, url, s3rverKey)
		var want []string
		for n := range byte(7) {
			want = append(want, audioName(day.AddDate(0, 0, int(n)/2), n))
			create(t, store, want[n], "x")
		}
		create(t, store, preview, "x")
		for _, page := range []int{1, 3, 1000} {
			store.SetPage(page)
			require.ElementsMatch(t, want, list(t, store))
		}
	})
	t.Run("Range", func(t *testing.T) {
		store := openS3rver(t, url, s3rverKey)
		create(t, store, "a.mp3", "0123456789")
		for header, want := range map[string]string{"": "0123456789", "bytes=2-4": "234", "bytes=-2": "89"} {
			f, _, err := store.Open(t.Context(), "a.mp3")
			require.NoError(t, err)
			request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
			request.Header.Set("Range", header)
			got := httptest.NewRecorder()
			got.Header().Set("Content-Type", "audio/mpeg")
			http.ServeContent(got, request, "", time.Time{}, f)
			require.NoError(t, f.Close())
			require.Equal(t, want, got.Body.String())
		}
	})
	t.Run("Bucket", func(t *testing.T) {
		address, err := s3.Parse("s3://another-bucket/x?endpoint=" + url)
		require.NoError(t, err)
		c, err := s3.NewCredentials(s3rverKey, s3rverKey)
		require.NoError(t, err)
		store := openWith(t, address, c, t.Output())
		_, _, err = store.Open(t.Context(), "a.mp3")
		require.ErrorIs(t, err, service.ErrFilesDown, "a bucket that is missing is no file that was deleted")
		require.ErrorContains(t, store.Ready(t.Context()), "NoSuchBucket")
		store.Prepare(t.Context())
	})
}
