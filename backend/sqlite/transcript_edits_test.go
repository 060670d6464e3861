package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// contentOf returns what an edit changes and an undo restores.
func contentOf(t backend.Transcript) backend.Transcript {
	return backend.Transcript{
		Title: t.Title, Text: t.Text, Language: t.Language, ModelName: t.ModelName, Duration: t.Duration, Segments: t.Segments,
		Warnings: t.Warnings, Request: t.Request, Turns: t.Turns, Matches: t.Matches,
	}
}

// TestUndoRestoresEveryEdit edits a transcript at random, undoing now and then, while other speakers are found, which is no edit and
// belongs to a rerun just before it: the content is always that of before the edit.
func TestUndoRestoresEveryEdit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	word := rapid.SampledFrom([]string{"Eins.", "zwei", "", "drei\n\nvier", "日本語", "<b>", " "})
	rapid.Check(t, func(rt *rapid.T) {
		made, err := db.CreateTranscript(ctx, heard("One.", "Two.", "Three."))
		require.NoError(rt, err)
		var earlier []backend.Transcript
		var reruns []bool
		now := made
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			if len(earlier) > 0 && rapid.IntRange(0, 2).Draw(rt, "undo") == 0 {
				now, err = db.UndoTranscript(ctx, made.ID)
				require.NoError(rt, err)
				last := len(earlier) - 1
				require.Equal(rt, contentOf(earlier[last]), contentOf(now))
				require.Equal(rt, last > 0, now.CanUndo)
				earlier, reruns = earlier[:last], reruns[:last]
				continue
			}
			before := now
			step := rapid.SampledFrom([]string{"edit", "rerun", "found"}).Draw(rt, "step")
			update, change := db.EditTranscript, drawEdit
			switch step {
			case "rerun":
				update = db.RerunTranscript
			case "found":
				update, change = db.UpdateTranscript, drawSpeakers
			}
			now, err = update(ctx, made.ID, func(t *backend.Transcript) error {
				change(rt, t, word)
				return nil
			})
			require.NoError(rt, err)
			switch {
			case equalContent(before, now):
			case step == "found" && len(earlier) == 0:
				made = now
			case step == "found" && reruns[len(reruns)-1]:
			default:
				earlier, reruns = append(earlier, before), append(reruns, step == "rerun")
			}
			require.Equal(rt, len(earlier) > 0, now.CanUndo)
		}
		for _, before := range slices.Backward(earlier) {
			now, err = db.UndoTranscript(ctx, made.ID)
			require.NoError(rt, err)
			require.Equal(rt, contentOf(before), contentOf(now))
		}
		stored, err := db.Transcript(ctx, made.ID)
		require.NoError(rt, err)
		require.Equal(rt, contentOf(made), contentOf(stored))
		_, err = db.UndoTranscript(ctx, made.ID)
		require.Equal(rt, backend.CodeNothingToUndo, backend.CodeOf(err))
	})
}

func equalContent(a, b backend.Transcript) bool {
	return fmt.Sprintf("%#v", contentOf(a)) == fmt.Sprintf("%#v", contentOf(b))
}

// drawEdit changes a transcript as edits and reruns do.
func drawEdit(rt *rapid.T, t *backend.Transcript, word *rapid.Generator[string]) {
	at := 0
	if len(t.Segments) > 0 {
		at = rapid.IntRange(0, len(t.Segments)-1).Draw(rt, "at")
	}
	switch kind := rapid.IntRange(0, 5).Draw(rt, "kind"); {
	case kind == 0:
		t.Title = word.Draw(rt, "title")
	case kind == 1 && len(t.Segments) > 0:
		t.Segments[at].Text = word.Draw(rt, "text")
	case kind == 2 && len(t.Segments) > 0:
		t.Segments[at].Speaker = word.Draw(rt, "speaker")
	case kind == 3 && len(t.Segments) > 0:
		t.Segments = slices.Delete(t.Segments, at, at+1)
	case kind == 4:
		t.Segments = slices.Insert(t.Segments, at, phrases(word.Draw(rt, "a"), word.Draw(rt, "b"))...)
	default: // a rerun of all
		t.Segments, t.Language, t.ModelName = phrases(word.Draw(rt, "c")), word.Draw(rt, "language"), word.Draw(rt, "model")
		t.Warnings = []backend.TranscriptWarning{{Detail: word.Draw(rt, "warning")}}
		t.Request.Language = t.Language
	}
	var text strings.Builder
	for _, s := range t.Segments {
		text.WriteString(s.Text)
	}
	t.Text = text.String()
}

// drawSpeakers changes a transcript as a search for speakers does, which often finds other turns for the same lines.
func drawSpeakers(rt *rapid.T, t *backend.Transcript, word *rapid.Generator[string]) {
	t.Turns, t.Matches = nil, nil
	for i := range rapid.IntRange(0, 4).Draw(rt, "turns") {
		name := rapid.SampledFrom([]string{"Speaker 1", "Speaker 2"}).Draw(rt, "name")
		t.Turns = append(t.Turns, backend.SpeakerTurn{Start: float64(i), End: float64(i + 1), Speaker: name})
	}
	switch kind := rapid.IntRange(0, 3).Draw(rt, "of lines"); {
	case kind == 0:
		t.Matches = []backend.SpeakerMatch{{Speaker: "Speaker 1", Known: word.Draw(rt, "known"), Cosine: 0.75}}
	case kind == 1 && len(t.Segments) > 0:
		t.Segments[0].Speaker = word.Draw(rt, "speaker")
	case kind == 2:
		t.Warnings = []backend.TranscriptWarning{{Code: backend.WarningSpeakersFewer, Detail: word.Draw(rt, "warning")}}
	}
}

// TestUndoOfRecordsThatDoNotFit undoes edits of a library in which other turns were stored without a record, or which is damaged.
func TestUndoOfRecordsThatDoNotFit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	first := heard("One.", "Two.")
	first.Turns = []backend.SpeakerTurn{{End: 0.4, Speaker: "Speaker 1"}, {Start: 0.5, End: 1, Speaker: "Speaker 1"}}
	made, err := db.CreateTranscript(ctx, first)
	require.NoError(t, err)
	_, err = db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Segments[1].Speaker, t.Turns[0].Speaker, t.Turns[1].Speaker = "Anna", "Anna", "Anna"
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, db.Exec(ctx, `UPDATE transcripts SET turns = '[{"start":0,"end":1,"speaker":"Anna"}]'`))
	back, err := db.UndoTranscript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, contentOf(made), contentOf(back), "nobody is named Anna")

	for _, undo := range []string{
		`{"title":"Before","segments":{"at":1,"added":4,"removed":[]}}`, `{"title":"Before","segments":{"at":-1,"added":1,"removed":[]}}`,
		`{"title":"Before","text":{"at":7,"added":0,"removed":["x"]},"segments":{"at":0,"added":2,"removed":[]}}`,
	} {
		require.NoError(t, rename(db, made.ID, "After"))
		require.NoError(t, db.Exec(ctx, `UPDATE transcript_edits SET undo = '`+undo+`'`))
		back, err = db.UndoTranscript(ctx, made.ID)
		require.NoError(t, err)
		want := contentOf(made)
		want.Title = "Before"
		require.Equal(t, want, contentOf(back), "no text is lost")
		require.False(t, back.CanUndo)
	}
}

// TestEditsOfARunningTranscript may change its title, but not its segments.
func TestEditsOfARunningTranscript(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made := heard("So far.")
	made.Status = backend.StatusTranscribing
	made, err := db.CreateTranscript(ctx, made)
	require.NoError(t, err)
	named, err := db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Title = "Named early"
		return nil
	})
	require.NoError(t, err)
	require.True(t, named.CanUndo)
	_, err = db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Segments[0].Text = "Mine."
		return nil
	})
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
	_, err = db.UndoTranscript(ctx, made.ID)
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))

	done, err := db.UpdateTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Segments, t.Text, t.Status = phrases("So far.", "And more."), "So far. And more.", backend.StatusComplete
		return nil
	})
	require.NoError(t, err)
	for done.CanUndo {
		done, err = db.UndoTranscript(ctx, made.ID)
		require.NoError(t, err)
	}
	require.Equal(t, "Interview", done.Title, "the title of before the edit")
}

// TestRunAfterAnEdit replaces the segments of an edited transcript by a new run, which is not an edit: undo still restores what
// the user wrote.
func TestRunAfterAnEdit(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made := heard("One.", "Two.")
	made.Status = backend.StatusCancelled
	made, err := db.CreateTranscript(ctx, made)
	require.NoError(t, err)
	mine, err := db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Segments[1].Text, t.Text = "Mine.", "One. Mine."
		return nil
	})
	require.NoError(t, err)
	for _, status := range []backend.Status{backend.StatusQueued, backend.StatusTranscribing, backend.StatusComplete} {
		_, err = db.UpdateTranscript(ctx, made.ID, func(t *backend.Transcript) error {
			if t.Status = status; status == backend.StatusComplete {
				t.Segments, t.Text = phrases("Three."), "Three."
			}
			return nil
		})
		require.NoError(t, err)
	}
	back, err := db.UndoTranscript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, contentOf(mine), contentOf(back))
	back, err = db.UndoTranscript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, contentOf(made), contentOf(back))
}

// TestManyEditsForgetTheOldest keeps the library small.
func TestManyEditsForgetTheOldest(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made, err := db.CreateTranscript(ctx, heard("One."))
	require.NoError(t, err)
	other, err := db.CreateTranscript(ctx, heard("One."))
	require.NoError(t, err)
	require.NoError(t, rename(db, other.ID, "kept"))
	for i := range sqlite.MaxEdits + 10 {
		require.NoError(t, rename(db, made.ID, fmt.Sprint(i)))
	}
	undone := 0
	now := backend.Transcript{CanUndo: true}
	for now.CanUndo {
		now, err = db.UndoTranscript(ctx, made.ID)
		require.NoError(t, err)
		undone++
	}
	require.Equal(t, sqlite.MaxEdits, undone)
	require.Equal(t, "9", now.Title)
	now, err = db.UndoTranscript(ctx, other.ID)
	require.NoError(t, err)
	require.Equal(t, "Interview", now.Title, "those of another transcript stay")
}

func rename(db *sqlite.DB, id, title string) error {
	_, err := db.EditTranscript(context.Background(), id, func(t *backend.Transcript) error {
		t.Title = title
		return nil
	})
	return err
}
