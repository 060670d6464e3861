package sqlite_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// clock returns times one second apart.
func clock() func() time.Time {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// openAtTimes opens an empty library whose clock goes on by a second at each look.
func openAtTimes(t *testing.T) (*sqlite.DB, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path, Now: clock()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db, path
}

func content(t *testing.T, text string) map[string]json.RawMessage {
	t.Helper()
	var c map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &c))
	return c
}

func TestDraftsAreKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, path := openAtTimes(t)
	made, err := db.CreateDraft(ctx, backend.Draft{
		ID: "not this", Name: " One ", Content: content(t, `{"text":"Ça & <b>","n":123456789012345678901,"deep":[{"a":null}]}`),
	})
	require.NoError(t, err)
	require.Equal(t, "One", made.Name)
	require.NotEqual(t, "not this", made.ID)
	require.Equal(t, made.CreatedAt, made.UpdatedAt)

	other := openAt(t, path) // what a program that starts again after a crash sees
	got, err := other.Draft(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, made.Name, got.Name)
	require.Equal(t, made.UpdatedAt, got.UpdatedAt)
	require.Equal(t, "123456789012345678901", string(got.Content["n"]))
	require.JSONEq(t, `"Ça & <b>"`, string(got.Content["text"]))

	name := "Two"
	changed, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Name: &name})
	require.NoError(t, err)
	require.Equal(t, "Two", changed.Name)
	require.Len(t, changed.Content, 3, "what was not given stays")
	require.True(t, changed.UpdatedAt.After(made.UpdatedAt))
	changed, err = db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Content: content(t, `{}`)})
	require.NoError(t, err)
	require.Equal(t, "Two", changed.Name)
	require.Empty(t, changed.Content)
	same, err := db.UpdateDraft(ctx, made.ID, backend.DraftPatch{})
	require.NoError(t, err)
	require.Equal(t, changed, same, "nothing given, nothing changed")

	blank := " "
	_, err = db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Name: &blank})
	requireInvalid(t, err, "name", "string_too_short")
	_, err = db.CreateDraft(ctx, backend.Draft{Name: strings.Repeat("é", 101)})
	requireInvalid(t, err, "name", "string_too_long")
	require.NoError(t, db.DeleteDraft(ctx, made.ID))
	for _, err := range []error{
		db.DeleteDraft(ctx, made.ID), failure(db.Draft(ctx, made.ID)),
		failure(db.UpdateDraft(ctx, made.ID, backend.DraftPatch{Name: &name})),
	} {
		require.Equal(t, backend.CodeDraftNotFound, backend.CodeOf(err))
	}
}

func failure[T any](_ T, err error) error { return err }

func requireInvalid(t *testing.T, err error, field, typ string) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"body", field}, invalid.Fields[0].Loc)
	require.Equal(t, typ, invalid.Fields[0].Type)
}

// walk returns all items of a list, asked for in parts.
func walk[T any](t *testing.T, limit int, ask func(backend.Page) (backend.List[T], error)) []T {
	t.Helper()
	var all []T
	page := backend.Page{Limit: limit}
	for {
		part, err := ask(page)
		require.NoError(t, err)
		require.LessOrEqual(t, len(part.Items), limit)
		all = append(all, part.Items...)
		if part.NextCursor == nil {
			require.Len(t, all, part.Total)
			return all
		}
		page.Cursor = *part.NextCursor
	}
}

func TestStudioListsInParts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, _ := openAtTimes(t)
	var first string
	for i := range 23 {
		d, err := db.CreateDraft(ctx, backend.Draft{Name: fmt.Sprint(i), Content: content(t, `{}`)})
		require.NoError(t, err)
		if i == 0 {
			first = d.ID
		}
		_, err = db.CreateScript(ctx, backend.Script{ScriptVersion: backend.ScriptVersion{Title: fmt.Sprint(i)}})
		require.NoError(t, err)
		_, err = db.CreatePronunciation(ctx, backend.Pronunciation{Word: fmt.Sprintf("w%02d", 22-i), Respelling: "x"})
		require.NoError(t, err)
	}
	name := "again"
	_, err := db.UpdateDraft(ctx, first, backend.DraftPatch{Name: &name})
	require.NoError(t, err)
	words := func(p backend.Page) (backend.List[backend.Pronunciation], error) {
		return db.Pronunciations(ctx, backend.PronunciationFilter{Page: p})
	}
	draftsOf := func(p backend.Page) (backend.List[backend.Draft], error) {
		return db.Drafts(ctx, backend.DraftFilter{Page: p})
	}
	scriptsOf := func(p backend.Page) (backend.List[backend.Script], error) { return db.Scripts(ctx, p) }
	for _, limit := range []int{1, 7, 23, 500} {
		drafts := walk(t, limit, draftsOf)
		require.Equal(t, []string{"again", "22", "21"}, []string{drafts[0].Name, drafts[1].Name, drafts[2].Name}, "the last changed first")
		scripts := walk(t, limit, scriptsOf)
		require.Equal(t, "22", scripts[0].Title)
		require.Equal(t, "0", scripts[22].Title)
		entries := walk(t, limit, words)
		require.Equal(t, "w00", entries[0].Word)
		require.Equal(t, "w22", entries[22].Word)
	}
	part, err := db.Drafts(ctx, backend.DraftFilter{Page: backend.Page{Limit: 2}})
	require.NoError(t, err)
	for _, page := range []backend.Page{{Limit: -1}, {Limit: 501}, {Cursor: "x"}, {Cursor: *part.NextCursor}} {
		_, err := db.Scripts(ctx, page)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, page)
	}
	db, _ = openAtTimes(t)
	empty, err := db.Drafts(ctx, backend.DraftFilter{})
	require.NoError(t, err)
	require.NotNil(t, empty.Items)
	require.Zero(t, empty.Total)
}

func TestScriptsAreKept(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, path := openAtTimes(t)
	made, err := db.CreateScript(ctx, backend.Script{ScriptVersion: backend.ScriptVersion{Title: "Dialogue", GapMS: 300, Generations: []string{"a", "b", "a"}}})
	require.NoError(t, err)
	got, err := openAt(t, path).Script(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, made, got)

	joined, err := db.UpdateScript(ctx, made.ID, func(s *backend.Script) error {
		s.ID, s.AudioPath, s.Duration, s.SampleRate, s.Generations = "other", "/a.wav", 2.5, 24000, nil
		s.Joined = []string{"00ff", "ff00"}
		s.Previous, s.Spare = &backend.ScriptVersion{Title: "Before", Generations: []string{"a"}, File: "a.wav"}, []string{"c"}
		s.Speakers = []string{"Anna", ""}
		s.Receipt = &backend.ScriptReceipt{Voices: []backend.ScriptVoice{{Voice: "0", GainDB: -3}}}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, made.ID, joined.ID)
	require.Equal(t, "/a.wav", joined.AudioPath)
	require.True(t, joined.UpdatedAt.After(made.UpdatedAt))
	got, err = db.Script(ctx, made.ID)
	require.NoError(t, err)
	require.InDelta(t, 2.5, got.Duration, 0)
	require.Equal(t, 24000, got.SampleRate)
	require.Empty(t, got.Generations)
	require.Equal(t, []string{"00ff", "ff00"}, got.Joined)
	require.Equal(t, joined.Previous, got.Previous)
	require.Equal(t, []string{"c"}, got.Spare)
	require.Equal(t, joined.Receipt, got.Receipt)
	require.Equal(t, []string{"Anna", ""}, got.Speakers)
	require.NoError(t, db.SetSpareTurns(ctx, made.ID, []string{"d"}))
	spared, err := db.Script(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"d"}, spared.Spare)
	require.Equal(t, got.UpdatedAt, spared.UpdatedAt)

	wrong := errors.New("wrong")
	_, err = db.UpdateScript(ctx, made.ID, func(s *backend.Script) error {
		s.Title = "lost"
		return wrong
	})
	require.ErrorIs(t, err, wrong)
	got, err = db.Script(ctx, made.ID)
	require.NoError(t, err)
	require.Equal(t, "Dialogue", got.Title)
	_, err = db.Script(ctx, "x")
	require.Equal(t, backend.CodeScriptNotFound, backend.CodeOf(err))
	_, err = db.UpdateScript(ctx, "x", func(*backend.Script) error { return nil })
	require.Equal(t, backend.CodeScriptNotFound, backend.CodeOf(err))
}

// TestDropTurns keeps the turns of scripts and of their previous versions, favourites and what is in progress.
func TestDropTurns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	var ids []string
	for _, g := range []backend.Generation{
		{Status: backend.StatusComplete},
		{Status: backend.StatusComplete},
		{Status: backend.StatusComplete, Favorite: true},
		{Status: backend.StatusGenerating},
		{Status: backend.StatusFailed},
	} {
		g, err := db.CreateGeneration(ctx, g)
		require.NoError(t, err)
		ids = append(ids, g.ID)
	}
	_, err := db.CreateScript(ctx, backend.Script{
		ScriptVersion: backend.ScriptVersion{Generations: ids[:1]},
		Previous:      &backend.ScriptVersion{Generations: ids[1:2]},
	})
	require.NoError(t, err)
	dropped, err := db.DropTurns(ctx, ids)
	require.NoError(t, err)
	require.Len(t, dropped, 1)
	require.Equal(t, ids[4], dropped[0].ID)
}

// TestDictionaryIsBounded refuses what would make each preview slow, and keeps what was there.
func TestDictionaryIsBounded(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	entries := func(n int, respelling string) []backend.Pronunciation {
		all := make([]backend.Pronunciation, n)
		for i := range all {
			all[i] = backend.Pronunciation{Word: fmt.Sprintf("w%d", i), Respelling: respelling}
		}
		return all
	}
	_, _, err := db.ImportPronunciations(ctx, entries(backend.MaxDictionaryWords+1, "x"))
	requireInvalid(t, err, "word", "too_long")
	_, _, err = db.ImportPronunciations(ctx, entries(backend.MaxDictionaryBytes/200, strings.Repeat("x", 199)))
	requireInvalid(t, err, "word", "too_long")
	_, _, err = db.ImportPronunciations(ctx, slices.Repeat(entries(1, "x"), backend.MaxDictionaryWords+1))
	requireInvalid(t, err, "word", "too_long")
	all, err := db.AllPronunciations(ctx)
	require.NoError(t, err)
	require.Empty(t, all)
	_, _, err = db.ImportPronunciations(ctx, entries(backend.MaxDictionaryWords, "x"))
	require.NoError(t, err)
	_, err = db.CreatePronunciation(ctx, backend.Pronunciation{Word: "one more", Respelling: "x"})
	requireInvalid(t, err, "word", "too_long")
}

func TestPronunciations(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	add := func(word, respelling, language string) backend.Pronunciation {
		p, err := db.CreatePronunciation(ctx, backend.Pronunciation{Word: word, Respelling: respelling, Language: language})
		require.NoError(t, err)
		return p
	}
	nginx := add("  Nginx ", "engine  x", "")
	require.Equal(t, []string{"Nginx", "engine x", ""}, []string{nginx.Word, nginx.Respelling, nginx.Language})
	add("nginx", "/ɛndʒɪn ˈɛks/", "en_GB")
	ecole := add("École", "ekol", "fr")
	add("ecole", "eh coal", "fr")
	for _, p := range []backend.Pronunciation{
		{Word: "NGINX", Respelling: "x"}, {Word: "nginx", Respelling: "x", Language: "EN-gb"}, {Word: "E\u0301COLE", Respelling: "x", Language: "FR"},
	} {
		_, err := db.CreatePronunciation(ctx, p)
		require.Equal(t, backend.CodeNameTaken, backend.CodeOf(err), p)
	}

	for want, f := range map[string]backend.PronunciationFilter{
		"École ecole Nginx nginx": {}, "Nginx nginx": {Search: "ngi"}, "ecole": {Search: "coal"}, "École ecole": {Language: "fr"},
		"nginx": {Language: "en", Search: "nginx"}, "": {Search: "?!"},
	} {
		list, err := db.Pronunciations(ctx, f)
		require.NoError(t, err)
		words := make([]string, len(list.Items))
		for i, p := range list.Items {
			words[i] = p.Word
		}
		require.Equal(t, want, strings.Join(words, " "))
		require.Equal(t, len(words), list.Total)
	}

	upper, taken := "NGINX", "fr"
	changed, err := db.UpdatePronunciation(ctx, nginx.ID, backend.PronunciationPatch{Word: &upper})
	require.NoError(t, err, "its own word in another case")
	require.Equal(t, "NGINX", changed.Word)
	require.Equal(t, "engine x", changed.Respelling)
	plain := "ecole"
	_, err = db.UpdatePronunciation(ctx, nginx.ID, backend.PronunciationPatch{Word: &plain, Language: &taken})
	require.Equal(t, backend.CodeNameTaken, backend.CodeOf(err))
	_, err = db.UpdatePronunciation(ctx, nginx.ID, backend.PronunciationPatch{Word: new(string)})
	requireInvalid(t, err, "word", "string_too_short")
	got, err := db.Pronunciation(ctx, nginx.ID)
	require.NoError(t, err)
	require.Equal(t, changed, got)

	require.NoError(t, db.DeletePronunciation(ctx, ecole.ID))
	for _, err := range []error{
		db.DeletePronunciation(ctx, ecole.ID), failure(db.Pronunciation(ctx, ecole.ID)),
		failure(db.UpdatePronunciation(ctx, ecole.ID, backend.PronunciationPatch{})),
	} {
		require.Equal(t, backend.CodeWordNotFound, backend.CodeOf(err))
	}
}

func TestImportPronunciations(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	kept, err := db.CreatePronunciation(ctx, backend.Pronunciation{Word: "Lemma", Respelling: "old"})
	require.NoError(t, err)
	added, replaced, err := db.ImportPronunciations(ctx, []backend.Pronunciation{
		{Word: "lemma", Respelling: "new"}, {Word: "twice", Respelling: "1"}, {Word: "TWICE", Respelling: "2"},
	})
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 2}, [2]int{added, replaced})
	got, err := db.Pronunciation(ctx, kept.ID)
	require.NoError(t, err, "a replaced entry keeps its id")
	require.Equal(t, []string{"lemma", "new"}, []string{got.Word, got.Respelling})

	_, _, err = db.ImportPronunciations(ctx, []backend.Pronunciation{{Word: "good", Respelling: "x"}, {Word: "?", Respelling: "x"}})
	requireInvalid(t, err, "word", "value_error")
	all, err := db.AllPronunciations(ctx)
	require.NoError(t, err)
	require.Equal(t, []string{"lemma", "TWICE"}, []string{all[0].Word, all[1].Word}, "all or nothing")
	require.Len(t, all, 2)
}

// TestAllPronunciationsFollowEveryWrite reads the whole dictionary after each kind of write, and again from memory.
func TestAllPronunciationsFollowEveryWrite(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	reads := func(want ...string) {
		t.Helper()
		for range 2 {
			all, err := db.AllPronunciations(ctx)
			require.NoError(t, err)
			got := []string{}
			for i, p := range all {
				got = append(got, p.Respelling)
				all[i].Respelling = "not the next reader's"
			}
			require.ElementsMatch(t, want, got)
		}
	}
	reads()
	p, err := db.CreatePronunciation(ctx, backend.Pronunciation{Word: "one", Respelling: "1"})
	require.NoError(t, err)
	reads("1")
	_, err = db.UpdatePronunciation(ctx, p.ID, backend.PronunciationPatch{Respelling: new("2")})
	require.NoError(t, err)
	reads("2")
	_, _, err = db.ImportPronunciations(ctx, []backend.Pronunciation{{Word: "two", Respelling: "3"}})
	require.NoError(t, err)
	reads("2", "3")
	require.NoError(t, db.DeletePronunciation(ctx, p.ID))
	reads("3")

	// What comes from elsewhere does not show: the words are in memory.
	other, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = other.ExecContext(ctx, "DELETE FROM pronunciations")
	require.NoError(t, err)
	require.NoError(t, other.Close())
	reads("3")
}
