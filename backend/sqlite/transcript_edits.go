package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The limits of what can be undone for a transcript; the oldest edits are forgotten first, the newest never.
const (
	maxEdits     = 100
	maxEditBytes = 32 << 20
)

// UpdateTranscript calls change with the transcript and stores the result, in one write transaction. ID, CreatedAt and CanUndo
// cannot be changed. An error of change is returned and nothing is stored, as is a change of
// the status that backend.Status.CanMove does not allow (backend.CodeNotInProgress). change must be fast because it holds the
// write lock. Error: backend.CodeTranscriptNotFound.
func (db transcripts) UpdateTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return db.storeTranscript(ctx, id, changeUpdate, change)
}

// EditTranscript is UpdateTranscript for an edit, which UndoTranscript undoes. Segments of a transcript in progress
// cannot be changed (backend.CodeNotInProgress).
func (db transcripts) EditTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return db.storeTranscript(ctx, id, changeEdit, change)
}

// RerunTranscript is EditTranscript for a rerun: updates up to the next edit, in which its speakers are found, are undone with it.
func (db transcripts) RerunTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return db.storeTranscript(ctx, id, changeRerun, change)
}

// What a change of a transcript is for UndoTranscript.
const changeUpdate, changeEdit, changeRerun = 0, 1, 2

func (db transcripts) storeTranscript(
	ctx context.Context, id string, kind int, change func(*backend.Transcript) error,
) (backend.Transcript, error) {
	var t backend.Transcript
	err := db.update(ctx, "change transcript", func(tx *sql.Tx) error {
		row, err := db.findTranscript(ctx, tx, id)
		if err != nil {
			return err
		}
		t, err = db.changeTranscript(ctx, tx, row, kind, change)
		return err
	})
	if err != nil {
		return backend.Transcript{}, err
	}
	return t, nil
}

// changeTranscript applies change to a row, checks the change of the status, records what undoes it, and updates the search
// index. A run or a search for speakers that changes what an edited transcript says is recorded too: earlier records build on it.
func (db transcripts) changeTranscript(
	ctx context.Context, tx *sql.Tx, row transcriptRow, kind int, change func(*backend.Transcript) error,
) (backend.Transcript, error) {
	fillLists(&row.Transcript)
	t := row.Transcript
	t.Segments = append([]backend.Segment{}, row.Segments...)
	t.Turns = append([]backend.SpeakerTurn{}, row.Turns...)
	t.Matches = append([]backend.SpeakerMatch{}, row.Matches...)
	if err := change(&t); err != nil {
		return t, err
	}
	t.ID, t.CreatedAt, t.CanUndo = row.ID, row.CreatedAt, row.CanUndo
	fillLists(&t)
	if t.Status != row.Status && !row.Status.CanMove(t.Status) {
		return t, backend.E(backend.CodeNotInProgress,
			fmt.Sprintf("A transcript that is %s cannot become %s.", row.Status, t.Status),
			"Check its current state, then try again.").
			With("id", t.ID).With("from", row.Status).With("to", t.Status)
	}
	edit := kind != changeUpdate
	if edit && reflect.DeepEqual(t, row.Transcript) {
		return t, nil
	}
	undo := undoOf(row.Transcript, t)
	if undo.Segments != nil && edit && !row.Status.Ended() {
		return t, errInProgress(row.Transcript)
	}
	if undo != (transcriptUndo{}) && (edit || row.CanUndo && undo.said()) {
		undo.Rerun = kind == changeRerun
		if err := addUndo(ctx, tx, row, undo, t, edit); err != nil {
			return t, err
		}
		t.CanUndo = true
	}
	return t, db.writeTranscript(ctx, tx, row, &t)
}

// writeTranscript stores a changed transcript in its row.
func (db transcripts) writeTranscript(ctx context.Context, tx *sql.Tx, row transcriptRow, t *backend.Transcript) error {
	t.UpdatedAt = fromMillis(max(millis(db.now()), millis(row.UpdatedAt)))
	kept := *t
	kept.AudioPath = db.unplaced(t.AudioPath, row.stored)
	if _, err := tx.ExecContext(ctx, transcriptUpdate, append(transcriptValues(kept), row.seq)...); err != nil {
		return err
	}
	if t.Title == row.Title && t.Text == row.Text && speakers(*t) == speakers(row.Transcript) {
		return nil
	}
	return reindexTranscript(ctx, tx, row.seq, *t)
}

func errInProgress(t backend.Transcript) error {
	return backend.E(backend.CodeNotInProgress, "This transcript is still being made.",
		"Wait until it is complete, or cancel it.").With("id", t.ID).With("from", t.Status)
}

// transcriptUndo are the values before an edit, where it changed them.
type transcriptUndo struct {
	Rerun     bool                         `json:"rerun,omitempty"` // it was a rerun
	Title     *string                      `json:"title,omitempty"`
	Language  *string                      `json:"language,omitempty"`
	ModelName *string                      `json:"model_name,omitempty"`
	Duration  *float64                     `json:"duration,omitempty"`
	Request   *backend.TranscribeOptions   `json:"request,omitempty"`
	Warnings  *[]backend.TranscriptWarning `json:"warnings,omitempty"`
	Text      *splice[string]              `json:"text,omitempty"` // in pieces, see textPieces
	Segments  *splice[backend.Segment]     `json:"segments,omitempty"`
	Turns     *splice[backend.SpeakerTurn] `json:"turns,omitempty"`
	Matches   *[]backend.SpeakerMatch      `json:"matches,omitempty"`
}

// splice replaces Added items of a list from At on by those that were there before.
type splice[T any] struct {
	At      int `json:"at"`
	Added   int `json:"added"`
	Removed []T `json:"removed"`
}

// spliceOf returns what turns after into before, nil if they are equal.
func spliceOf[T any](before, after []T, equal func(a, b T) bool) *splice[T] {
	from, n, m := 0, len(before), len(after)
	for from < min(n, m) && equal(before[from], after[from]) {
		from++
	}
	for n > from && m > from && equal(before[n-1], after[m-1]) {
		n, m = n-1, m-1
	}
	if n == from && m == from {
		return nil
	}
	return &splice[T]{At: from, Added: m - from, Removed: before[from:n]}
}

// fits reports whether a list has all that the splice replaces.
func (s *splice[T]) fits(list []T) bool {
	return s == nil || s.At >= 0 && s.Added >= 0 && s.Added <= len(list)-s.At
}

// apply returns the list before; of a list that it does not fit, as much is replaced as there is.
func (s *splice[T]) apply(list []T) []T {
	if s == nil {
		return list
	}
	from := min(max(s.At, 0), len(list))
	to := from + min(max(s.Added, 0), len(list)-from)
	return append(append(append([]T{}, list[:from]...), s.Removed...), list[to:]...)
}

// keep returns the value before an edit, nil if the edit did not change it.
func keep[T any](before, after T) *T {
	if reflect.DeepEqual(before, after) {
		return nil
	}
	return &before
}

// restore sets a value that an edit changed.
func restore[T any](to, before *T) {
	if before != nil {
		*to = *before
	}
}

// undoOf returns what turns after into before.
func undoOf(before, after backend.Transcript) transcriptUndo {
	return transcriptUndo{
		Title: keep(before.Title, after.Title), Language: keep(before.Language, after.Language),
		ModelName: keep(before.ModelName, after.ModelName), Duration: keep(before.Duration, after.Duration),
		Request: keep(before.Request, after.Request), Warnings: keep(before.Warnings, after.Warnings),
		Text:     spliceOf(textPieces(before.Text), textPieces(after.Text), func(a, b string) bool { return a == b }),
		Segments: spliceOf(before.Segments, after.Segments, func(a, b backend.Segment) bool { return reflect.DeepEqual(a, b) }),
		Turns:    spliceOf(before.Turns, after.Turns, func(a, b backend.SpeakerTurn) bool { return a == b }),
		Matches:  keep(before.Matches, after.Matches),
	}
}

// textPieces returns a text as pieces that end with a space.
func textPieces(text string) []string {
	return slices.Collect(strings.SplitAfterSeq(text, " "))
}

// said reports whether the edit changed what was said, or by whom.
func (u transcriptUndo) said() bool {
	return u.Segments != nil || u.Text != nil || u.Turns != nil || u.Matches != nil || u.Warnings != nil
}

// apply restores the values before the edit. Older versions kept no record of some changes of turns, which later records may not
// fit; a text that a record does not fit stays.
func (u transcriptUndo) apply(t *backend.Transcript) {
	restore(&t.Title, u.Title)
	restore(&t.Language, u.Language)
	restore(&t.ModelName, u.ModelName)
	restore(&t.Duration, u.Duration)
	restore(&t.Request, u.Request)
	pieces := textPieces(t.Text)
	if !u.Segments.fits(t.Segments) || !u.Text.fits(pieces) {
		return
	}
	restore(&t.Warnings, u.Warnings)
	restore(&t.Matches, u.Matches)
	t.Segments, t.Text, t.Turns = u.Segments.apply(t.Segments), strings.Join(u.Text.apply(pieces), ""), u.Turns.apply(t.Turns)
}

// addUndo stores what undoes a change, and forgets the oldest edits beyond the limits. An update after a rerun is undone with it.
func addUndo(ctx context.Context, tx *sql.Tx, row transcriptRow, u transcriptUndo, after backend.Transcript, edit bool) error {
	if !edit {
		rerun, err := takeUndo(ctx, tx, row, true)
		if err != nil {
			return err
		}
		rerun.apply(&row.Transcript)
		u = undoOf(row.Transcript, after)
		u.Rerun = rerun.Rerun
	}
	undo, err := json.Marshal(u)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO transcript_edits (transcript, undo) VALUES (?, ?)`, row.seq, string(undo))
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM transcript_edits WHERE seq IN (SELECT seq FROM (
			SELECT seq, row_number() OVER newest AS n, sum(length(undo)) OVER newest AS bytes
			FROM transcript_edits WHERE transcript = ? WINDOW newest AS (ORDER BY seq DESC))
		WHERE n > ? OR n > 1 AND bytes > ?)`, row.seq, maxEdits, maxEditBytes)
	return err
}

// UndoTranscript undoes the last edit or rerun; repeated calls undo earlier ones. Errors: backend.CodeTranscriptNotFound,
// CodeNothingToUndo, and CodeNotInProgress for a transcript in progress.
func (db transcripts) UndoTranscript(ctx context.Context, id string) (backend.Transcript, error) {
	var t backend.Transcript
	err := db.update(ctx, "undo an edit", func(tx *sql.Tx) error {
		row, err := db.findTranscript(ctx, tx, id)
		if err != nil {
			return err
		}
		if !row.Status.Ended() {
			return errInProgress(row.Transcript)
		}
		u, err := takeUndo(ctx, tx, row, false)
		if err != nil {
			return err
		}
		t = row.Transcript
		u.apply(&t)
		left, err := collect(ctx, tx, scanOne[bool], `SELECT EXISTS (SELECT 1 FROM transcript_edits WHERE transcript = ?)`, row.seq)
		if err != nil {
			return err
		}
		t.CanUndo = left[0]
		return db.writeTranscript(ctx, tx, row, &t)
	})
	if err != nil {
		return backend.Transcript{}, err
	}
	return t, nil
}

// takeUndo removes and returns what undoes the last edit of a transcript. With rerun one that is of no rerun stays, and does nothing.
func takeUndo(ctx context.Context, tx *sql.Tx, row transcriptRow, rerun bool) (u transcriptUndo, err error) {
	var seq int64
	var undo []byte
	err = tx.QueryRowContext(ctx, `SELECT seq, undo FROM transcript_edits WHERE transcript = ? ORDER BY seq DESC LIMIT 1`, row.seq).
		Scan(&seq, &undo)
	if errors.Is(err, sql.ErrNoRows) {
		return u, backend.E(backend.CodeNothingToUndo, "There is no edit of this transcript to undo.",
			"Edit or repeat the transcription first.").With("id", row.ID)
	}
	if err != nil {
		return u, err
	}
	if err := json.Unmarshal(undo, &u); err != nil {
		return u, fmt.Errorf("read an edit of transcript %s: %w", row.ID, err)
	}
	if rerun && !u.Rerun {
		return transcriptUndo{}, nil
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM transcript_edits WHERE seq = ?`, seq)
	return u, err
}
