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
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/build/sound"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

// fullKinds are the operations with audio that comes from outside, with models and with secrets.
func fullKinds(t *testing.T) []fullOperation {
	t.Helper()
	return []fullOperation{
		fullTranscription(t), fullSpeakers(t), fullPrint(t), fullSample(t), fullRecording(), fullDictation(),
		fullDownload(), fullStream(), fullBook(), fullRestore(), fullSecret(), fullHosted(t),
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(content)
}

// importListeners imports a model that transcribes, and one that finds speakers.
func importListeners(t *testing.T) func(u *fullTry, s *server) {
	plain, toys := whispertest.Path(t, "plain"), diarizetest.Folder(t)
	return func(_ *fullTry, s *server) {
		s.must("POST", "/models/import", body("path", plain, "name", "plain"), "")
		s.must("POST", "/models/import", body("path", toys, "name", "toys"), "")
	}
}

// emptied deletes what a list has.
func emptied(list string) func(s *server) {
	return func(s *server) {
		path, _, _ := strings.Cut(list, "?")
		for _, item := range s.items(list) {
			s.must("DELETE", path+"/"+item["id"].(string), "", "")
		}
	}
}

// fullTranscription keeps the audio of a failure, so that it can be repeated.
func fullTranscription(t *testing.T) fullOperation {
	o := asking("transcription", "POST", at("/transcriptions"), readFile(t, enginetest.ClipFile(t, "jfk.wav")), "talk.wav")
	o.prepare, o.failed, o.undo = importListeners(t), emptied("/transcriptions?status=failed"), emptied("/transcriptions")
	return o
}

// talking makes a transcript of four people.
func talking(t *testing.T) func(u *fullTry, s *server) {
	listeners, tones := importListeners(t), readFile(t, diarizetest.Kit(t, "audio/tones.wav"))
	return func(u *fullTry, s *server) {
		listeners(u, s)
		made := s.must("POST", "/transcriptions", tones, "tones.wav")
		s.must("PATCH", "/transcriptions/"+made["id"].(string), `{"speakers":[{"name":"Speaker 1","new_name":"Anna"}]}`, "")
	}
}

func fullSpeakers(t *testing.T) fullOperation {
	return fullOperation{name: "speakers of a transcript", prepare: talking(t), request: func(s *server) object {
		made, problem := s.ask("POST", of("/transcriptions", "/transcriptions/ID/speakers")(s), `{"mode":"number","count":3}`, "")
		if failure, ok := made["speakers_error"].(object); ok {
			return failure
		}
		return problem
	}}
}

func fullPrint(t *testing.T) fullOperation {
	return fullOperation{name: "voice print", prepare: talking(t), undo: emptied("/speakers"), request: func(s *server) object {
		id := s.items("/transcriptions")[0]["id"]
		_, problem := s.ask("POST", "/speakers", body("transcription_id", id, "speaker", "Anna", "consent", "own_voice"), "")
		return problem
	}}
}

func fullSample(t *testing.T) fullOperation {
	clip := readFile(t, enginetest.ClipFile(t, "jfk.wav"))
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
			status, answer, err := s.try("POST", cloned(s), clip, "talk.wav", "consent=own_voice")
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

// fullDictation stores nothing: it works on a disk without room.
func fullDictation() fullOperation {
	return fullOperation{
		name: "dictation", env: startSound,
		prepare: func(u *fullTry, s *server) {
			s.must("POST", "/models/import", body("path", whispertest.Path(u.t, "plain"), "name", "plain"), "")
			s.must("PUT", "/settings", `{"dictation.enabled":true,"transcribe.model":"plain"}`, "")
		},
		request: func(s *server) object {
			if _, problem := s.ask("POST", "/dictation/start", "{}", ""); problem != nil {
				return problem
			}
			require.Eventually(s.t, func() bool {
				return s.must("GET", "/dictation", "", "")["status"] == "recording"
			}, testTimeout, 20*time.Millisecond)
			_, problem := s.ask("POST", "/dictation/stop", "{}", "")
			return problem
		},
	}
}

// fullDownload keeps what was fetched before the disk was full.
func fullDownload() fullOperation {
	const path = "/models/" + lessac
	remove := func(s *server) { s.must("DELETE", path, "", "") }
	return fullOperation{
		name: "download of a model",
		request: func(s *server) object {
			if _, problem := s.ask("POST", "/models/download", body("model_name", lessac, "accept_license", true), ""); problem != nil {
				return problem
			}
			for {
				m := s.must("GET", path, "", "")
				failure, failed := m["error"].(object)
				switch {
				case m["downloaded"] == true:
					return nil
				case failed && m["downloading"] == nil:
					return failure
				}
				time.Sleep(5 * time.Millisecond)
			}
		},
		failed: remove, undo: remove,
	}
}

// fullStream breaks off where the disk is full after its first sound: its row says why.
func fullStream() fullOperation {
	return fullOperation{name: "stream of speech", request: func(s *server) object {
		problem := speak(s, "/generate/stream", `{"profile_id":"PROFILE","text":"Hello there. How are you?"}`)
		if problem != nil && problem["code"] == "connection" {
			return awaitFull(s, "/generate/"+s.items("/history?limit=1")[0]["id"].(string), nil)
		}
		return problem
	}}
}

// fullBook makes a book and has it spoken; a book that could not be spoken stays.
func fullBook() fullOperation {
	return fullOperation{
		name: "book spoken",
		request: func(s *server) object {
			made, problem := s.ask("POST", "/books", "# One\n\nThe kettle sings.\n\n# Two\n\nNobody heard it.\n", "new.md")
			if problem != nil {
				return problem
			}
			path := "/books/" + made["id"].(string)
			if _, problem = s.ask("PATCH", path, body("title", "New", "options", object{"profile_id": s.firstProfile()}), ""); problem != nil {
				return problem
			}
			if _, problem = s.ask("POST", path+"/generate", "{}", ""); problem != nil {
				return problem
			}
			for _, ch := range bookChapters(s.awaitBook(path)) {
				if failure, ok := ch["error"].(object); ok {
					return failure
				}
				if ch["state"] != "done" {
					return object{"code": "a chapter is " + ch["state"].(string)}
				}
			}
			return nil
		},
		failed: deleteNewBooks, undo: deleteNewBooks,
	}
}

// deleteNewBooks deletes the books of fullBook.
func deleteNewBooks(s *server) {
	for _, b := range s.items("/books") {
		if b["title"] != "The Kettle" {
			s.must("DELETE", "/books/"+b["id"].(string), "", "")
		}
	}
}

// fullRestore replaces the library by itself.
func fullRestore() fullOperation {
	backup := ""
	return fullOperation{
		name: "restore",
		prepare: func(_ *fullTry, s *server) {
			status, content := s.request("GET", "/backup", "")
			require.Equal(s.t, http.StatusOK, status)
			backup = content
		},
		request: func(s *server) object {
			checked, problem := s.ask("POST", "/restore", backup, "library.zip")
			if problem != nil {
				return problem
			}
			if _, problem = s.ask("POST", "/restore/"+checked["id"].(string), "{}", ""); problem != nil {
				return problem
			}
			s.awaitRestored()
			if state := s.must("GET", "/restore", "", ""); state["undone"] == true {
				return object{"code": "restore_undone"}
			}
			return nil
		},
	}
}

func fullSecret() fullOperation {
	o := asking("secret in a file", "PUT", at("/hosted/key"), body("key", hostedtest.Key), "")
	o.prepare = func(_ *fullTry, s *server) {
		s.must("PUT", "/settings", `{"hosted.base_url":"http://127.0.0.1:9","secrets.allow_file":true}`, "")
	}
	o.undo = func(s *server) { s.must("DELETE", "/hosted/key", "", "") }
	o.failed = o.undo // a value that no entry names stays until the next change
	return o
}

// fullHosted keeps audio that was paid, for the generation that failed.
func fullHosted(t *testing.T) fullOperation {
	service := hostedtest.Start(t, hostedtest.Options{})
	o := speaking("speak with a hosted voice", `{"profile_id":"PROFILE","text":"Hello there.","voice":"hosted:`+hostedtest.VoiceID(0)+`"}`)
	o.prepare = func(_ *fullTry, s *server) {
		s.must("PUT", "/settings", body("hosted.base_url", service.URL, "hosted.enabled", true, "secrets.allow_file", true), "")
		s.must("PUT", "/hosted/key", body("key", hostedtest.Key), "")
		s.must("GET", "/hosted/voices", "", "")
	}
	o.failed = func(s *server) {
		for _, g := range s.items("/history?limit=100") { // a filter finds what is stored, which may be later than what is shown
			if g["status"] == "failed" {
				s.must("DELETE", "/history/"+g["id"].(string), "", "")
			}
		}
	}
	return o
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
