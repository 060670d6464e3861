package app_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killedBook is a book in a library whose program is killed again and again.
type killedBook struct {
	*user
	random   *rand.Rand
	server   *server
	path     string // of the book in the API
	chapters int    // in the file, each time it is sent one more
	edits    int
	changes  int              // of what may be spoken meanwhile
	words    []string         // of edits since the last update that were answered
	spoken   string           // file with a line for each text that espeak-ng was given
	touched  map[string]bool  // chapters that the work changes
	edited   map[string]bool  // since the file was last sent
	bodies   map[float64]bool // how many words the book may have
}

// killedWork is what the program does when it is killed: work runs until it cannot reach the program any longer.
type killedWork struct {
	name    string
	prepare func(k *killedBook)
	work    func(k *killedBook) error
}

// killedWorks returns each kind of work with books.
func killedWorks() []killedWork {
	return []killedWork{
		{"generate", (*killedBook).addChapters, (*killedBook).look},
		{"edit", (*killedBook).addChapters, (*killedBook).edit},
		{"export", (*killedBook).finish, (*killedBook).export},
		{"update", (*killedBook).generate, (*killedBook).update},
		{"cut", (*killedBook).addChapters, (*killedBook).cut},
		{"another", (*killedBook).generate, (*killedBook).another},
	}
}

func newKilledBook(t *testing.T, seed uint64) *killedBook {
	real, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	k := &killedBook{user: newUser(t), random: rand.New(rand.NewPCG(seed, 34)), chapters: 5}
	dir := t.TempDir()
	k.spoken = filepath.Join(dir, "spoken")
	script := `#!/bin/sh
case "$*" in *--stdin*--stdout*) ;; *) exec ` + real + ` "$@" ;; esac
text=$(cat)
printf '%s\n' "$(printf '%s' "$text" | tr '\n' ' ')" >>` + k.spoken + `
printf '%s' "$text" | exec ` + real + ` "$@"
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "espeak-ng"), []byte(script), 0o700))
	k.user = k.withEnv("PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"))
	k.server = k.serve()
	made := k.server.must("POST", "/books", killedText(k.chapters), "kettle.md")
	k.path = "/books/" + made["id"].(string)
	k.server.must("PATCH", k.path, `{"title":"The Kettle","options":{"profile_id":"`+k.server.firstProfile()+`"}}`, "")
	k.server.must("PUT", k.path+"/cover", string(testCover(t)), "a.png")
	return k
}

// killedParagraphs is how many paragraphs a chapter has.
const killedParagraphs = 6

// killedText returns a book in which no two sentences are the same.
func killedText(chapters int) string {
	var text strings.Builder
	for i := range chapters {
		fmt.Fprintf(&text, "# Chapter %d\n\n", i+1)
		for n := range killedParagraphs {
			fmt.Fprintf(&text, "The kettle sings for hour %d of day %d. Nobody heard hour %d of day %d [%d] there.\n\n", n+1, i+1, n+1, i+1, n+1)
		}
	}
	return text.String()
}

func testCover(t *testing.T) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 600, 600))))
	return out.Bytes()
}

func (k *killedBook) book() object { return k.server.must("GET", k.path, "", "") }

// generate has everything generated that is not.
func (k *killedBook) generate() { k.server.must("POST", k.path+"/generate", "{}", "") }

// addChapters sends a file with more chapters, and has them generated.
func (k *killedBook) addChapters() {
	k.chapters += 3
	k.server.must("POST", k.path+"/update", killedText(k.chapters), "kettle.md")
	k.words, k.edited = nil, map[string]bool{}
	k.generate()
}

// finish waits until everything is generated.
func (k *killedBook) finish() {
	k.generate()
	require.Eventually(k.t, func() bool { return k.book()["generating"] == false }, testTimeout, 5*time.Millisecond)
	for _, ch := range bookChapters(k.book()) {
		require.Equal(k.t, "done", ch["state"], ch)
	}
}

// answered makes requests until one has no answer.
func (k *killedBook) answered(method, path, body, file string) (object, error) {
	status, answer, err := k.server.try(method, path, body, file)
	if err != nil {
		return nil, err
	}
	require.Less(k.t, status, 300, "%s %s: %s", method, path, answer)
	if method != http.MethodGet {
		k.changes++
	}
	if answer == "" || answer[0] != '{' {
		return nil, nil
	}
	return parseJSON(k.t, answer), nil
}

func (k *killedBook) look() error {
	_, err := k.answered("GET", k.path, "", "")
	return err
}

// edit changes a word of a chapter.
func (k *killedBook) edit() error {
	b, err := k.answered("GET", k.path, "", "")
	if err != nil {
		return err
	}
	all := bookChapters(b)
	ch := all[k.random.IntN(len(all))]["id"].(string)
	k.touched[ch], k.edited[ch] = true, true
	k.edits++
	word := fmt.Sprintf("Number%d", k.edits)
	block := 1 + k.edits%killedParagraphs
	if slices.ContainsFunc(k.words, func(w string) bool { return strings.HasPrefix(w, fmt.Sprint(ch, " ", block, " ")) }) {
		return nil // an edit that is edited again is not looked for
	}
	text := fmt.Sprintf(`{"text":"The kettle sings for %s of a day. Nobody heard %s [9] there."}`, word, word)
	_, err = k.answered("PATCH", fmt.Sprint(k.path, "/chapters/", ch, "/blocks/", block), text, "")
	if err == nil {
		k.words = append(k.words, fmt.Sprint(ch, " ", block, " ", word))
	}
	return err
}

func (k *killedBook) export() error {
	_, err := k.answered("GET", k.path+"/export", "", "")
	return err
}

// update sends the file with a chapter more.
func (k *killedBook) update() error {
	k.chapters++
	k.words = nil
	maps.Copy(k.touched, k.edited) // they become as in the file
	k.bodies[0] = true             // until it is known whether it was replaced
	if _, err := k.answered("POST", k.path+"/update", killedText(k.chapters), "kettle.md"); err != nil {
		return err
	}
	_, err := k.answered("POST", k.path+"/generate", "{}", "")
	return err
}

// cut splits a chapter, joins it again, moves one and takes that back.
func (k *killedBook) cut() error {
	b, err := k.answered("GET", k.path, "", "")
	if err != nil {
		return err
	}
	all := bookChapters(b)
	ch := all[k.random.IntN(len(all)-1)]["id"].(string)
	k.touched[ch] = true
	for _, step := range []struct{ path, body string }{
		{"/chapters/" + ch + "/split", `{"block":3}`},
		{"/chapters/" + ch + "/merge", ""},
		{"/chapters/" + ch + "/move", `{"to":0}`},
		{"/undo", ""},
	} {
		if _, err := k.answered("POST", k.path+step.path, step.body, ""); err != nil {
			return err
		}
	}
	return nil
}

// another makes another book with a cover, and deletes it.
func (k *killedBook) another() error {
	b, err := k.answered("POST", "/books", killedText(3), "other.md")
	if err != nil {
		return err
	}
	path := "/books/" + b["id"].(string)
	if _, err = k.answered("PUT", path+"/cover", string(testCover(k.t)), "a.png"); err != nil {
		return err
	}
	_, err = k.answered("DELETE", path, "", "")
	return err
}

// killedState is a book at a moment.
type killedState struct {
	done  map[string]any // the generations of finished chapters
	want  []string       // chapters that wait to be generated
	count int
	text  string
}

func stateOf(b object) killedState {
	s := killedState{done: map[string]any{}}
	progress := 0.0
	for _, ch := range bookChapters(b) {
		id := ch["id"].(string)
		if ch["state"] == "done" {
			s.done[id] = ch["generations"]
		}
		if ch["wanted"] == true {
			s.want = append(s.want, id)
			progress = max(progress, ch["progress"].(float64))
		}
		s.count++
	}
	s.text = fmt.Sprintf("%2d of %2d done, %2d wait", len(s.done), s.count, len(s.want))
	if progress > 0 && progress < 1 {
		s.text += fmt.Sprintf(", one at %2.0f %%", 100*progress)
	}
	return s
}

// kill kills the program at a random moment of work, starts it again and looks at what there is.
func (k *killedBook) kill(w killedWork) string {
	k.t.Helper()
	k.touched = map[string]bool{}
	w.prepare(k)
	b := k.book()
	before := stateOf(b)
	k.bodies = map[float64]bool{b["words"].(object)["body"].(float64): true}
	again := k.repeated()
	delay := time.Duration(k.random.IntN(900)) * time.Millisecond
	timer := time.AfterFunc(delay, func() { _ = k.server.cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	rounds := 0
	for w.work(k) == nil {
		rounds++
	}
	require.Equal(k.t, -1, k.server.wait())
	require.Contains(k.t, k.mustRun("doctor"), "ok       database", w.name)
	k.server = k.serve()
	b = k.book()
	after := stateOf(b)
	k.compare(w.name, before, after, b)
	return fmt.Sprintf("%-8s  %3d ms, %3d times  %-35s  %-35s  %d",
		w.name, delay.Milliseconds(), rounds, before.text, after.text, k.repeated()-again)
}

// compare requires that nothing of a book was lost by a kill.
func (k *killedBook) compare(work string, before, after killedState, b object) {
	k.t.Helper()
	for id, generations := range before.done {
		if !k.touched[id] {
			require.Equal(k.t, generations, after.done[id], "%s: a finished chapter", work)
		}
	}
	for _, id := range before.want {
		require.True(k.t, k.touched[id] || after.done[id] != nil || slices.Contains(after.want, id), "%s: generating goes on", work)
	}
	body := b["words"].(object)["body"].(float64)
	if k.bodies[0] {
		require.GreaterOrEqual(k.t, after.count, before.count, work)
		k.bodies = map[float64]bool{body: true}
	}
	if work != "edit" { // which change how many words there are
		require.True(k.t, k.bodies[body], "%s: %v words of %v", work, body, k.bodies)
	}
	for _, edited := range k.words {
		part := strings.Fields(edited)
		text := k.server.must("GET", k.path+"/chapters/"+part[0], "", "")
		raw := fmt.Sprint(text["blocks"])
		require.Contains(k.t, raw, part[2], "%s: an edit that was answered", work)
	}
	for _, ch := range bookChapters(b) {
		for _, id := range ch["generations"].([]any) {
			g := k.server.must("GET", "/history/"+id.(string), "", "")
			if g["status"] == "complete" {
				raw, err := os.ReadFile(g["audio_path"].(string))
				require.NoError(k.t, err, work)
				sum := sha256.Sum256(raw)
				require.Equal(k.t, g["receipt"].(object)["audio_sha256"], hex.EncodeToString(sum[:]), work)
			}
		}
	}
}

// repeated returns how many texts were spoken more than once.
func (k *killedBook) repeated() int {
	raw, err := os.ReadFile(k.spoken)
	if errors.Is(err, fs.ErrNotExist) {
		return 0
	}
	require.NoError(k.t, err)
	lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	slices.Sort(lines)
	return len(lines) - len(slices.Compact(lines))
}

// end finishes the book and looks for what was left behind.
func (k *killedBook) end() {
	k.t.Helper()
	k.finish()
	status, _, err := k.server.try("GET", k.path+"/export", "", "")
	require.NoError(k.t, err)
	require.Equal(k.t, http.StatusOK, status)
	known := map[string]bool{"lock": true, "server.json": true, "token": true, "voicewright.db": true, "voicewright.db-wal": true, "voicewright.db-shm": true}
	for _, b := range k.server.must("GET", "/books", "", "")["items"].([]any) {
		if b := b.(object); b["has_cover"] == true {
			known["books/"+b["id"].(string)] = true
		}
	}
	for _, g := range k.server.must("GET", "/history?limit=200", "", "")["items"].([]any) {
		path, err := filepath.Rel(k.data, g.(object)["audio_path"].(string))
		require.NoError(k.t, err)
		known[filepath.ToSlash(path)] = true
	}
	require.Eventually(k.t, func() bool { return len(k.leftover(known)) == 0 }, testTimeout, 10*time.Millisecond, "%v", k.leftover(known))
	require.Equal(k.t, exitDone, k.server.signal(syscall.SIGTERM), k.server.err.String())
	require.Contains(k.t, k.mustRun("doctor"), "ok       database")
}

// leftover returns the files of the library that nothing needs.
func (k *killedBook) leftover(known map[string]bool) (names []string) {
	k.t.Helper()
	err := filepath.WalkDir(k.data, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(k.data, path)
		if name = filepath.ToSlash(name); err == nil && !d.IsDir() && !known[name] && !known[filepath.ToSlash(filepath.Dir(name))] {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		names = append(names, err.Error()) // it was removed meanwhile
	}
	return names
}

// killBook kills the program n times while it works on a book.
func killBook(t *testing.T, n int, seed uint64) {
	t.Helper()
	t.Logf("seed %d", seed)
	k := newKilledBook(t, seed)
	works := killedWorks()
	t.Logf("%-8s  %-18s  %-35s  %-35s  %s", "work", "killed after", "before", "after the restart", "spoken twice")
	for i := range n {
		t.Log(k.kill(works[i%len(works)]))
	}
	k.end()
	require.LessOrEqual(t, k.repeated(), 4*(n+k.changes), "a kill and a change repeat what is spoken at that moment")
}

// TestKillBook kills the program at some random moments of the life of a book: nothing is lost, and nothing is left over.
func TestKillBook(t *testing.T) {
	t.Parallel()
	killBook(t, len(killedWorks()), 1)
}
