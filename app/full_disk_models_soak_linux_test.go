//go:build soak && whisper

package app_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/build/sound"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// fullKinds are the operations with audio that comes from outside.
func fullKinds(t *testing.T) []fullOperation {
	t.Helper()
	return []fullOperation{fullSample(t), fullRecording()}
}

// emptied deletes what a list has.
func emptied(list string) func(s *server) {
	return func(s *server) {
		for _, item := range s.items(list) {
			s.must("DELETE", list+"/"+item["id"].(string), "", "")
		}
	}
}

func fullSample(t *testing.T) fullOperation {
	t.Helper()
	clip, err := os.ReadFile(enginetest.ClipFile(t, "jfk.wav"))
	require.NoError(t, err)
	cloned := func(s *server) string {
		for _, p := range s.items("/profiles?limit=100&usable=all") {
			if p["name"] == "Cloned" {
				return "/profiles/" + p["id"].(string) + "/samples"
			}
		}
		s.t.Fatal("the profile is gone")
		return ""
	}
	return fullOperation{
		name: "sample of a voice",
		prepare: func(_ *fullTry, s *server) {
			s.must("POST", "/profiles", `{"name":"Cloned","cloned":true}`, "")
		},
		request: func(s *server) object {
			status, answer, err := s.try("POST", cloned(s), string(clip), "talk.wav", "consent=own_voice")
			return problemOf(s.t, status, answer, err)
		},
		undo: func(s *server) { emptied(cloned(s))(s) },
	}
}

// startSound starts a sound server, whose microphone is silent.
func startSound(t *testing.T) []string {
	t.Helper()
	speaker, err := sound.Start(context.WithoutCancel(t.Context()), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, speaker.Close()) })
	return speaker.Env()
}

// fullRecording records a second; what was recorded before the disk was full is kept.
func fullRecording() fullOperation {
	running := ""
	return fullOperation{
		name: "recording", env: startSound,
		request: func(s *server) object {
			made, problem := s.ask("POST", "/recordings", "{}", "")
			if problem != nil {
				return problem
			}
			running = "/recordings/" + made["id"].(string)
			for made["status"] == "recording" && made["seconds"].(float64) < 1 {
				time.Sleep(20 * time.Millisecond)
				made = s.must("GET", running, "", "")
			}
			if made["status"] == "recording" {
				if made, problem = s.ask("POST", running+"/stop", "", ""); problem != nil {
					return problem
				}
			}
			if failure, ok := made["error"].(object); ok {
				return failure
			}
			return nil
		},
		failed: func(s *server) { s.forget(&running) },
		undo:   func(s *server) { s.forget(&running) },
	}
}

// forget deletes what is at a path, if there is one.
func (s *server) forget(path *string) {
	if *path != "" {
		s.must("DELETE", *path, "", "")
		*path = ""
	}
}

// problemOf returns the problem of an answer, nil for a success.
func problemOf(t *testing.T, status int, answer string, err error) object {
	t.Helper()
	if err != nil {
		return object{"code": "connection", "detail": err.Error()}
	}
	if status < http.StatusMultipleChoices {
		return nil
	}
	problem := object{"code": answer}
	if strings.HasPrefix(answer, "{") {
		problem = parseJSON(t, answer)
	}
	problem["status"] = fmt.Sprint(status)
	return problem
}

// TestSoakFullDiskAtStart starts the program, on a new and on a full library, while the disk has room for 0, 1, 2, ... pages: it starts, or
// says that the disk is full.
func TestSoakFullDiskAtStart(t *testing.T) {
	u, s := newFullTry(t, fullOperation{})
	rows := s.known()
	s.signal(syscall.SIGTERM)
	fresh := &fullTry{user: newUser(t)}
	fresh.disk = programtest.Mount(t, fresh.data, fullDisk)
	for _, u := range []*fullTry{u, fresh} {
		started, refused := 0, 0
		for _, free := range programtest.FullPoints() {
			if u == fresh {
				require.NoError(t, removeContents(u.data))
			}
			u.disk.Leave(free)
			o := u.run("profiles", "list")
			u.disk.Enlarge()
			if o.code == exitDone {
				started++
			} else {
				refused++
				requireErrorLine(t, o.err, []string{"disk", "full"})
			}
			if started == 2 {
				break
			}
		}
		t.Logf("start: refused %d times, then done", refused)
		require.Equal(t, 2, started)
		requireWhole(t, filepath.Join(u.data, "voicewright.db"))
	}
	s = u.serve()
	require.Equal(t, rows, s.known())
}

func removeContents(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if err == nil {
			err = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
	return err
}
