package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
)

const (
	textAlone = `{"id":"x","status":"complete","speakers":[],"speakers_error":{"code":"model_not_downloaded","detail":"Speakers is not downloaded.","remedy":""}}`
	finding   = `{"id":"x","status":"complete","finding_speakers":{"status":"listening","progress":0.5}}`
	found     = `{"id":"x","status":"complete","speakers":[{"name":"Speaker 1"},{"name":"Speaker 2"}]}`
)

// transcribesAlone is a local API that has the text of each file, and its speakers once their model is downloaded.
func transcribesAlone(t *testing.T, download string) (f *fakeAPI, file string) {
	t.Helper()
	f = newFakeAPI(t)
	var downloaded, searched atomic.Bool
	f.on("POST /transcriptions", 202, `{"id":"x","status":"queued"}`)
	f.handle("GET /transcriptions/x/events", func(w http.ResponseWriter, _ *http.Request) {
		text := textAlone
		if searched.Load() {
			text = found
		}
		_, _ = fmt.Fprintf(w, "data: %s\n\n", text)
	})
	f.handle("GET /models/speakers", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"model_name":"speakers","display_name":"Speakers","size_mb":35,"downloaded":%t}`, downloaded.Load())
	})
	f.on("GET /system", 200, `{}`)
	f.on("POST /models/download", 202, `{"progress_url":"/progress"}`)
	f.handle("GET /progress", func(w http.ResponseWriter, _ *http.Request) {
		downloaded.Store(strings.Contains(download, "complete"))
		_, _ = fmt.Fprintf(w, "data: %s\n\n", download)
	})
	f.on("POST /models/speakers/pause", 200, `{}`)
	f.handle("POST /transcriptions/x/speakers", func(w http.ResponseWriter, _ *http.Request) {
		searched.Store(true)
		_, _ = fmt.Fprint(w, finding)
	})
	f.on("PATCH /transcriptions/x", 200, found)
	f.on("GET /transcriptions/x/export", 200, "The text.\n")
	file = filepath.Join(t.TempDir(), "talk.wav")
	require.NoError(t, os.WriteFile(file, []byte("sound"), 0o600))
	return f, file
}

// The model is downloaded once its absence is known, and the speakers are found as they were asked for.
func TestSpeakersAfterTheirDownload(t *testing.T) {
	t.Parallel()
	for flag, body := range map[string]string{"auto": `{"mode":"auto"}`, "AUTO": `{"mode":"auto"}`, "+3": `{"count":3,"mode":"number"}`} {
		f, file := transcribesAlone(t, `{"status":"complete"}`)
		code, out, errs := f.run("", "transcribe", file, "--speakers", flag, "--names", "Anna")
		require.Equal(t, exit.Done, code, errs)
		require.Equal(t, "The text.\n", out)
		require.Contains(t, errs, "Downloading speakers: Speakers (35 MB)\n")
		calls := f.called()
		require.Contains(t, calls, "POST /transcriptions/x/speakers "+body)
		require.Contains(t, calls, `PATCH /transcriptions/x {"speakers":[{"name":"Speaker 1","new_name":"Anna"}]}`)
	}
}

// Where the model cannot be had the text is there.
func TestTextWithoutTheModelOfSpeakers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ download, has string }{
		"failed":     {`{"status":"error","code":"download_failed","detail":"The hub is closed.","remedy":"Try later."}`, "The hub is closed. Try later."},
		"no network": {`{"status":"downloading","current":0,"total":9,"retry":{"network_lost":true}}`, "the model hub cannot be reached. Connect"},
	} {
		f, file := transcribesAlone(t, c.download)
		code, out, errs := f.run("", "transcribe", file, "--speakers", "auto")
		require.Equal(t, exit.Done, code, "%s: %s", name, errs)
		require.Equal(t, "The text.\n", out, name)
		require.Contains(t, errs, "talk.wav: the speakers were not found. ", name)
		require.Contains(t, errs, c.has, name)
	}
}

// Ctrl-C while the speakers are found ends that; a text that took hours stays.
func TestInterruptedSearchForSpeakers(t *testing.T) {
	t.Parallel()
	f := newFakeAPI(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.on("POST /transcriptions", 202, finding)
	f.handle("GET /transcriptions/x/events", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	f.on("POST /transcriptions/x/cancel", 200, found)
	file := filepath.Join(t.TempDir(), "talk.wav")
	require.NoError(t, os.WriteFile(file, []byte("sound"), 0o600))
	code, _, errs := f.runUntil(ctx, "", "transcribe", file)
	require.Equal(t, exit.Interrupted, code, errs)
	require.Equal(t, "POST /transcriptions/x/cancel", f.called()[len(f.called())-1], "and nothing is deleted")
}
