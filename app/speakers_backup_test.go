//go:build whisper

package app_test

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// A backup has the speakers of a transcript, who was heard when, what a person set and each step of undo, and they can be found again
// on another machine.
func TestBackupOfSpeakers(t *testing.T) {
	t.Parallel()
	u := newTranscriber(t, "plain")
	u.mustRun("models", "import", diarizetest.Folder(t), "--name", "toy")
	s := u.serve()
	sound := diarizetest.Tones(t, 0, 20)
	made := s.must("POST", "/transcriptions", string(audio.PCM16(audio.WAVHeader(engines.TranscriberRate, 1, uint32(2*len(sound))), sound)), "tones.wav")
	require.Len(t, made["speakers"], 3)
	path := "/transcriptions/" + made["id"].(string)
	first := made["segments"].([]any)[0].(object)["id"]
	s.must("PATCH", path, `{"speakers":[{"name":"Speaker 1","new_name":"Anna"},{"name":"Speaker 2","new_name":"Ben"}]}`, "")
	s.must("PATCH", path, fmt.Sprintf(`{"segments":[{"id":%v,"speaker":"Zoë"}]}`, first), "")
	before := s.must("GET", path, "", "")
	rttm := func(s *server) string {
		status, body := s.request("GET", path+"/export?format=rttm", "")
		require.Equal(t, 200, status, body)
		return body
	}
	spoken := rttm(s)
	storage := s.must("GET", "/history/storage", "", "")["transcripts"].(object)
	require.EqualValues(t, 1, storage["files"])
	require.EqualValues(t, 0, storage["missing"])
	u.mustRun("backup", "library.zip")
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))

	other := newUser(t).withEnv(oneThread, "HF_HUB_OFFLINE=1")
	other.mustRun("restore", filepath.Join(u.dir, "library.zip"))
	require.Contains(t, other.mustRun("doctor"), "ok       database")
	s = other.serve()
	after := s.must("GET", path, "", "")
	for _, name := range []string{"audio_path", "audio_url"} { // which are of the machine
		delete(before, name)
		delete(after, name)
	}
	require.Equal(t, before, after)
	require.Equal(t, spoken, rttm(s))
	require.Equal(t, storage, s.must("GET", "/history/storage", "", "")["transcripts"])
	status, answer := s.request("POST", path+"/speakers", `{"mode":"auto"}`, "Content-Type: application/json")
	require.GreaterOrEqual(t, status, 400)
	require.Equal(t, "offline", parseJSON(t, answer)["code"])
	failed := s.must("GET", path, "", "")["speakers_error"].(object)
	require.Equal(t, "offline", failed["code"])
	require.NotEmpty(t, failed["remedy"])

	other.mustRun("models", "import", diarizetest.Folder(t), "--name", "toy2")
	found := s.must("POST", path+"/speakers", `{"mode":"number","count":3}`, "")
	require.Nil(t, found["speakers_error"])
	require.Equal(t, "Zoë", found["segments"].([]any)[0].(object)["speaker"], "a person set it")
	for range 2 { // found again, and Zoë
		s.must("POST", path+"/undo", "", "")
	}
	undone := s.must("POST", path+"/undo", "", "") // the names
	require.Equal(t, made["speakers"], undone["speakers"])
	require.Equal(t, made["turns"], undone["turns"])
	require.Equal(t, false, undone["can_undo"])
}
