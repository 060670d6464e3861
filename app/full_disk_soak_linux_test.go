//go:build soak && whisper

package app_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

// fullOperation is something that writes.
type fullOperation struct {
	name string
	// env returns what the program needs in its environment; nil: nothing.
	env func(t *testing.T) []string
	// prepare makes what the request needs, while there is room; nil: nothing.
	prepare func(u *fullTry, s *server)
	// request makes it and returns the error that the program told, nil where it is done.
	request func(s *server) (problem object)
	// undo removes what a success made, so that the next one is the same; nil where nothing is in the way.
	undo func(s *server)
	// failed removes what a failure keeps so that it can be repeated; nil where it keeps nothing.
	failed func(s *server)
	// parts is true where some of it may be done before the rest is refused: turns of a script that were spoken stay.
	parts bool
}

// fullDisk is the size of the disk while there is room.
const fullDisk = "200m"

// fullTry is a library on a small disk.
type fullTry struct {
	*user
	disk *programtest.Disk
}

// newFullTry returns a library with something of each kind.
func newFullTry(t *testing.T, o fullOperation) (u *fullTry, s *server) {
	t.Helper()
	user, _ := newUserWithHub(t)
	u = &fullTry{user: user.withEnv(oneThread)}
	u.disk = programtest.Mount(t, u.data, fullDisk)
	u.env = append(u.env, "TMPDIR="+u.data)
	if o.env != nil {
		u.env = append(u.env, o.env(t)...)
	}
	s = u.serve()
	s.must("POST", "/drafts", `{"name":"Kept","content":{"text":"A draft."}}`, "")
	s.must("POST", "/pronunciations", `{"word":"kept","respelling":"kept"}`, "")
	s.must("POST", "/profiles", `{"name":"Kept"}`, "")
	s.must("POST", "/generate", `{"profile_id":"`+s.firstProfile()+`","text":"Kept one. Kept two."}`, "")
	s.generateBook(s.makeBook("# One\n\nKept chapter.\n"), "{}")
	if o.prepare != nil {
		o.prepare(u, s)
	}
	return u, s
}

// known returns the rows that the program has told of, without those of the generations that failed for want of space.
func (s *server) known() (rows []string) {
	for _, list := range []string{
		"/history?limit=100&status=complete", "/profiles?limit=100", "/drafts", "/pronunciations", "/scripts",
		"/transcriptions?status=complete", "/books", "/speakers",
	} {
		for _, item := range s.items(list) {
			name := item["name"]
			for _, field := range []string{"text", "word", "title"} {
				if name == nil {
					name = item[field]
				}
			}
			rows = append(rows, fmt.Sprint(list, " ", item["id"], " ", name))
		}
	}
	slices.Sort(rows)
	return rows
}

// keptAside are the files that the program writes when it likes.
var keptAside = []string{"speeds.json", "hosted/voices.json"}

// stored returns the files of the data directory with hashes, without the database and what a program may keep for the next run.
func (u *fullTry) stored() map[string]string {
	found := map[string]string{}
	err := filepath.WalkDir(u.data, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(u.data, path)
		if err != nil || d.IsDir() || strings.HasPrefix(name, "voicewright.db") ||
			strings.HasSuffix(name, ".journal") || strings.HasSuffix(name, ".lock") || slices.Contains(keptAside, name) {
			return err
		}
		content, err := os.ReadFile(path)
		found[name] = fmt.Sprintf("%x", sha256.Sum256(content))[:12]
		return err
	})
	require.NoError(u.t, err)
	return found
}

// TestSoakFullDisk requests everything that writes while the disk has room for 0, 1, 2, ... pages, until it succeeds. Each time the
// program says so, loses nothing that it told of, leaves no file, and does the same as soon as there is room.
func TestSoakFullDisk(t *testing.T) {
	for _, o := range fullOperations(t) {
		t.Run(strings.ReplaceAll(o.name, " ", "_"), func(t *testing.T) {
			u, s := newFullTry(t, o)
			done := 0
			refused := map[string]int{}
			for _, free := range programtest.FullPoints() {
				s.signal(syscall.SIGTERM) // which empties the log of the database
				s = u.serve()
				if code := u.try(s, o, free); code == "" {
					done++
				} else {
					refused[code]++
				}
				if o.undo != nil {
					o.undo(s)
				}
				if done == 2 {
					break
				}
			}
			s.signal(syscall.SIGTERM)
			requireWhole(t, filepath.Join(u.data, "voicewright.db"))
			t.Logf("%-22s refused %v, then done", o.name, refused)
			require.Equal(t, 2, done)
		})
	}
}

// try makes a request with so many bytes free, and again with room. It returns the code of the error, "" for a success.
func (u *fullTry) try(s *server, o fullOperation, free int64) (code string) {
	t := u.t
	rows, files := s.known(), u.stored()
	u.disk.Leave(free)
	problem := o.request(s)
	status, _ := s.request("GET", "/health", "")
	u.disk.Enlarge()
	require.Equal(t, http.StatusOK, status)
	for _, row := range rows {
		require.Contains(t, s.known(), row, "%d bytes free", free)
	}
	if problem == nil {
		return ""
	}
	if o.failed != nil {
		o.failed(s)
	}
	if status := problem["status"]; problem["code"] != "insufficient_disk" || problem["remedy"] == "" || status != nil && status != "507" {
		t.Errorf("%d bytes free: %v", free, problem)
	}
	if now := s.known(); !o.parts && !slices.Equal(rows, now) {
		t.Errorf("%d bytes free: refused, and there is\n%s\nof\n%s", free, strings.Join(now, "\n"), strings.Join(rows, "\n"))
	}
	if now := u.stored(); !o.parts && !maps.Equal(files, now) {
		t.Errorf("%d bytes free: refused, and there are other files: %v, %v", free, difference(now, files), difference(files, now))
	}
	if problem := o.request(s); problem != nil {
		t.Errorf("after %d bytes were free: %v", free, problem)
	}
	return fmt.Sprint(problem["code"])
}

func difference(a, b map[string]string) (names []string) {
	for name, hash := range a {
		if b[name] != hash {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// requireWhole checks a database.
func requireWhole(t *testing.T, path string) {
	t.Helper()
	db := sqlitetest.Raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	var result string
	require.NoError(t, db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&result))
	require.Equal(t, "ok", result)
}

// ask makes a request and returns its problem.
func (s *server) ask(method, path, body, file string) (object, object) {
	s.t.Helper()
	status, answer, err := s.try(method, path, body, file)
	var o object
	if err == nil && status < http.StatusMultipleChoices && strings.HasPrefix(answer, "{") {
		o = parseJSON(s.t, answer)
	}
	return o, problemOf(s.t, status, answer, err)
}

// asking returns an operation of one request.
func asking(name, method string, path func(s *server) string, body, file string) fullOperation {
	return fullOperation{name: name, request: func(s *server) object {
		_, problem := s.ask(method, path(s), body, file)
		return problem
	}}
}

// at returns the same path for each server.
func at(path string) func(*server) string { return func(*server) string { return path } }

// of returns a path with the id of the first item of a list.
func of(list, path string) func(*server) string {
	return func(s *server) string {
		items := s.items(list)
		return strings.Replace(path, "ID", items[len(items)-1]["id"].(string), 1)
	}
}

// speak makes a generation and waits for it.
func speak(s *server, path, request string) object {
	_, problem := s.ask("POST", path, strings.Replace(request, "PROFILE", s.firstProfile(), 1), "")
	return problem
}

func speaking(name, request string) fullOperation {
	return fullOperation{name: name, request: func(s *server) object { return speak(s, "/generate", request) }}
}

// fullRequests are the operations of one request.
func fullRequests(t *testing.T) []fullOperation {
	t.Helper()
	model, err := filepath.Abs(filepath.Join("testdata", "en_US-tone-medium"))
	require.NoError(t, err)
	imported := asking("model from a folder", "POST", at("/models/import"), `{"path":"`+model+`"}`, "")
	imported.undo = func(s *server) { s.must("DELETE", "/models/en_US-tone-medium", "", "") }
	const complete = "/history?limit=100&status=complete&of_book=false"
	return []fullOperation{
		asking("take of a passage", "POST", of(complete, "/generate/ID/chunks/0/regenerate"), `{}`, ""),
		asking("level of a generation", "POST", of(complete, "/generate/ID/level"), `{"normalize":false}`, ""),
		asking("export to MP3", "GET", of(complete, "/history/ID/export?format=mp3"), "", ""),
		asking("export to WAV", "GET", of(complete, "/history/ID/export?format=wav"), "", ""),
		asking("export to SRT", "GET", of(complete, "/history/ID/export?format=srt"), "", ""),
		asking("draft", "POST", at("/drafts"), `{"name":"New","content":{"text":"`+strings.Repeat("text ", 2000)+`"}}`, ""),
		asking("draft saved", "PUT", of("/drafts", "/drafts/ID"), `{"content":{"text":"`+strings.Repeat("more ", 2000)+`"}}`, ""),
		asking("settings", "PUT", at("/settings"), `{"models.idle_unload":"12m"}`, ""),
		asking("words", "POST", at("/pronunciations/import"), `[{"word":"kettle","respelling":"ket el"}]`, ""),
		asking("book from a file", "POST", at("/books"), "# One\n\nThe kettle sings.\n\n# Two\n\nNobody heard it.\n", "kettle.md"),
		asking("cover of a book", "PUT", of("/books", "/books/ID/cover"), string(testCover(t)), "a.png"),
		asking("book to M4B", "GET", of("/books", "/books/ID/export"), "", ""),
		asking("backup", "GET", at("/backup"), "", ""),
		imported,
	}
}

func fullOperations(t *testing.T) []fullOperation {
	t.Helper()
	return append(append(fullRequests(t), fullKinds(t)...),
		speaking("speak a WAV file", `{"profile_id":"PROFILE","text":"Hello there. How are you?"}`),
		speaking("speak an MP3 file", `{"profile_id":"PROFILE","text":"Hello there.","format":"mp3"}`),
		fullOperation{name: "text changed", request: func(s *server) object {
			path := of("/history?limit=100&status=complete&of_book=false", "/generate/ID")(s)
			_, problem := s.ask("POST", path+"/revise", `{"text":"Kept one. Kept three."}`, "")
			return awaitFull(s, path, problem)
		}},
		fullOperation{name: "script", parts: true, request: func(s *server) object {
			made, problem := s.ask("POST", "/script", `{"title":"New","turns":[{"profile_id":"`+s.firstProfile()+`","text":"One."},{"profile_id":"`+
				s.firstProfile()+`","text":"Two."}]}`, "")
			if problem == nil {
				_, problem = s.ask("POST", "/scripts/"+made["id"].(string)+"/join", "{}", "")
			}
			return problem
		}},
	)
}

// awaitFull waits until a generation has ended and returns why it failed.
func awaitFull(s *server, path string, problem object) object {
	for problem == nil {
		g := s.must("GET", path, "", "")
		switch failure := g["error"].(type) {
		case object:
			return failure
		default:
			if g["status"] == "complete" {
				return nil
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	return problem
}
