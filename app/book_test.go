package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// manuscript returns a Markdown book of chapters; n numbers its sentences, so that no two are the same.
func manuscript(chapters, paragraphs int) string {
	var text strings.Builder
	for i := range chapters {
		fmt.Fprintf(&text, "# Chapter %d\n\n", i+1)
		for k := range paragraphs {
			fmt.Fprintf(&text, "The kettle sings for hour %d of day %d. Nobody hears it [%d] there.\n\n", k+1, i+1, k+1)
		}
	}
	return text.String()
}

// bookChapters returns the chapters of a book.
func bookChapters(b object) (chapters []object) {
	for _, ch := range b["chapters"].([]any) {
		chapters = append(chapters, ch.(object))
	}
	return chapters
}

// TestBook makes an audiobook of a file: stopped and continued, updated, exported and deleted.
func TestBook(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "kettle.md"), manuscript(6, 12))
	b := u.mustRunJSON("book", "new", "kettle.md", "--title", "The Kettle", "--author", "Ann Author")
	words := b["words"].(object)
	left := words["left_out"].([]any)[0].(object)
	require.Equal(t, []any{"citations", "citations", 72.0}, []any{left["class"], left["switch"], left["words"]})
	require.InDelta(t, words["body"], words["kept"].(float64)+left["words"].(float64), 0)
	require.Len(t, bookChapters(b), 6)
	require.Regexp(t, `(?m)^citations +72 +--read citations +\[1\]`, u.mustRun("book", "show", "the k"))

	run := u.start("book", "generate", "the kettle")
	require.Eventually(t, func() bool { return strings.Contains(run.err.String(), "chapter 2 of 6") }, testTimeout, 5*time.Millisecond)
	require.Equal(t, exitInterrupted, run.signal(syscall.SIGINT), run.err.String())
	require.Regexp(t, `Stopped at [1-5] of 6 chapters\. Everything finished is saved\. Continue with: voicewright book generate [0-9a-f-]+\n$`,
		run.err.String())
	stopped := bookChapters(u.mustRunJSON("book", "show", "the kettle"))
	require.Equal(t, "done", stopped[0]["state"])

	b = u.mustRunJSON("book", "generate", "the kettle")
	for i, ch := range bookChapters(b) {
		require.Equal(t, "done", ch["state"])
		if stopped[i]["state"] == "done" {
			require.Equal(t, stopped[i]["generations"], ch["generations"], "what is finished stays")
		}
	}
	require.Len(t, u.history(), 6, "nothing is spoken twice")
	b = u.mustRunJSON("book", "generate", "the kettle")
	require.InDelta(t, 0, b["passages"].(object)["generated"], 0)

	exported := u.mustRunJSON("book", "export", "the kettle", "-o", "kettle.m4b")
	head, err := os.ReadFile(exported["output"].(string))
	require.NoError(t, err)
	require.Equal(t, "ftypM4B ", string(head[4:12]))
	require.NoError(t, os.Mkdir(filepath.Join(u.dir, "chapters"), 0o700))
	require.Contains(t, u.mustRun("book", "export", "the kettle", "-o", "chapters", "--format", "wav"), " files to ")
	names, err := filepath.Glob(filepath.Join(u.dir, "chapters", "*.wav"))
	require.NoError(t, err)
	require.Len(t, names, 6)

	changed := strings.Replace(manuscript(6, 12), "hour 7 of day 3", "hour seven of day 3", 1) + "# The End\n\nIt is cold now.\n"
	write(t, filepath.Join(u.dir, "kettle.md"), changed)
	require.Contains(t, u.mustRun("book", "update", "the kettle", "kettle.md"), "Chapters: 5 same, 1 changed, 1 new, 0 removed\n")
	u.mustFail(exitFailed, []string{"Chapter 3", "Generate the book"}, "book", "export", "the kettle", "-o", "new.m4b")
	passages := u.mustRunJSON("book", "generate", "the kettle")["passages"].(object)
	require.Less(t, passages["generated"], passages["reused"], "only what changed is spoken")

	b = u.mustRunJSON("book", "change", "the kettle", "--read", "citations", "--narrator", "Built-in voice")
	require.Empty(t, b["words"].(object)["left_out"])
	require.Equal(t, "changed", b["state"])

	u.mustFail(exitNotFound, []string{`no book "pot"`}, "book", "rm", "pot")
	u.mustRun("book", "rm", "the kettle", "--yes")
	require.Empty(t, u.mustRunJSON("book", "list")["items"])
	require.Empty(t, u.history())
	require.Empty(t, u.audioFiles())
}

// TestBookMake makes an m4b file at once, with a server, and leaves the book in the library.
func TestBookMake(t *testing.T) {
	u := newUser(t)
	u.serve()
	write(t, filepath.Join(u.dir, "short.txt"), "Chapter 1\n\nThe kettle is on.\n\nChapter 2\n\nIt is off.\n")
	u.mustRun("book", "make", "short.txt", "-o", "short.m4b")
	require.FileExists(t, filepath.Join(u.dir, "short.m4b"))
	require.Contains(t, u.mustRun("book", "list"), "done")
	u.mustFail(exitNotFound, []string{"none.epub"}, "book", "make", "none.epub", "-o", "none.m4b")
}
