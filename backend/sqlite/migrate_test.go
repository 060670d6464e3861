package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// TestMigrationsAreAppendOnly guards the files that users' libraries were made with.
func TestMigrationsAreAppendOnly(t *testing.T) {
	t.Parallel()
	backendtest.RequireAppendOnly(t, "libraries only go up; the way back is the backup")
}

// old puts a copy of the library of schema version 1 into a folder of the test.
func old(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("testdata/version-1.db")
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "voicewright.db")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

func TestUpgradeKeepsEveryRow(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := old(t)
	db := openAt(t, path)

	profiles, err := db.Profiles(ctx, backend.ProfileFilter{})
	require.NoError(t, err)
	require.Equal(t, []string{"Bella", "Built-in voice", "Ömer'in sesi"}, names(profiles.Items))
	require.InDelta(t, 1.25, profiles.Items[2].Speed, 0)
	require.Equal(t, "af_bella", profiles.Items[0].PresetVoiceID)
	require.Equal(t, time.UnixMilli(1790000200000).UTC(), profiles.Items[0].UpdatedAt)

	history, err := db.Generations(ctx, backend.GenerationFilter{Sort: backend.HistoryOldest})
	require.NoError(t, err)
	require.Equal(t, 4, history.Total)
	first := history.Items[0]
	require.Equal(t, "Çalışma odasında ışık açık kaldı.", first.Text)
	require.Equal(t, int64(42), *first.Request.Seed)
	require.Len(t, first.Chunks, 1)
	require.Equal(t, map[string]string{"espeak-ng": "1.51"}, first.Receipt.Runtimes)
	require.Equal(t, backend.CodeOutOfMemory, history.Items[1].Error.Code)
	require.Equal(t, int64(21), *history.Items[2].Credits)
	require.Equal(t, first.ID, *history.Items[2].ParentID)

	settings, err := db.Settings(ctx)
	require.NoError(t, err)
	require.JSONEq(t, `"http://127.0.0.1:9000"`, string(settings["hosted.base_url"]))

	for search, want := range map[string]string{"calisma": first.ID, "東京": history.Items[2].ID, "strasse": history.Items[3].ID} {
		found, err := db.Generations(ctx, backend.GenerationFilter{Search: search})
		require.NoError(t, err)
		require.Len(t, found.Items, 1, search)
		require.Equal(t, want, found.Items[0].ID)
	}
	require.NoError(t, db.EnsureBuiltIn(ctx, "en"))
	made, err := db.AddPresets(ctx, []backend.Preset{
		{Engine: "kokoro", VoiceID: "af_sky", Name: "Sky"}, {Engine: "kokoro", VoiceID: "af_nova", Name: "Nova"},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"Nova"}, names(made), "the deleted voice stays away and no built-in voice is made again")
	require.NoError(t, db.SetVoiceLevel(ctx, "kokoro", "af_nova", backend.VoiceLevel{GainDB: -3}))

	longest, err := db.Generations(ctx, backend.GenerationFilter{Engine: first.Engine, Sort: backend.HistoryLongest})
	require.NoError(t, err)
	require.NotEmpty(t, longest.Items)
	_, err = db.CreateDraft(ctx, backend.Draft{Name: "new"})
	require.NoError(t, err)
	_, err = db.CreateScript(ctx, backend.Script{ScriptVersion: backend.ScriptVersion{Generations: []string{first.ID}}})
	require.NoError(t, err)
	createBook(t, db, first.ID)
	_, err = db.CreatePronunciation(ctx, backend.Pronunciation{Word: "new", Respelling: "noo"})
	require.NoError(t, err)
	transcript, err := db.CreateTranscript(ctx, backend.Transcript{Title: "Işık", GenerationID: &first.ID})
	require.NoError(t, err)
	require.Equal(t, []string{transcript.ID}, searchTranscripts(t, db, "isik"))
	require.NoError(t, db.IntegrityCheck(ctx))
}

// TestUpgradeWritesLanguagesAsTags finds a profile that an older program stored with an underscore.
func TestUpgradeWritesLanguagesAsTags(t *testing.T) {
	t.Parallel()
	path := old(t)
	before, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = before.ExecContext(t.Context(), `UPDATE profiles SET language = 'pt_BR' WHERE name = 'Bella'`)
	require.NoError(t, err)
	require.NoError(t, before.Close())
	db := openAt(t, path)
	for _, language := range []string{"pt", "pt-BR", "pt_br"} {
		found, err := db.Profiles(t.Context(), backend.ProfileFilter{Language: language})
		require.NoError(t, err)
		require.Equal(t, []string{"Bella"}, names(found.Items), language)
		require.Equal(t, "pt-BR", found.Items[0].Language)
	}
}

// TestUpgradeKeepsHostedCalls brings up calls of a program that did not keep what they are repeated with.
func TestUpgradeKeepsHostedCalls(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), old(t)
	require.NoError(t, sqlite.MigrateTo(ctx, path, 18))
	before, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	var generation string
	require.NoError(t, before.QueryRowContext(ctx, `SELECT min(id) FROM generations`).Scan(&generation))
	quoted, used, left, at := int64(21), int64(20), int64(9980), time.UnixMilli(1790000200000).UTC()
	want := []backend.HostedPart{
		{Seq: 1, GenerationID: generation, State: backend.HostedSent, Quoted: &quoted},
		{Seq: 2, GenerationID: generation, N: 1, State: backend.HostedAnswered, Quoted: &quoted, Credits: &used, Left: &left, URL: "https://voice.example.org/a.mp3"},
		{Seq: 3, GenerationID: generation, N: 2, State: backend.HostedLost},
	}
	for i := range want {
		p := &want[i]
		p.Kind, p.Hash, p.Characters, p.Format = backend.HostedKindDialogue, "abc", 10, "mp3_44100_128"
		p.CreatedAt, p.UpdatedAt = at, at.Add(time.Second)
		_, err = before.ExecContext(ctx, `INSERT INTO hosted_parts (generation_id, n, kind, state, hash, characters, quoted, credits,
			credits_left, url, format, file, sha256, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			p.GenerationID, p.N, p.Kind, p.State, p.Hash, p.Characters, p.Quoted, p.Credits,
			p.Left, p.URL, p.Format, p.File, p.SHA256, p.CreatedAt.UnixMilli(), p.UpdatedAt.UnixMilli())
		require.NoError(t, err)
	}
	require.NoError(t, before.Close())

	require.NoError(t, sqlite.MigrateTo(ctx, path, 19))
	parts, err := openAt(t, path).HostedParts(ctx, generation)
	require.NoError(t, err)
	require.Equal(t, want, parts, "nothing but the new columns, which are empty")
}

// TestUpgradeKeepsBooks brings up a book of a program that did not keep where somebody listens.
func TestUpgradeKeepsBooks(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), old(t)
	require.NoError(t, sqlite.MigrateTo(ctx, path, 20))
	before, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO books (id, title, created_at, updated_at, content) VALUES ('b1', 'Ein Buch', 1790000200000, 1790000300000,
			'{"author":"Ömer","cover":"cover.jpg","depth":1,"depths":[1],"options":{"profile_id":"p1","speed":1.5}}')`,
		`INSERT INTO book_chapters (book_id, position, content) VALUES ('b1', 0, '{"id":"c1","title":"Eins","level":1,"text":"t1",
			"asks":["a1"],"wanted":true,"parts":[{"generation":"g1","text":"a1","voice":"v1","version":2}]}')`,
		`INSERT INTO book_texts (book_id, key, blocks) VALUES ('b1', 't1', '[{"kind":"paragraph","spans":[{"text":"Grüße"}]}]')`,
		`INSERT INTO book_states (book_id, content) VALUES ('b1', '{"depth":1,"depths":[1],"chapters":[{"id":"c1","title":"Uno","text":"t1"}]}')`,
		`INSERT INTO book_generations (generation_id, book_id) VALUES ('g1', 'b1')`,
	} {
		_, err = before.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	require.NoError(t, before.Close())

	db := openAt(t, path)
	b, err := db.Book(ctx, "b1")
	require.NoError(t, err)
	require.Equal(t, backend.Book{
		ID: "b1", BookDetails: backend.BookDetails{Title: "Ein Buch", Author: "Ömer"}, Cover: "cover.jpg", Depth: 1, Depths: []int{1}, Undos: 1,
		Options:   backend.BookOptions{ProfileID: "p1", Speed: new(1.5)},
		CreatedAt: time.UnixMilli(1790000200000).UTC(), UpdatedAt: time.UnixMilli(1790000300000).UTC(),
		Chapters: []backend.BookChapter{{
			ID: "c1", Title: "Eins", Level: 1, Text: "t1", Asks: []string{"a1"}, Wanted: true,
			Parts: []backend.BookPart{{Generation: "g1", Text: "a1", Voice: "v1", Version: 2}},
		}},
	}, b, "nobody listens to it")
	texts, err := db.BookTexts(ctx, "b1", []string{"t1"})
	require.NoError(t, err)
	require.Equal(t, "Grüße", texts["t1"][0].Spans[0].Text)
	place := backend.BookPlace{ChapterID: "c1", Seconds: 12.5}
	require.NoError(t, db.SetBookPlace(ctx, "b1", place))
	undone, err := db.UndoBook(ctx, "b1", func(b *backend.Book, to backend.BookState) { b.Chapters = to.Chapters })
	require.NoError(t, err)
	require.Equal(t, []any{"Uno", place}, []any{undone.Chapters[0].Title, undone.Place})
	generations, err := db.BookGenerations(ctx, "b1")
	require.NoError(t, err)
	require.Equal(t, []string{"g1"}, generations)
}

// TestUpgradeKeepsTranscripts brings up a transcript of a program that found no speakers, with a name that a person set.
func TestUpgradeKeepsTranscripts(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), old(t)
	require.NoError(t, sqlite.MigrateTo(ctx, path, 22))
	before, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	for _, statement := range []string{
		`INSERT INTO transcripts (seq, id, status, progress, source, model_name, language, duration, file_name, audio_path, title, created_at,
			updated_at, warnings, request, text, segments) VALUES (1, 't1', 'complete', 1, 'file', 'whisper-base', 'de', 2, 'a.wav', '', 'Talk',
			1790000200000, 1790000300000, '[]', '{"language":"de"}', 'Grüße.',
			'[{"id":1,"start":0,"end":2,"text":" Grüße.","words":[],"no_speech_prob":0,"speaker":"Zoë","paragraph":true}]')`,
		`INSERT INTO transcript_edits (transcript, undo) VALUES (1, '{"segments":{"at":0,"added":1,
			"removed":[{"id":1,"start":0,"end":2,"text":" Grüße.","words":[],"no_speech_prob":0,"speaker":"","paragraph":true}]}}')`,
	} {
		_, err = before.ExecContext(ctx, statement)
		require.NoError(t, err)
	}
	require.NoError(t, before.Close())

	db := openAt(t, path)
	got, err := db.Transcript(ctx, "t1")
	require.NoError(t, err)
	require.Equal(t, "Zoë", got.Segments[0].Speaker)
	require.False(t, got.Segments[0].SpeakerFound, "a person set it")
	require.Empty(t, got.Turns)
	require.Empty(t, got.Matches)
	require.Nil(t, got.SpeakersError)

	matches := []backend.SpeakerMatch{{Speaker: "Speaker 1", Known: "k", Cosine: 0.75}}
	turns := []backend.SpeakerTurn{{Start: 0, End: 2, Speaker: "Zoë"}}
	failure := &backend.Failure{Code: backend.CodeInterrupted, Detail: "Closed."}
	got, err = db.EditTranscript(ctx, "t1", func(t *backend.Transcript) error {
		t.Turns, t.SpeakersError = turns, failure
		t.Matches = matches
		t.Segments[0].SpeakerFound = true
		return nil
	})
	require.NoError(t, err)
	again, err := db.Transcript(ctx, "t1")
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.Equal(t, turns, again.Turns)
	require.Equal(t, matches, again.Matches)
	require.Equal(t, failure, again.SpeakersError)
	again, err = db.UndoTranscript(ctx, "t1")
	require.NoError(t, err)
	require.Empty(t, again.Turns)
	require.Empty(t, again.Matches)
	require.False(t, again.Segments[0].SpeakerFound)
	again, err = db.UndoTranscript(ctx, "t1")
	require.NoError(t, err)
	require.Empty(t, again.Segments[0].Speaker)
}

// TestUpgradeKeepsSpeakers brings up a transcript whose speakers were found before the channels of stereo sources were heard.
func TestUpgradeKeepsSpeakers(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), old(t)
	require.NoError(t, sqlite.MigrateTo(ctx, path, 24))
	before, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = before.ExecContext(ctx, `INSERT INTO transcripts (seq, id, status, progress, source, model_name, language, duration, file_name,
		audio_path, title, created_at, updated_at, warnings, request, text, segments, turns) VALUES (1, 't1', 'complete', 1, 'file',
		'whisper-base', 'de', 2, 'a.wav', '', 'Talk', 1790000200000, 1790000300000, '[]', '{"speakers":{"mode":"number","count":2}}', 'Grüße.',
		'[{"id":1,"start":0,"end":2,"text":" Grüße.","words":[],"no_speech_prob":0,"speaker":"Zoë","paragraph":true,"speaker_found":true}]',
		'[{"start":0,"end":2,"speaker":"Zoë"}]')`)
	require.NoError(t, err)
	require.NoError(t, before.Close())

	db := openAt(t, path)
	got, err := db.Transcript(ctx, "t1")
	require.NoError(t, err)
	require.Nil(t, got.Channels, "nobody heard them")
	require.Empty(t, got.ChannelTurns[0])
	require.Equal(t, []backend.SpeakerTurn{{Start: 0, End: 2, Speaker: "Zoë"}}, got.Turns)
	require.Equal(t, &backend.SpeakerOptions{Mode: backend.SpeakersNumber, Count: 2}, got.Request.Speakers)

	got, err = db.UpdateTranscript(ctx, "t1", func(t *backend.Transcript) error {
		t.Channels, t.ChannelTurns = &backend.Channels{Separate: true}, [2][]int{{5, 20}, {30, 40, 10, 20}}
		return nil
	})
	require.NoError(t, err)
	again, err := db.Transcript(ctx, "t1")
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.True(t, again.Channels.Separate)
	list, err := db.Transcripts(ctx, backend.TranscriptFilter{Brief: true})
	require.NoError(t, err)
	require.Equal(t, again.Channels, list.Items[0].Channels)
}

func TestUpgradeLeavesACopyOfTheOldFile(t *testing.T) {
	t.Parallel()
	path := old(t)
	stray := path + ".backup-mine"
	require.NoError(t, os.WriteFile(stray, []byte("x"), 0o600))
	for _, day := range []string{"20260101", "20260102", "20260103"} {
		require.NoError(t, os.WriteFile(path+".backup-1-"+day+"T000000.000Z", []byte("x"), 0o600))
	}
	db, err := sqlite.Open(context.Background(), sqlite.Options{
		Path: path, Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 5e6, time.UTC) },
	})
	require.NoError(t, err)
	require.NoError(t, db.Close())

	backup := path + ".backup-1-20261120T120000.005Z"
	copies, err := filepath.Glob(path + ".backup-*")
	require.NoError(t, err)
	require.Equal(t, []string{
		path + ".backup-1-20260102T000000.000Z", path + ".backup-1-20260103T000000.000Z", backup, stray,
	}, copies, "the newest three stay, and files that are not ours")
	info, err := os.Stat(backup)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	before, err := sql.Open("sqlite", backup)
	require.NoError(t, err)
	defer func() { require.NoError(t, before.Close()) }()
	var version, rows int
	require.NoError(t, before.QueryRow(`SELECT max(version_id) FROM goose_db_version`).Scan(&version))
	require.NoError(t, before.QueryRow(`SELECT count(*) FROM generations`).Scan(&rows))
	require.Equal(t, [2]int{1, 4}, [2]int{version, rows})
}

func TestOpenAgainMakesNoBackup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	for range 3 {
		db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	files, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, files, 1, "no backup, and the log was written into the file")
}

func TestOpenFillsAnIndexOfAnotherFolding(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	_, err = db.CreateGeneration(ctx, backend.Generation{Text: "Grüße"})
	require.NoError(t, err)
	transcript, err := db.CreateTranscript(ctx, heard("Größe"))
	require.NoError(t, err)
	require.NoError(t, db.ForgetFolding(ctx))
	found, err := db.Generations(ctx, backend.GenerationFilter{Search: "grusse"})
	require.NoError(t, err)
	require.Empty(t, found.Items)
	require.NoError(t, db.Close())

	db = openAt(t, path)
	found, err = db.Generations(ctx, backend.GenerationFilter{Search: "grusse"})
	require.NoError(t, err)
	require.Len(t, found.Items, 1)
	require.Equal(t, []string{transcript.ID}, searchTranscripts(t, db, "grosse"))
}

func TestBackupTo(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "kept"})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "copy 1.db")
	require.NoError(t, os.WriteFile(path, []byte("an older copy"), 0o600))
	require.NoError(t, db.BackupTo(ctx, path))
	beside, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, beside, 1, "no temporary file is left")

	same, err := openAt(t, path).Generation(ctx, g.ID)
	require.NoError(t, err)
	require.Equal(t, g, same)

	err = db.BackupTo(ctx, filepath.Join(t.TempDir(), "missing", "copy.db"))
	require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(err))
}

// names returns the names of profiles.
func names(profiles []backend.Profile) []string {
	list := make([]string, len(profiles))
	for i, p := range profiles {
		list[i] = p.Name
	}
	return list
}
