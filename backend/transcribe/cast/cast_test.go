package cast_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/backend/transcribe/cast"
)

var update = flag.Bool("update", false, "write the golden files")

// library is an empty library.
func library(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(t.TempDir(), "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// profiles returns a profile for each "name/language/kind", whose id is the name.
func profiles(named ...string) (all []backend.Profile) {
	for i, one := range named {
		parts := strings.Split(one+"/preset", "/")
		all = append(all, backend.Profile{
			ID: "id of " + parts[0], Name: parts[0], Language: parts[1], VoiceType: backend.VoiceType(parts[2]), Usable: parts[2] != "cloned",
			CreatedAt: time.Unix(int64(i), 0),
		})
	}
	return all
}

// script makes the script of a transcript.
func script(t *testing.T, r cast.Request) []backend.Draft {
	t.Helper()
	drafts, err := cast.Script(t.Context(), library(t), r)
	require.NoError(t, err)
	return drafts
}

// talk is a transcript of lines, each "Speaker: text"; those without a speaker begin with a colon.
func talk(lines ...string) backend.Transcript {
	t := backend.Transcript{ID: "t", Title: "Interview", Status: backend.StatusComplete, Language: "en"}
	for i, line := range lines {
		speaker, text, _ := strings.Cut(line, ":")
		t.Segments = append(t.Segments, backend.Segment{ID: i + 1, Start: float64(i), End: float64(i + 1), Speaker: speaker, Text: text})
	}
	return t
}

// draft is the content of a draft as the page reads it.
type draft struct {
	Kind, Title string
	GapMS       int
	Speakers    []struct {
		ID, Name, ProfileID string
		Hue                 int
	}
	Turns []struct{ ID, SpeakerID, Text string }
}

func read(t *testing.T, d backend.Draft) (out draft) {
	t.Helper()
	raw, err := json.Marshal(d.Content)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &out))
	return out
}

// said returns the turns as "Speaker: text".
func (d draft) said() (out []string) {
	names := map[string]string{}
	for _, s := range d.Speakers {
		names[s.ID] = s.Name
	}
	for _, turn := range d.Turns {
		out = append(out, names[turn.SpeakerID]+": "+turn.Text)
	}
	return out
}

// voices returns the names of the profiles by the names of the speakers.
func (d draft) voices() map[string]string {
	out := map[string]string{}
	for _, s := range d.Speakers {
		out[s.Name] = strings.TrimPrefix(s.ProfileID, "id of ")
	}
	return out
}

func TestTurns(t *testing.T) {
	t.Parallel()
	db := library(t)
	interview := talk(": (Music)", "Anna: Hello,", "Anna: and welcome.", ": Today", "Anna:  we talk.", "Ben: Yes. ", "Ben: ", "Anna: \n",
		"Ben: No.", " Anna : Bye.")
	interview.Segments[4].Start += 5 // a pause
	drafts, err := cast.Script(t.Context(), db, cast.Request{Transcript: interview})
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	require.Equal(t, "Interview", drafts[0].Name)
	require.Equal(t, []string{"Anna: (Music) Hello, and welcome. Today\n\nwe talk.", "Ben: Yes. No.", "Anna: Bye."}, read(t, drafts[0]).said())
	stored, err := db.Draft(t.Context(), drafts[0].ID)
	require.NoError(t, err)
	require.Equal(t, read(t, drafts[0]), read(t, stored))

	drafts = script(t, cast.Request{Transcript: talk("林:你好。", "林:再见。")})
	require.Equal(t, []string{"林: 你好。再见。"}, read(t, drafts[0]).said())
}

func TestTextWithoutSpeakers(t *testing.T) {
	t.Parallel()
	db := library(t)
	plain := talk(": Hello.", "Anna: ", ": Bye.")
	finding := plain
	finding.FindingSpeakers = &backend.FindingSpeakers{}
	running := talk("Anna: Hello.")
	running.Status = backend.StatusTranscribing
	for _, c := range []struct {
		transcript backend.Transcript
		code       backend.Code
		remedy     string
	}{
		{plain, backend.CodeNothingToSpeak, "Find its speakers"},
		{finding, backend.CodeNothingToSpeak, "being found"},
		{talk(), backend.CodeNothingToSpeak, "Find its speakers"},
		{running, backend.CodeNotInProgress, "Wait"},
	} {
		_, err := cast.Script(t.Context(), db, cast.Request{Transcript: c.transcript})
		require.Equal(t, c.code, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Remedy, c.remedy)
	}
	list, err := db.Drafts(t.Context(), backend.DraftFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Items)
}

func TestVoices(t *testing.T) {
	t.Parallel()
	known := profiles("Àlice/en", "Anna/de", "Ben/en/hosted", "Bob/en-GB", "Built-in voice/en/default", "Carla/de-AT", "Cloud/en/hosted",
		"Empty/en/cloned", "Another/en/default", "Zed/en")
	for _, c := range []struct {
		name, language string
		translated     bool
		speakers       string
		given, want    map[string]string
	}{
		{
			"by name, then the default one, then others of the language", "en", false, "anna,Speaker 2,Speaker 3", nil,
			map[string]string{"anna": "Anna", "Speaker 2": "Built-in voice", "Speaker 3": "Àlice"},
		},
		{"accents", "en", false, "Alice,Speaker 2", nil, map[string]string{"Alice": "Àlice", "Speaker 2": "Built-in voice"}},
		{
			"in the language of the text", "de", false, "Speaker 1,Speaker 2,Speaker 3", nil,
			map[string]string{"Speaker 1": "Anna", "Speaker 2": "Carla", "Speaker 3": "Anna"},
		},
		{"of a translation", "de", true, "Speaker 1", nil, map[string]string{"Speaker 1": "Built-in voice"}},
		{
			"a language that nobody speaks", "fi", false, "Speaker 1,Speaker 2", nil,
			map[string]string{"Speaker 1": "Built-in voice", "Speaker 2": "Àlice"},
		},
		{"hosted ones by name alone", "en", false, "Ben,A,B,C,D,E", nil, map[string]string{
			"Ben": "Ben", "A": "Built-in voice", "B": "Àlice",
			"C": "Bob", "D": "Another", "E": "Zed",
		}},
		{
			"given", "en", false, "Anna,Bob",
			map[string]string{"ANNA": "id of Cloud", "Bob": "id of Anna"},
			map[string]string{"Anna": "Cloud", "Bob": "Anna"},
		},
	} {
		var lines []string
		for name := range strings.SplitSeq(c.speakers, ",") {
			lines = append(lines, name+": Hello.")
		}
		transcript := talk(lines...)
		transcript.Language, transcript.Request.Translate = c.language, c.translated
		require.Equal(t, c.want, read(t, script(t, cast.Request{Transcript: transcript, Profiles: known, Voices: c.given})[0]).voices(), c.name)
	}
	require.Empty(t, read(t, script(t, cast.Request{Transcript: talk("Anna: Hello.")})[0]).Speakers[0].ProfileID, "there are no profiles")

	db := library(t)
	request := cast.Request{Transcript: talk("Anna: Hello."), Profiles: known, Voices: map[string]string{"Karl": "id of Bob"}}
	_, err := cast.Script(t.Context(), db, request)
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"body", "voices", "Karl"}, invalid.Fields[0].Loc)
	request.Voices = map[string]string{"Anna": "nobody"}
	_, err = cast.Script(t.Context(), db, request)
	require.Equal(t, backend.CodeProfileNotFound, backend.CodeOf(err))
}

// A day of talk is several scripts, each within the limits, and nothing is lost.
func TestLongInterview(t *testing.T) {
	t.Parallel()
	require.Equal(t, scripts.MaxTurns, cast.MaxTurns)
	db := library(t)
	var lines []string
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("%s: Sentence %d.", []string{"Anna", "Ben"}[i%2], i))
	}
	lines = append(lines, "Carl: The end.")
	transcript := talk(lines...)
	transcript.Title = strings.Repeat("é", 150)
	drafts, err := cast.Script(t.Context(), db, cast.Request{Transcript: transcript, Profiles: profiles("Anna/en", "Ben/en")})
	require.NoError(t, err)
	require.Len(t, drafts, 26)
	var said []string
	for i, d := range drafts {
		one := read(t, d)
		require.LessOrEqual(t, len(one.Turns), cast.MaxTurns)
		require.Greater(t, len(one.Turns), 150, "parts are about equal")
		require.Equal(t, fmt.Sprintf("%s (%d/26)", strings.Repeat("é", 100-len(fmt.Sprintf(" (%d/26)", i+1))), i+1), d.Name)
		require.Equal(t, d.Name, one.Title)
		said = append(said, one.said()...)
		require.Equal(t, drafts[0].Content["speakers"][:50], d.Content["speakers"][:50], "each speaker looks and sounds the same in all parts")
	}
	require.Len(t, read(t, drafts[0]).Speakers, 2, "Carl says nothing in it")
	require.Len(t, read(t, drafts[25]).Speakers, 3)
	require.Equal(t, lines, said)
	list, err := db.Drafts(t.Context(), backend.DraftFilter{})
	require.NoError(t, err)
	require.Equal(t, drafts[0].ID, list.Items[0].ID, "the first part is on top")

	var monologue []string
	for range 500 {
		monologue = append(monologue, "Anna: "+strings.Repeat("Grüße 🙂 ", 100)+"end.")
	}
	drafts = script(t, cast.Request{Transcript: talk(monologue...)})
	require.Len(t, drafts, 3)
	ends := 0
	for _, d := range drafts {
		one := read(t, d)
		require.Len(t, one.Turns, 1)
		require.LessOrEqual(t, utf8.RuneCountInString(one.Turns[0].Text), cast.MaxCharacters)
		ends += strings.Count(one.Turns[0].Text, "end.")
	}
	require.Equal(t, 500, ends)
}

// full is a store that has no room for one of the drafts.
type full struct {
	*sqlite.DB
	left int
}

func (f *full) CreateDraft(ctx context.Context, d backend.Draft) (backend.Draft, error) {
	if f.left--; f.left < 0 {
		return backend.Draft{}, backend.E(backend.CodeInsufficientDisk, "The disk is full.", "Free space.")
	}
	return f.DB.CreateDraft(ctx, d)
}

func TestNoHalfScripts(t *testing.T) {
	t.Parallel()
	db := library(t)
	var lines []string
	for i := range 900 {
		lines = append(lines, fmt.Sprintf("%d: Hello.", i))
	}
	_, err := cast.Script(t.Context(), &full{db, 3}, cast.Request{Transcript: talk(lines...)})
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err))
	list, err := db.Drafts(t.Context(), backend.DraftFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Items)
}

// The page reads this file in a test of its own.
func TestContent(t *testing.T) {
	t.Parallel()
	drafts := script(t, cast.Request{Transcript: talk("Anna: Hello.", "Ben: Yes?", "Anna: Bye."), Profiles: profiles("Anna/en", "Ben/en")})
	content, err := json.MarshalIndent(drafts[0].Content, "", "  ")
	require.NoError(t, err)
	got := string(content) + "\n"
	golden := filepath.Join("testdata", "interview.json")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
