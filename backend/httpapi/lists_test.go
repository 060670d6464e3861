package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	voicestudio "github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// rowShape is the shape of a complete generation in a list.
var rowShape = changed(generationShape, map[string]string{"chunks": "object", "receipt": "null"})

// changed returns a copy of a shape with other kinds for some fields.
func changed(shape, changes map[string]string) map[string]string {
	out := maps.Clone(shape)
	maps.Copy(out, changes)
	return out
}

func TestRowsAreShort(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	text := strings.Repeat("Wörter für ein langes Stück. ", 20) + "Lighthouse."
	long := s.speak(text, "")
	short := s.speak("Hello.", "")

	rows := s.do("GET", "/history", "").items(t)
	require.Len(t, rows, 2)
	for _, row := range rows {
		requireShape(t, rowShape, row)
	}
	require.Equal(t, "Hello.", rows[0]["text"])
	require.NotContains(t, rows[0], "text_truncated")
	require.Equal(t, true, rows[1]["text_truncated"])
	require.Equal(t, 240, utf8.RuneCountInString(rows[1]["text"].(string)))
	require.True(t, strings.HasPrefix(text, rows[1]["text"].(string)))
	for i, g := range []object{short, long} {
		count := json.Number(strconv.Itoa(len(g["chunks"].([]any))))
		require.Equal(t, map[string]any{"done": count, "total": count}, rows[i]["chunks"])
		require.Equal(t, []any{count, count}, []any{rows[i]["chunks_done"], rows[i]["chunks_total"]})
	}

	hit := s.do("GET", "/history?search=lighthouse", "").items(t)[0]
	require.Contains(t, hit["highlight"], "<mark>Lighthouse</mark>", "after the part that is shown")
	require.Equal(t, rows[1]["text"], hit["text"])
}

func TestFullRows(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	made := s.speak(strings.Repeat("Many words. ", 40), "")
	row := s.do("GET", "/history?full=true", "").items(t)[0]
	requireShape(t, generationShape, row)
	delete(row, "audio_url")
	for _, path := range []string{"/history/", "/generate/"} {
		one := s.do("GET", path+made["id"].(string), "").object(t)
		requireShape(t, generationShape, one)
		delete(one, "audio_url")
		require.Equal(t, one, row)
	}
	require.Equal(t, 422, s.do("GET", "/history?full=maybe", "").StatusCode)
}

func TestScriptRowsAreShort(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	text := strings.Repeat("Many words. ", 40)
	made := s.do("POST", "/script", s.fill(`{"turns":[{"profile_id":"{profile}","text":"`+text+`"}]}`)).object(t)
	turn := func(script object) object { return script["turns"].([]any)[0].(map[string]any) }
	requireShape(t, generationShape, turn(made))

	row := s.do("GET", "/scripts", "").items(t)[0]
	requireShape(t, rowShape, turn(row))
	require.Equal(t, true, turn(row)["text_truncated"])
	requireShape(t, generationShape, turn(s.do("GET", "/scripts?full=true", "").items(t)[0]))
	requireShape(t, generationShape, turn(s.do("GET", "/scripts/"+made["id"].(string), "").object(t)))
}

// countingStore counts the reads that a list of scripts could need, each of which is one statement but for the list, which
// also counts its rows.
type countingStore struct {
	*sqlite.DB
	reads atomic.Int64
}

func (c *countingStore) Generation(ctx context.Context, id string) (backend.Generation, error) {
	c.reads.Add(1)
	return c.DB.Generation(ctx, id)
}

func (c *countingStore) GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error) {
	c.reads.Add(1)
	return c.DB.GenerationsByID(ctx, ids, brief)
}

func (c *countingStore) Script(ctx context.Context, id string) (backend.Script, error) {
	c.reads.Add(1)
	return c.DB.Script(ctx, id)
}

func (c *countingStore) Scripts(ctx context.Context, page backend.Page) (backend.List[backend.Script], error) {
	c.reads.Add(1)
	return c.DB.Scripts(ctx, page)
}

// TestScriptsAreReadAtOnce counts what a list of scripts reads, which does not grow with the scripts and their turns.
func TestScriptsAreReadAtOnce(t *testing.T) {
	t.Parallel()
	var counting *countingStore
	s := newStudio(t, studioOptions{store: func(db *sqlite.DB) voicestudio.Store {
		counting = &countingStore{DB: db}
		return counting
	}})
	const scripts, turns = 20, 5
	for range scripts {
		var ids []string
		for i := range turns {
			g, err := counting.CreateGeneration(t.Context(), backend.Generation{Text: fmt.Sprint("Turn ", i), Status: backend.StatusComplete})
			require.NoError(t, err)
			ids = append(ids, g.ID)
		}
		_, err := counting.CreateScript(t.Context(), backend.Script{ScriptVersion: backend.ScriptVersion{Generations: ids}})
		require.NoError(t, err)
	}
	counting.reads.Store(0)
	list := s.do("GET", "/scripts", "").items(t)
	require.Equal(t, int64(2), counting.reads.Load(), "the scripts, and all of their turns")
	require.Len(t, list, scripts)
	for _, script := range list {
		var texts []string
		for _, turn := range script["turns"].([]any) {
			texts = append(texts, turn.(map[string]any)["text"].(string))
		}
		require.Equal(t, []string{"Turn 0", "Turn 1", "Turn 2", "Turn 3", "Turn 4"}, texts)
	}
}

// TestProgressIsShort reads a stream of progress: only its last message has the complete generation.
func TestProgressIsShort(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{voice: enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: 8000, Delay: 20 * time.Millisecond})})
	text := strings.TrimSpace(strings.Repeat("Many words here. ", 20))
	accepted := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"`+text+`"}`), "Prefer: respond-async").object(t)
	require.Equal(t, text, accepted["text"], "answers of /generate are whole")
	states := s.states(accepted["id"].(string))
	require.Greater(t, len(states), 1)
	for _, g := range states[:len(states)-1] {
		require.Equal(t, true, g["text_truncated"])
		require.Equal(t, map[string]any{"done": g["chunks_done"], "total": g["chunks_total"]}, g["chunks"])
		require.Nil(t, g["receipt"])
	}
	requireShape(t, generationShape, states[len(states)-1])
	require.Equal(t, text, states[len(states)-1]["text"])
}

// TestPageOfLongTextsIsSmall measures a page of 50 texts of 20,000 characters with word times.
func TestPageOfLongTextsIsSmall(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	text := strings.Repeat("Sätze aus <vielen> Wörtern. ", 720)
	g := backend.Generation{
		ProfileName: "Voice", Text: text, Language: "de", Status: backend.StatusComplete, Format: "wav", Engine: "kokoro",
		ModelName: "kokoro-v1.0", Voice: "af_heart", Speed: 1, Duration: 1500, SampleRate: 24000, Channels: 1,
		AudioPath: "/home/user/.local/share/voicewright/audio/" + s.profile + ".wav", Title: strings.Repeat("Title ", 10),
		Receipt: &backend.Receipt{SpokenText: text},
	}
	for i := range 80 {
		c := backend.Chunk{Text: text[:240], Start: float64(i), End: float64(i + 1), Takes: 1}
		for range 40 {
			c.Words = append(c.Words, backend.Word{Text: "Wörtern", Start: float64(i), End: float64(i + 1)})
		}
		g.Chunks = append(g.Chunks, c)
	}
	for range 50 {
		_, err := s.store.(*sqlite.DB).CreateGeneration(t.Context(), g)
		require.NoError(t, err)
	}
	for _, query := range []string{"", "?search=vielen", "?sort=longest"} {
		a := s.do("GET", "/history"+query, "")
		require.Len(t, a.items(t), 50)
		require.Equal(t, map[string]any{"done": json.Number("80"), "total": json.Number("80")}, a.items(t)[0]["chunks"])
		t.Logf("%s: %d bytes", query, len(a.body))
		require.LessOrEqual(t, len(a.body), 100_000, query)
	}
	require.Greater(t, len(s.do("GET", "/history?full=true", "").body), 5_000_000)
}
