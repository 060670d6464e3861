package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// transcriptStatuses are all states of a transcript.
func transcriptStatuses() []backend.Status {
	return []backend.Status{
		backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusTranscribing,
		backend.StatusComplete, backend.StatusFailed, backend.StatusCancelled,
	}
}

// heard is a complete transcript with a segment for each text.
func heard(texts ...string) backend.Transcript {
	t := backend.Transcript{Status: backend.StatusComplete, Source: backend.TranscriptOfFile, Title: "Interview"}
	t.Segments = phrases(texts...)
	t.Text = strings.Join(texts, " ")
	return t
}

func phrases(texts ...string) []backend.Segment {
	list := make([]backend.Segment, len(texts))
	for i, text := range texts {
		list[i] = backend.Segment{ID: i + 1, Start: float64(i), End: float64(i + 1), Text: " " + text, Words: []backend.HeardWord{}}
	}
	return list
}

// searchTranscripts returns the ids of what a search finds, in order.
func searchTranscripts(t testing.TB, db *sqlite.DB, typed string) []string {
	t.Helper()
	list, err := db.Transcripts(context.Background(), backend.TranscriptFilter{Search: typed})
	require.NoError(t, err)
	require.Equal(t, list.Total, len(list.Items))
	var ids []string
	for _, item := range list.Items {
		ids = append(ids, item.ID)
		require.Contains(t, item.Highlight, "<mark>", typed)
	}
	return ids
}

func TestTranscriptKeepsEveryField(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	generation, vad := "g", false
	want := backend.Transcript{
		Title: "Titel", Status: backend.StatusFailed, Progress: 0.25,
		Error: &backend.Failure{Code: backend.CodeEngineFailed, Detail: "d", Remedy: "r", Params: map[string]any{"x": "y"}},
		Text:  "Hello <there>", Language: "en", Duration: 1.0 / 3, ModelName: "whisper-base", Source: backend.TranscriptOfGeneration,
		FileName: "a.mp3", GenerationID: &generation, AudioPath: "/a.opus", CreatedAt: time.UnixMilli(1_790_000_000_123).UTC(),
		Segments: []backend.Segment{{
			ID: 3, Start: 0.1, End: 0.25, Text: " Hello <there>", NoSpeechProb: 0.5, Speaker: "Ada", Paragraph: true,
			Words: []backend.HeardWord{{Word: " Hello", Start: 0.1, End: 0.2, Probability: 0.75}},
		}},
		Warnings: []backend.TranscriptWarning{{Code: backend.WarningRepeatedText, Detail: "d", Start: 1, End: 2}},
		Request:  backend.TranscribeOptions{ModelName: "m", Language: "auto", Translate: true, Words: true, Prompt: "p", VAD: &vad},
		Matches:  []backend.SpeakerMatch{{Speaker: "Speaker 1", Known: "k", Cosine: 0.75}},
		Turns:    []backend.SpeakerTurn{{Start: 0.5, End: 1, Speaker: "Ada"}}, SpeakersError: &backend.Failure{Code: "interrupted", Detail: "d"},
	}
	made, err := db.CreateTranscript(ctx, want)
	require.NoError(t, err)
	want.ID, want.UpdatedAt = made.ID, want.CreatedAt
	require.Equal(t, want, made)
	got, err := db.Transcript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)

	before := time.Now().Truncate(time.Millisecond)
	empty, err := db.CreateTranscript(ctx, backend.Transcript{})
	require.NoError(t, err)
	require.Equal(t, backend.StatusQueued, empty.Status)
	require.False(t, empty.CreatedAt.Before(before) || empty.CreatedAt.After(time.Now()), empty.CreatedAt)
	got, err = db.Transcript(ctx, empty.ID)
	require.NoError(t, err)
	require.Equal(t, empty, got)
	require.NotNil(t, got.Segments, "an empty list, not null")
	require.NotNil(t, got.Warnings)

	_, err = db.CreateTranscript(ctx, made)
	require.Error(t, err, "an id is used once")
}

// TestUpdateTranscriptKeepsTheStateTable tries every step between two states.
func TestUpdateTranscriptKeepsTheStateTable(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for _, from := range transcriptStatuses() {
		for _, to := range transcriptStatuses() {
			made, err := db.CreateTranscript(ctx, backend.Transcript{Status: from})
			require.NoError(t, err)
			_, err = db.UpdateTranscript(ctx, made.ID, func(t *backend.Transcript) error {
				t.Status, t.Title = to, "changed"
				t.ID, t.CreatedAt, t.CanUndo = "other", time.Now(), true
				return nil
			})
			got, getErr := db.Transcript(ctx, made.ID)
			require.NoError(t, getErr)
			require.Equal(t, made.CreatedAt, got.CreatedAt)
			require.False(t, got.CanUndo, "only an edit can be undone")
			if from == to || from.CanMove(to) {
				require.NoError(t, err)
				require.Equal(t, to, got.Status)
				require.Equal(t, "changed", got.Title)
			} else {
				require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
				require.Equal(t, made, got, "nothing is stored")
			}
		}
	}
}

func TestUnknownTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	nothing := func(*backend.Transcript) error { return nil }
	for _, err := range []error{
		failure(db.Transcript(ctx, "x")), failure(db.UpdateTranscript(ctx, "x", nothing)),
		failure(db.EditTranscript(ctx, "x", nothing)), failure(db.UndoTranscript(ctx, "x")),
	} {
		require.Equal(t, backend.CodeTranscriptNotFound, backend.CodeOf(err))
	}
}

func TestSearchTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	first, err := db.CreateTranscript(ctx, heard("Die Straße ist naß.", "Ça va?"))
	require.NoError(t, err)
	spoken := heard("Nothing else.")
	spoken.Segments[0].Speaker = "Zoë"
	second, err := db.CreateTranscript(ctx, spoken)
	require.NoError(t, err)
	for typed, want := range map[string][]string{
		"strasse": {first.ID}, "STRA": {first.ID}, "ca": {first.ID}, "interview": {second.ID, first.ID}, "interview nass": {first.ID},
	} {
		require.Equal(t, want, searchTranscripts(t, db, typed), typed)
	}
	byName, err := db.Transcripts(ctx, backend.TranscriptFilter{Search: "zoe"})
	require.NoError(t, err)
	require.Len(t, byName.Items, 1)
	require.Equal(t, second.ID, byName.Items[0].ID)
	for _, typed := range []string{"?", "absent", "interview absent"} {
		list, err := db.Transcripts(ctx, backend.TranscriptFilter{Search: typed})
		require.NoError(t, err)
		require.Empty(t, list.Items, typed)
	}

	_, err = db.EditTranscript(ctx, first.ID, func(t *backend.Transcript) error {
		t.Segments, t.Text, t.Title = phrases("Der Weg."), "Der Weg.", "Besuch"
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, searchTranscripts(t, db, "strasse"))
	require.Equal(t, []string{first.ID}, searchTranscripts(t, db, "weg besuch"))
	_, err = db.UndoTranscript(ctx, first.ID)
	require.NoError(t, err)
	require.Equal(t, []string{first.ID}, searchTranscripts(t, db, "strasse"))
	require.Empty(t, searchTranscripts(t, db, "weg"))
}

// TestTranscriptPages walks over the list in parts while new transcripts come in.
func TestTranscriptPages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var want []string
	for i := range 23 {
		made := heard(fmt.Sprintf("Text %d with a common word.", i))
		if i%3 == 0 {
			made.Status = backend.StatusFailed
		}
		made, err := db.CreateTranscript(ctx, made)
		require.NoError(t, err)
		want = append([]string{made.ID}, want...)
	}
	for _, limit := range []int{1, 4, 23, 50} {
		for name, f := range map[string]backend.TranscriptFilter{
			"all": {}, "search": {Search: "common"}, "brief": {Brief: true}, "brief search": {Brief: true, Search: "comm"},
		} {
			got := walk(t, limit, func(page backend.Page) (backend.List[backend.TranscriptHit], error) {
				f.Page = page
				return db.Transcripts(ctx, f)
			})
			require.Equal(t, want, hitIDs(got), name)
		}
		for _, search := range []string{"", "common"} {
			failed := walk(t, limit, func(page backend.Page) (backend.List[backend.TranscriptHit], error) {
				return db.Transcripts(ctx, backend.TranscriptFilter{Search: search, Status: backend.StatusFailed, Page: page})
			})
			require.Len(t, failed, 8)
		}
	}
	list, err := db.Transcripts(ctx, backend.TranscriptFilter{Page: backend.Page{Limit: 5}})
	require.NoError(t, err)
	_, err = db.CreateTranscript(ctx, heard("New."))
	require.NoError(t, err)
	next, err := db.Transcripts(ctx, backend.TranscriptFilter{Page: backend.Page{Limit: 5, Cursor: *list.NextCursor}})
	require.NoError(t, err)
	require.Equal(t, want[5:10], hitIDs(next.Items), "a new one does not shift the page")

	for _, page := range []backend.Page{{Limit: -1}, {Limit: backend.MaxPageLimit + 1}, {Cursor: "x"}} {
		_, err := db.Transcripts(ctx, backend.TranscriptFilter{Page: page})
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid)
	}
	history, err := db.Generations(ctx, backend.GenerationFilter{})
	require.NoError(t, err)
	require.Empty(t, history.Items)
}

func hitIDs(hits []backend.TranscriptHit) []string {
	ids := make([]string, len(hits))
	for i, hit := range hits {
		ids[i] = hit.ID
	}
	return ids
}

func TestBriefTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	_, err := db.CreateTranscript(ctx, heard(strings.Repeat("Wörter ", 100)+"Leuchtturm"))
	require.NoError(t, err)
	list, err := db.Transcripts(ctx, backend.TranscriptFilter{Brief: true})
	require.NoError(t, err)
	require.Empty(t, list.Items[0].Segments)
	require.Len(t, []rune(list.Items[0].Text), backend.BriefText+1)
	list, err = db.Transcripts(ctx, backend.TranscriptFilter{Brief: true, Search: "leucht"})
	require.NoError(t, err)
	require.Contains(t, list.Items[0].Highlight, "<mark>Leuchtturm</mark>", "behind the part that is shown")
}

func TestDeleteTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var ids []string
	for i := range 4 {
		made := heard("word")
		made.AudioPath = fmt.Sprintf("/%d.opus", i)
		made, err := db.CreateTranscript(ctx, made)
		require.NoError(t, err)
		ids = append(ids, made.ID)
		_, err = db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
			t.Title = "edited"
			return nil
		})
		require.NoError(t, err)
	}
	deleted, err := db.DeleteTranscripts(ctx, []string{ids[1], "unknown", ids[3], ids[1]})
	require.NoError(t, err)
	require.Len(t, deleted, 2)
	require.ElementsMatch(t, []string{"/1.opus", "/3.opus"}, []string{deleted[0].AudioPath, deleted[1].AudioPath})
	require.Equal(t, []string{ids[2], ids[0]}, searchTranscripts(t, db, "word"))
	paths, err := db.TranscriptPaths(ctx)
	require.NoError(t, err)
	require.Equal(t, map[string]string{ids[0]: "/0.opus", ids[2]: "/2.opus"}, paths)
	edits, err := db.Count(ctx, "transcript_edits")
	require.NoError(t, err)
	require.Equal(t, 2, edits, "the edits of deleted ones are deleted")
	require.NoError(t, db.IntegrityCheck(ctx))
}

func TestExpireTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	now := time.UnixMilli(1_790_000_000_000).UTC()
	var old []string
	for i, status := range transcriptStatuses() {
		made, err := db.CreateTranscript(ctx, backend.Transcript{Status: status, CreatedAt: now.Add(-time.Duration(i+1) * time.Hour)})
		require.NoError(t, err)
		if status.Ended() {
			old = append([]string{made.ID}, old...)
		}
		_, err = db.CreateTranscript(ctx, backend.Transcript{Status: status, CreatedAt: now})
		require.NoError(t, err)
	}
	ids, err := db.ExpiredTranscripts(ctx, now, 10)
	require.NoError(t, err)
	require.Equal(t, old, ids, "oldest first")
	ids, err = db.ExpiredTranscripts(ctx, now, 2)
	require.NoError(t, err)
	require.Equal(t, old[:2], ids)

	_, err = db.UpdateTranscript(ctx, old[1], func(t *backend.Transcript) error { // retried meanwhile
		t.Status = backend.StatusQueued
		return nil
	})
	require.NoError(t, err)
	expired, err := db.ExpireTranscripts(ctx, old)
	require.NoError(t, err)
	require.Len(t, expired, 2)
	left, err := db.Transcripts(ctx, backend.TranscriptFilter{})
	require.NoError(t, err)
	require.Equal(t, 2*len(transcriptStatuses())-2, left.Total)
}

func TestRecoverTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	status := map[string]backend.Status{}
	for _, s := range transcriptStatuses() {
		made := heard("So far.")
		made.Status = s
		made, err := db.CreateTranscript(ctx, made)
		require.NoError(t, err)
		status[made.ID] = s
	}
	require.NoError(t, db.Close())

	db = openAt(t, path)
	ended, err := db.RecoverTranscripts(ctx)
	require.NoError(t, err)
	require.Len(t, ended, 4)
	for id, before := range status {
		got, err := db.Transcript(ctx, id)
		require.NoError(t, err)
		require.Equal(t, "So far.", got.Text, "what was heard so far stays")
		if before.Ended() {
			require.Equal(t, before, got.Status)
			continue
		}
		require.Equal(t, backend.StatusFailed, got.Status)
		require.Equal(t, backend.CodeInterrupted, got.Error.Code)
		require.NotEmpty(t, got.Error.Remedy)
	}
	ended, err = db.RecoverTranscripts(ctx)
	require.NoError(t, err)
	require.Empty(t, ended)
}

// TestFullFileKeepsTheTranscript edits a transcript when the disk is full: nothing is changed, and it works again later.
func TestFullFileKeepsTheTranscript(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made, err := db.CreateTranscript(ctx, heard("One.", "Two."))
	require.NoError(t, err)
	require.NoError(t, db.LimitPages(ctx))
	long := strings.Repeat("much text ", 10_000)
	for name, change := range map[string]func(context.Context, string, func(*backend.Transcript) error) (backend.Transcript, error){
		"update": db.UpdateTranscript, "edit": db.EditTranscript,
	} {
		_, err = change(ctx, made.ID, func(t *backend.Transcript) error {
			t.Segments, t.Text = phrases(long), long
			return nil
		})
		requireError(t, err, backend.CodeInsufficientDisk, db.Path())
		got, err := db.Transcript(ctx, made.ID)
		require.NoError(t, err)
		require.Equal(t, made, got, name)
	}
	require.NoError(t, db.Exec(ctx, `PRAGMA max_page_count = 1000000`))
	_, err = db.UpdateTranscript(ctx, made.ID, func(t *backend.Transcript) error {
		t.Segments, t.Text = phrases(long), long
		return nil
	})
	require.NoError(t, err)
}

// TestPanicKeepsTheTranscript panics inside a change.
func TestPanicKeepsTheTranscript(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	db := open(t)
	made, err := db.CreateTranscript(ctx, heard("One."))
	require.NoError(t, err)
	require.Panics(t, func() {
		_, _ = db.EditTranscript(ctx, made.ID, func(t *backend.Transcript) error {
			t.Segments[0].Text = "half"
			panic("on demand")
		})
	})
	got, err := db.Transcript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, made, got)
}

func TestStatsCountTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	for _, s := range transcriptStatuses() {
		_, err := db.CreateTranscript(ctx, backend.Transcript{Status: s, Duration: 1.5})
		require.NoError(t, err)
	}
	stats, err := db.Stats(ctx)
	require.NoError(t, err)
	require.Equal(t, 7, stats.Transcripts)
	require.InDelta(t, 1.5, stats.Transcribed, 0, "of the finished one")
	require.Zero(t, stats.Generations)
}

// TestMovedTranscripts replaces the paths of audio, as a restore does, and checks the ids.
func TestMovedTranscripts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	made := heard("One.")
	made.AudioPath = "/old/transcripts/2026-01/x.opus"
	made, err := db.CreateTranscript(ctx, made)
	require.NoError(t, err)
	require.NoError(t, db.CheckNames(ctx))
	require.NoError(t, db.MoveAudio(ctx, func(path string) string { return strings.Replace(path, "/old", "/new", 1) }))
	got, err := db.Transcript(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, "/new/transcripts/2026-01/x.opus", got.AudioPath)
	require.Equal(t, made.UpdatedAt, got.UpdatedAt)

	_, err = db.CreateTranscript(ctx, backend.Transcript{ID: "../../x"})
	require.NoError(t, err)
	require.Equal(t, backend.CodeDatabaseCorrupt, backend.CodeOf(db.CheckNames(ctx)))
}
