package book

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/printable"
)

// State returns the state of a book in words, with how many of its chapters are done.
func State(b books.Summary, done, all int) string {
	switch {
	case b.Generating:
		return fmt.Sprintf("generating, %d of %d", done, all)
	case b.State == books.StateNew, b.State == books.StateDone:
		return string(b.State)
	default:
		return fmt.Sprintf("%s, %d of %d", b.State, done, all)
	}
}

// ChapterRows returns the table of the chapters of a book: number, title, words, words that are left out, state and length.
func ChapterRows(b client.Book) [][]string {
	rows := make([][]string, len(b.Chapters))
	for i, ch := range b.Chapters {
		rows[i] = []string{
			strconv.Itoa(i + 1), strings.Repeat("  ", min(ch.Level-1, 8)) + oneLine(ch.Title), strconv.Itoa(ch.Words),
			strconv.Itoa(ch.LeftOut), chapterState(ch), printable.Clock(ch.Seconds),
		}
	}
	return rows
}

// chapterState returns the state of a chapter in words.
func chapterState(ch books.Chapter) string {
	switch {
	case ch.Skipped:
		return "skipped"
	case ch.Words == 0 && ch.State == books.StateDone:
		return "left out"
	case ch.Error != nil:
		return string(ch.State) + ": " + oneLine(ch.Error.Detail)
	default:
		return string(ch.State)
	}
}

// LeftOutRows returns the table of classes of words: name, words, the flag that changes it and the first words.
func LeftOutRows(classes []books.LeftOut, flag string) [][]string {
	rows := make([][]string, len(classes))
	for i, l := range classes {
		turn := "-"
		if l.Switch != "" {
			turn = flag + l.Switch
		}
		rows[i] = []string{string(l.Class), strconv.Itoa(l.Words), turn, oneLine(l.Sample)}
	}
	return rows
}

// oneLine shortens a text for a cell of a table.
func oneLine(s string) string {
	const characters = 60
	return printable.Shortened(backend.OneLine(s), characters)
}

// Chapters returns a number of chapters in words.
func Chapters(n int) string {
	if n == 1 {
		return "1 chapter"
	}
	return strconv.Itoa(n) + " chapters"
}

// silent returns in words that chapters have no audio.
func silent(n int) string {
	if n == 1 {
		return "1 chapter has no audio yet"
	}
	return Chapters(n) + " have no audio yet"
}

// UndoHint says how the last change of a book is undone.
func UndoHint(id string) string { return "Undo with: voicewright book undo " + id }

// length returns how long a book is, and how long it will be where it is not finished.
func length(b client.Book) string {
	now, whole := printable.Clock(b.Seconds), printable.Clock(b.Length)
	switch {
	case b.Length <= b.Seconds || now == whole:
		return now
	case b.Seconds == 0:
		return "about " + whole
	default:
		return now + " of about " + whole
	}
}

// levels returns how many chapters there are at each level of the table of contents, empty where there is one level.
func levels(b client.Book) string {
	if len(b.Depths) < 2 {
		return ""
	}
	var counts []string
	for i, n := range b.Depths {
		counts = append(counts, fmt.Sprintf("%d: %s", i+1, Chapters(n)))
	}
	return fmt.Sprintf("%d (%s)", b.Depth, strings.Join(counts, ", "))
}

// WordSums returns in words how many words of a book are read aloud.
func WordSums(w books.Words) string {
	return fmt.Sprintf("%d in the file = %d read aloud + %d left out", w.Body, w.Kept, w.Body-w.Kept)
}

// Stopped is the error of a command whose book was stopped.
type Stopped struct {
	id        string
	done, all int
}

func (e *Stopped) Error() string {
	return fmt.Sprintf("stopped at %d of %d chapters", e.done, e.all)
}

// Remedy returns how to continue.
func (e *Stopped) Remedy() string { return "Everything finished is saved. " + Continue(e.id) }

// Continue says how to go on with a book.
func Continue(id string) string { return "Continue with: voicewright book generate " + id }

// StoppedAt returns the error for a book that was stopped.
func StoppedAt(b client.Book) error {
	done, all := b.Done()
	return &Stopped{b.ID, done, all}
}

// Failure returns the failures of the chapters with these ids, of all where there are none; nil where all have audio.
func Failure(b client.Book, ids []string) error {
	var failed []books.Chapter
	for _, ch := range b.Chapters {
		asked := slices.Contains(ids, ch.ID) || len(ids) == 0 && !ch.Skipped
		if asked && ch.State != books.StateDone {
			failed = append(failed, ch)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	i := slices.IndexFunc(failed, func(ch books.Chapter) bool { return ch.Error != nil })
	if i < 0 {
		return backend.E(backend.CodeCancelled, "Generating was stopped with "+Chapters(len(failed))+" left.",
			Continue(b.ID))
	}
	e := failed[i].Error
	return backend.E(e.Code, fmt.Sprintf("%s. “%s”: %s", silent(len(failed)), failed[i].Title, e.Detail),
		e.Remedy+" "+Continue(b.ID)).With("id", b.ID)
}
