//go:build soak && whisper

package app_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
