package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// spokenTexts is how many texts espeak-ng was given.
func (k *killedBook) spokenTexts() int {
	raw, err := os.ReadFile(k.spoken)
	require.NoError(k.t, err)
	return strings.Count(string(raw), "\n")
}

// TestOnlyWhatChangedIsSpoken goes the way of a finished book that is changed again and again: over the API and by commands, only the
// passages that changed are spoken.
func TestOnlyWhatChangedIsSpoken(t *testing.T) {
	t.Parallel()
	k := newKilledBook(t, 3)
	s, file := k.server, filepath.Join(k.dir, "kettle.md")
	s.generateBook(k.path, "{}")
	chapter := func(n int) string { return k.path + "/chapters/" + bookChapters(k.book())[n]["id"].(string) }
	changed := strings.Replace(killedText(6), "hour 4 of day 2", "hour 14 of day 2", 1)
	for _, step := range []struct {
		name   string
		change func()
		limit  int // passages that are spoken
	}{
		{"a word", func() {
			s.must("PATCH", chapter(0)+"/blocks/2", `{"text":"The kettle is silent. Nobody heard hour 2 of day 1 there."}`, "")
		}, 1},
		{"a split", func() { s.must("POST", chapter(1)+"/split", `{"block":3,"title":"The second half"}`, "") }, 1},
		{"a merge", func() { s.must("POST", chapter(1)+"/merge", "", "") }, 0},
		{"another name", func() { s.must("PATCH", chapter(2), `{"title":"Day three"}`, "") }, 1},
		{"a move", func() { s.must("POST", chapter(3)+"/move", `{"to":0}`, "") }, 0},
		{"a changed file", func() { s.must("POST", k.path+"/update", changed, "kettle.md") }, 7 + 1},
		{"the pauses", func() {
			s.must("PATCH", k.path, `{"options":{"profile_id":"`+s.firstProfile()+`","pauses":{"paragraph":2,"sentence":1},"chapter_pause":4}}`, "")
		}, 0},
		{"the details", func() {
			s.must("PATCH", k.path, `{"title":"The Pot","author":"Bo Writer","narrator":"Cy","year":"2026"}`, "")
		}, 0},
		{"the cover", func() { s.must("DELETE", k.path+"/cover", "", "") }, 0},
		{"details by a command", func() {
			k.mustRun("book", "change", "the pot", "--title", "A Pot", "--publisher", "Pots", "--genre", "Tea")
		}, 0},
		{"pauses by a command", func() { k.mustRun("book", "change", "a pot", "--paragraph-pause", "0.5", "--chapter-pause", "1") }, 0},
		{"the same file by a command", func() {
			write(t, file, changed)
			require.Contains(t, k.mustRun("book", "update", "a pot", "kettle.md"), "6 same, 0 changed, 0 new, 0 removed")
		}, 0},
	} {
		before := k.spokenTexts()
		step.change()
		b := s.generateBook(k.path, "{}")
		require.Equal(t, "done", b["state"], step.name)
		spoken := k.spokenTexts() - before
		generated := int(b["passages"].(object)["generated"].(float64))
		t.Logf("%s: %d passages", step.name, generated)
		require.LessOrEqual(t, generated, step.limit, step.name)
		require.LessOrEqual(t, spoken, 2*generated, "%s: a passage has at most two sentences", step.name)
		if step.name == "a word" {
			k.mustRun("book", "export", b["id"].(string), "-o", "book.m4b")
			require.FileExists(t, filepath.Join(k.dir, "book.m4b"))
		}
	}
	status, _ := s.request("GET", k.path+"/export?format=wav", "")
	require.Equal(t, 200, status)
}
