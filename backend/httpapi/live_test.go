package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestLive(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	s := newStudio(t, studioOptions{voice: newScripted(func(ctx context.Context, n int) error {
		if n == 0 {
			return nil
		}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	})})
	open := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(open)
	body := s.fill(`{"profile_id":"{profile}","text":"One two three. Four five.","normalize":false}`)
	id := s.do("POST", "/generate", body, "Prefer: respond-async").object(t)["id"].(string)
	path := s.srv.URL + "/generate/" + id + "/live"

	part := s.do("GET", "/generate/"+id+"/live?from=0.1&seconds=0.25", "")
	require.Equal(t, 200, part.StatusCode, part.body)
	require.Equal(t, "audio/pcm", part.Header.Get("Content-Type"))
	require.Equal(t, "8000", part.Header.Get("X-Sample-Rate"))
	require.Equal(t, "1", part.Header.Get("X-Channels"))
	require.Len(t, part.body, 4000)
	require.Equal(t, 401, s.do("GET", "/generate/"+id+"/live", "", "-Authorization").StatusCode)
	for _, query := range []string{"?from=-1", "?from=NaN", "?seconds=x"} {
		require.Equal(t, 422, s.do("GET", "/generate/"+id+"/live"+query, "").StatusCode, query)
	}

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	begin := make([]byte, 5600)
	_, err = io.ReadFull(resp.Body, begin)
	require.NoError(t, err, "it is heard while it is made")
	require.Equal(t, part.body, string(begin[1600:]))
	var peaks object
	require.Eventually(t, func() bool {
		a := s.do("GET", "/generate/"+id+"/live/peaks?from=0.2", "")
		require.Equal(t, 200, a.StatusCode, a.body)
		peaks = a.object(t)
		return len(peaks["chunks"].([]any)) > 0
	}, testTimeout, 5*time.Millisecond)
	requireShape(t, map[string]string{
		"seconds": "number", "from": "number", "per_second": "integer", "peaks": "array", "chunks": "array",
	}, peaks)
	require.Equal(t, "0.2", fmt.Sprint(peaks["from"]))
	open()
	remaining, err := io.ReadAll(resp.Body)
	require.NoError(t, err)

	g := s.follow(id)
	file, err := os.ReadFile(g["audio_path"].(string))
	require.NoError(t, err)
	require.Equal(t, string(file[44:]), string(begin)+string(remaining), "the stored file has the samples that were heard")
	ended := s.do("GET", "/generate/"+id+"/live?from=0.5", "")
	require.Equal(t, 204, ended.StatusCode)
	require.Empty(t, ended.body)
	ended = s.do("GET", "/generate/"+id+"/live/peaks", "")
	require.Equal(t, 200, ended.StatusCode)
	require.JSONEq(t, `{"seconds":0,"from":0,"per_second":10,"peaks":[],"chunks":[]}`, ended.body)
}

// TestLiveBreaks ends the audio of a generation that is cancelled so that the listener can tell.
func TestLiveBreaks(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: blocked()})
	id := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"One. Two."}`), "Prefer: respond-async").object(t)["id"].(string)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.srv.URL+"/generate/"+id+"/live", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, s.do("POST", "/generate/"+id+"/cancel", "").StatusCode)
	_, err = io.Copy(io.Discard, resp.Body)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NoError(t, resp.Body.Close())
	for _, tail := range []string{"", "/peaks"} {
		ended := s.do("GET", "/generate/"+id+"/live"+tail, "")
		require.Equal(t, 409, ended.StatusCode)
		require.Equal(t, "not_in_progress", ended.object(t)["code"])
	}
}
