//go:build whisper

package app_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// killedSearch is a transcript whose speakers are found again and again by a program that is killed.
type killedSearch struct {
	*user
	random *rand.Rand
	server *server
	path   string // of the transcript in the API
	set    object // the line that a person set
	words  string
}

func newKilledSearch(t *testing.T, seed uint64) *killedSearch {
	k := &killedSearch{user: newTranscriber(t, "plain"), random: rand.New(rand.NewPCG(seed, 35))}
	k.mustRun("models", "import", diarizetest.Folder(t), "--name", "toy")
	tones, err := os.ReadFile(diarizetest.Kit(t, "audio/tones.wav"))
	require.NoError(t, err)
	k.server = k.serve()
	made := k.server.must("POST", "/transcriptions", string(tones), "tones.wav")
	require.Nil(t, made["speakers_error"])
	require.Len(t, made["speakers"], 4)
	k.path = "/transcriptions/" + made["id"].(string)
	first := made["segments"].([]any)[0].(object)
	k.server.must("PATCH", k.path, fmt.Sprintf(
		`{"title":"Tones","segments":[{"id":%v,"speaker":"Zoë"}],"speakers":[{"name":"Speaker 4","new_name":"Dora"}]}`, first["id"]), "")
	now := k.server.must("GET", k.path, "", "")
	k.set = now["segments"].([]any)[0].(object)
	require.Equal(t, "Zoë", k.set["speaker"])
	k.words = words(now)
	return k
}

// words returns the words of a transcript, whose segments a search cuts and joins.
func words(transcript object) string {
	return strings.Join(strings.Fields(transcript["text"].(string)), " ")
}

// kill kills the program at a random moment of a search, starts it again and looks at what there is. It returns a line about it.
func (k *killedSearch) kill() string {
	k.t.Helper()
	bodies := []string{`{}`, `{"mode":"number","count":3}`, `{"mode":"auto","count":2}`, `{"reassign":true}`, `{"mode":"off"}`}
	delay := time.Duration(k.random.IntN(1500)) * time.Millisecond
	timer := time.AfterFunc(delay, func() { _ = k.server.cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	searches, seen, body := 0, "nothing", ""
	for {
		body = bodies[k.random.IntN(len(bodies))]
		status, answer, err := k.server.try("POST", k.path+"/speakers", body, "")
		if err != nil {
			break
		}
		require.Equal(k.t, http.StatusOK, status, answer) // it waits for the end
		searches++
		seen = fmt.Sprintf("%d speakers", len(parseJSON(k.t, answer)["speakers"].([]any)))
	}
	require.Equal(k.t, -1, k.server.wait())
	left := k.unfinished()
	require.Contains(k.t, k.mustRun("doctor"), "ok       database")
	k.server = k.serve()
	now := k.server.must("GET", k.path, "", "")
	k.same(now)
	require.Empty(k.t, k.unfinished())
	failure := "none"
	if e := now["speakers_error"]; e != nil {
		failure = e.(object)["code"].(string)
		require.Equal(k.t, "interrupted", failure)
		require.NotEmpty(k.t, e.(object)["remedy"])
	}
	if status, answer, err := k.server.try("POST", k.path+"/speakers", `{"mode":"number","count":4}`, ""); err != nil || status != http.StatusOK {
		require.Fail(k.t, "the speakers are not found again", "%v %s", err, answer)
	}
	now = k.server.must("GET", k.path, "", "")
	require.Nil(k.t, now["speakers_error"])
	require.GreaterOrEqual(k.t, len(now["speakers"].([]any)), 4)
	k.same(now)
	return fmt.Sprintf("%4d ms, in search %2d %-30s  before %-10s  files left %v, error %s", delay.Milliseconds(), searches+1, body, seen, left, failure)
}

// same requires what a search never changes: the words, the title and what a person set.
func (k *killedSearch) same(now object) {
	k.t.Helper()
	require.Equal(k.t, "complete", now["status"])
	require.Equal(k.t, "Tones", now["title"])
	require.Equal(k.t, k.words, words(now))
	require.Equal(k.t, k.set, now["segments"].([]any)[0])
	require.FileExists(k.t, now["audio_path"].(string))
	require.Nil(k.t, now["finding_speakers"])
}

// unfinished returns the sizes of the files of searches that did not end.
func (k *killedSearch) unfinished() (sizes []int64) {
	k.t.Helper()
	files, err := filepath.Glob(filepath.Join(k.data, "transcripts", "unfinished", "*"))
	require.NoError(k.t, err)
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(k.t, err)
		sizes = append(sizes, info.Size())
	}
	return sizes
}

// killSearches kills the program n times while it finds speakers.
func killSearches(t *testing.T, n int, seed uint64) {
	t.Helper()
	t.Logf("seed %d", seed)
	k := newKilledSearch(t, seed)
	for range n {
		t.Log(k.kill())
	}
	require.Equal(t, exitDone, k.server.signal(syscall.SIGTERM), k.server.err.String())
	require.Contains(t, k.mustRun("doctor"), "ok       database")
}

// TestKillSpeakers kills the program at some random moments of searches for speakers: the text and what a person set stay.
func TestKillSpeakers(t *testing.T) {
	t.Parallel()
	killSearches(t, 3, 1)
}
