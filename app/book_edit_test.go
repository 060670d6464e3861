package app_test

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// titles returns the titles of the chapters of a book.
func titles(b object) (titles []any) {
	for _, ch := range bookChapters(b) {
		titles = append(titles, ch["title"])
	}
	return titles
}

// TestBookEdits changes the chapters of a book and undoes it, while the sound stays where the words stay.
func TestBookEdits(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "kettle.md"), manuscript(3, 2))
	u.mustRun("book", "new", "kettle.md", "--title", "The Kettle")
	u.mustFail(exitFailed, []string{"No change of this book can be undone."}, "book", "undo", "the kettle")
	u.mustRun("book", "generate", "the kettle")

	require.Equal(t, []any{"Chapter 1", "Chapter 3"}, titles(u.mustRunJSON("book", "merge", "the kettle", "1-2")))
	require.Regexp(t, `(?m)^5 +paragraph +citations +The kettle sings for hour 1 of day 2\.`, u.mustRun("book", "chapter", "the kettle", "1"))
	u.mustFail(exitUsage, []string{"4 paragraphs", "--block: 2, 3, 5, 6"}, "book", "split", "the kettle", "1", "--at", "The kettle")
	u.mustFail(exitUsage, []string{"No paragraph", "voicewright book chapter"}, "book", "split", "the kettle", "1", "--at", "A kettle")
	u.mustFail(exitUsage, []string{"blocks 2 to 6"}, "book", "split", "the kettle", "1", "--block", "1")
	b := u.mustRunJSON("book", "split", "the kettle", "1", "--at", "the KETTLE sings for hour 2 of day 1", "--title", "Second")
	require.Equal(t, []any{"Chapter 1", "Second", "Chapter 3"}, titles(b))
	require.Equal(t, []any{"Chapter 3", "Chapter 1", "Second"}, titles(u.mustRunJSON("book", "move", "the kettle", "3", "1")))
	passages := u.mustRunJSON("book", "generate", "the kettle")["passages"].(object)
	require.Less(t, passages["generated"], passages["reused"], "only a passage that was divided is spoken")

	changed := u.mustRun("book", "chapter", "the kettle", "2-3", "--exclude")
	require.Regexp(t, `(?m)^2 +Chapter 1 .* skipped .*\n3 +Second .* skipped .*\nUndo with: voicewright book undo `, changed)
	b = u.mustRunJSON("book", "undo", "the kettle")
	require.Equal(t, []any{true, false}, []any{bookChapters(b)[1]["skipped"], bookChapters(b)[2]["skipped"]})
	u.mustRun("book", "chapter", "the kettle", "2", "--include", "--title", "The First", "--speed", "1.5", "--scene-pause", "2")
	require.Contains(t, u.mustRun("book", "chapter", "the kettle", "2"), "\nSpeed: 1.5\nPauses: 2 s at a break between scenes\n")
	b = u.mustRunJSON("book", "chapter", "the kettle", "2", "--reset")
	require.Equal(t, object{"pauses": object{}}, bookChapters(b)[1]["options"])
	require.Equal(t, []any{"Chapter 3", "The First", "Second"}, titles(b))

	b = u.mustRunJSON("book", "change", "the kettle", "--description", "Of tea.", "--year", "2026", "--series", "Pots", "--paragraph-pause", "1.5")
	require.Equal(t, []any{"Of tea.", "2026", "Pots", 1.5},
		[]any{b["description"], b["year"], b["series"], b["options"].(object)["pauses"].(object)["paragraph"]})
	require.Regexp(t, `(?m)^Pauses: +1.5 s between paragraphs$`, u.mustRun("book", "show", "the kettle"))
}

// TestBookCover sets, replaces and removes the cover of a book.
func TestBookCover(t *testing.T) {
	u := newUser(t)
	write(t, filepath.Join(u.dir, "kettle.md"), manuscript(1, 1))
	var picture bytes.Buffer
	require.NoError(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))))
	write(t, filepath.Join(u.dir, "cover.png"), picture.String())
	write(t, filepath.Join(u.dir, "half.png"), picture.String()[:picture.Len()/2])
	u.mustFail(exitUsage, []string{"damaged"}, "book", "new", "kettle.md", "--cover", "half.png")
	require.Empty(t, u.mustRunJSON("book", "list")["items"], "no book without its cover")

	require.Equal(t, true, u.mustRunJSON("book", "new", "kettle.md", "--title", "Kettle", "--cover", "cover.png")["has_cover"])
	require.Contains(t, u.mustRun("book", "cover", "kettle", "--remove"), "has no cover now")
	require.Contains(t, u.mustRun("book", "cover", "kettle", "cover.png"), "cover.png")
	require.Regexp(t, `(?m)^Cover: +yes$`, u.mustRun("book", "show", "kettle"))
}
