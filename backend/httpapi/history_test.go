package httpapi_test

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	other := s.create(`{"name":"Other"}`)["id"].(string)
	first := s.speak("Ärger im Café.", "")["id"].(string)
	second := s.speak("A longer text about a harbour at night.", `,"title":"Harbour"`)["id"].(string)
	third := s.do("POST", "/generate", fmt.Sprintf(`{"profile_id":%q,"text":"Night."}`, other)).object(t)["id"].(string)
	require.Equal(t, 200, s.do("PATCH", "/history/"+first, `{"favorite":true}`).StatusCode)

	ids := func(query string) []string {
		a := s.do("GET", "/history?"+query, "")
		require.Equal(t, 200, a.StatusCode, a.body)
		requireShape(t, map[string]string{"items": "array", "total": "integer", "next_cursor": "null"}, a.object(t))
		out := []string{}
		for _, g := range a.items(t) {
			requireShape(t, rowShape, g)
			out = append(out, g["id"].(string))
		}
		require.Equal(t, fmt.Sprint(len(out)), fmt.Sprint(a.object(t)["total"]))
		return out
	}
	future := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	for query, want := range map[string][]string{
		"":                                       {third, second, first},
		"unknown=1":                              {third, second, first},
		"sort=oldest":                            {first, second, third},
		"sort=longest":                           {second, first, third},
		"sort=shortest":                          {third, first, second},
		"search=cafe":                            {first},
		"search=arger":                           {first},
		"search=harb":                            {second},
		"search=nigh":                            {third, second},
		"search=longer+night":                    {second},
		"search=%22%28AND":                       {},
		"profile_id=" + other:                    {third},
		"profile_id=" + strings.ToUpper(other):   {third},
		"profile_id=" + itemID:                   {},
		"engine=fixture":                         {third, second, first},
		"engine=piper":                           {},
		"source=local":                           {third, second, first},
		"source=hosted":                          {},
		"status=complete":                        {third, second, first},
		"status=failed":                          {},
		"favorite=true":                          {first},
		"favorite=false":                         {third, second},
		"to=" + future:                           {third, second, first},
		"from=" + future:                         {},
		"from=2020-01-01T00:00:00%2B01:00":       {third, second, first},
		"favorite=false&search=nigh&sort=oldest": {second, third},
	} {
		require.Equal(t, want, ids(query), query)
	}
	hit := s.do("GET", "/history?search=harb", "").items(t)[0]
	require.Contains(t, hit["highlight"], "<mark>harbour</mark>")
	require.NotContains(t, s.do("GET", "/history", "").items(t)[0], "highlight")
	require.Equal(t, []string{third, second, first}, s.pages("/history?limit=1", "id"))
	require.Equal(t, []string{third, second}, s.pages("/history?limit=1&search=nigh", "id"))

	for query, loc := range map[string]string{
		"limit=0": "limit", "limit=501": "limit", "limit=1.5": "limit", "sort=best": "sort", "profile_id=x": "profile_id",
		"source=x": "source", "status=x": "status", "favorite=1": "favorite", "from=yesterday": "from",
		"to=2026-01-01": "to", "cursor=x": "cursor", "search=%00": "search",
		"search=a;%00": "search", "search=100%": "search", strings.Repeat("a=&", 10_001) + "search=%00": "search",
	} {
		a := s.do("GET", "/history?"+query, "")
		require.Equal(t, 422, a.StatusCode, query)
		require.Contains(t, a.body, `"loc":["query","`+loc+`"]`, query)
		requireInvalidOrProblem(t, a)
	}
}

func TestPatchHistory(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello.", "")
	path := "/history/" + g["id"].(string)
	a := s.do("PATCH", path, `{"title":"Morning","unknown":1}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	requireShape(t, generationShape, a.object(t))
	require.Equal(t, "Morning", a.object(t)["title"])
	require.Equal(t, false, a.object(t)["favorite"])
	a = s.do("PATCH", path, `{"favorite":true}`)
	require.Equal(t, "Morning", a.object(t)["title"])
	require.Equal(t, true, a.object(t)["favorite"])
	require.Equal(t, 200, s.do("PATCH", path, `{}`).StatusCode)
	require.Len(t, s.do("GET", "/history?search=morn", "").items(t), 1, "the new title is found")
	for body, loc := range map[string]string{
		`{"title":5}`: "title", `{"title":"` + strings.Repeat("a", 201) + `"}`: "title", `{"favorite":"x"}`: "favorite",
		`{"title":"\ud800"}`: "title",
	} {
		a := s.do("PATCH", path, body)
		require.Equal(t, 422, a.StatusCode, body)
		require.Contains(t, a.body, `"loc":["body","`+loc+`"]`)
	}
	require.Equal(t, 422, s.do("PATCH", path, "").StatusCode)
}

func TestDeleteHistory(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var ids []string
	var paths []string
	for range 4 {
		g := s.speak("Hello.", "")
		ids, paths = append(ids, g["id"].(string)), append(paths, g["audio_path"].(string))
	}
	a := s.do("DELETE", "/history/"+ids[0], "")
	require.Equal(t, 204, a.StatusCode)
	require.Empty(t, a.body)
	require.NoFileExists(t, paths[0])
	require.Equal(t, 404, s.do("DELETE", "/history/"+ids[0], "").StatusCode)
	require.Equal(t, 404, s.do("GET", "/audio/"+ids[0], "").StatusCode)

	a = s.do("POST", "/history/delete", fmt.Sprintf(`{"ids":[%q,%q,%q]}`, ids[1], strings.ToUpper(ids[2]), itemID))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"deleted":2}`, a.body)
	require.NoFileExists(t, paths[1])
	require.FileExists(t, paths[3])
	require.Len(t, s.do("GET", "/history", "").items(t), 1)
	for body, loc := range map[string]string{
		`{}`: `["body","ids"]`, `{"ids":[]}`: `["body","ids"]`, `{"ids":["x"]}`: `["body","ids","0"]`, `{"ids":"x"}`: `["body","ids"]`,
	} {
		a := s.do("POST", "/history/delete", body)
		require.Equal(t, 422, a.StatusCode, body)
		require.Contains(t, a.body, `"loc":`+loc, body)
	}
}

func TestAudioOfHistory(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello.", "")
	url, id := g["audio_url"].(string), g["id"].(string)
	file, err := os.ReadFile(g["audio_path"].(string))
	require.NoError(t, err)
	a := s.do("GET", url, "", "-Authorization", "Range: bytes=4-7")
	require.Equal(t, 206, a.StatusCode)
	require.Equal(t, string(file[4:8]), a.body)
	require.Equal(t, fmt.Sprintf("bytes 4-7/%d", len(file)), a.Header.Get("Content-Range"))
	a = s.do("HEAD", url, "", "-Authorization")
	require.Equal(t, 200, a.StatusCode)
	require.Equal(t, "audio/wav", a.Header.Get("Content-Type"))
	require.Equal(t, "bytes", a.Header.Get("Accept-Ranges"))
	require.EqualValues(t, len(file), a.ContentLength)
	require.Equal(t, 416, s.do("GET", url, "", "-Authorization", "Range: bytes=99999999-").StatusCode)

	s.at(time.Now().Add(59 * time.Minute))
	require.Equal(t, 200, s.do("GET", url, "", "-Authorization").StatusCode)
	s.at(time.Now().Add(61 * time.Minute))
	require.Equal(t, 401, s.do("GET", url, "", "-Authorization").StatusCode)
	s.at(time.Now())

	missing := func(path string) any { return s.do("GET", path, "").object(t)["audio_missing"] }
	require.Nil(t, missing("/history/"+id))
	require.NoError(t, os.Remove(g["audio_path"].(string)))
	for _, path := range []string{url, "/history/" + id + "/export", "/history/" + id + "/peaks"} {
		a := s.do("GET", path, "")
		require.Equal(t, 410, a.StatusCode, path)
		require.Equal(t, "audio_missing", a.object(t)["code"], path)
		require.NotEmpty(t, a.object(t)["remedy"], path)
	}
	for _, path := range []string{"/history/" + id, "/generate/" + id} {
		require.Equal(t, true, missing(path), path)
	}
	require.NotContains(t, s.do("GET", "/history", "").body, "audio_missing", "a list looks at no file")

	again := s.do("POST", "/generate/"+id+"/regenerate", fmt.Sprintf(`{"seed":%v}`, g["seed"]))
	require.Equal(t, 202, again.StatusCode, again.body)
	next := again.object(t)["id"].(string)
	require.Eventually(t, func() bool {
		return s.do("GET", "/history/"+next, "").object(t)["status"] == "complete"
	}, testTimeout, 5*time.Millisecond)
	require.Nil(t, missing("/history/"+next))
}

func TestExportOne(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there. Good night.", `,"title":"Öl / Gas"`)
	path := "/history/" + g["id"].(string) + "/export"
	wav := s.do("GET", path, "")
	require.Equal(t, 200, wav.StatusCode, wav.body)
	require.Equal(t, "audio/wav", wav.Header.Get("Content-Type"))
	require.Contains(t, wav.Header.Get("Content-Disposition"), "attachment; filename")
	require.Contains(t, wav.body, "synthetic speech")
	require.Equal(t, wav.body, s.do("GET", path+"?format=wav&other=1", "").body)
	srt := s.do("GET", path+"?format=srt", "")
	require.Equal(t, "application/x-subrip", srt.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(srt.body, "1\n00:00:00,000 --> "), srt.body)
	vtt := s.do("GET", path+"?format=vtt", "")
	require.Equal(t, "text/vtt; charset=utf-8", vtt.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(vtt.body, "WEBVTT\n"), vtt.body)
	quiet := s.do("GET", path+"?format=wav&loudness=-23&bitrate=64", "")
	require.Equal(t, 200, quiet.StatusCode, quiet.body)
	require.InDelta(t, -23, loudnessOf(t, quiet.body), 0.3)
	require.InDelta(t, -16, loudnessOf(t, wav.body), 0.3)
	for query, field := range map[string]string{
		"format=ogg": "format", "loudness=loud": "loudness", "loudness=NaN": "loudness", "loudness=-8": "loudness", "loudness=-40": "loudness",
		"bitrate=1": "bitrate", "bitrate=321": "bitrate", "bitrate=1.5": "bitrate",
	} {
		bad := s.do("GET", path+"?"+query, "")
		require.Equal(t, 422, bad.StatusCode, query)
		require.Contains(t, bad.body, `"loc":["query","`+field+`"]`)
		requireInvalidOrProblem(t, bad)
	}
}

// loudnessOf returns the loudness of a WAV file in LUFS.
func loudnessOf(t *testing.T, wav string) float64 {
	t.Helper()
	b, err := audio.ReadWAV(strings.NewReader(wav))
	require.NoError(t, err)
	m := audio.NewMeter(b.Rate, b.Channels)
	m.Write(b.Samples)
	lufs, ok := m.Integrated()
	require.True(t, ok)
	return lufs
}

// TestExportMany packs what has audio and names what has none.
func TestExportMany(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a, b := s.speak("Same words.", ""), s.speak("Same words.", "")
	lost := s.speak("Lost.", "")
	require.NoError(t, os.Remove(lost["audio_path"].(string)))
	z := s.do("POST", "/history/export", fmt.Sprintf(`{"ids":[%q,%q,%q]}`, a["id"], b["id"], lost["id"]))
	require.Equal(t, 200, z.StatusCode, z.body)
	require.Equal(t, "application/zip", z.Header.Get("Content-Type"))
	packed, err := zip.NewReader(strings.NewReader(z.body), int64(len(z.body)))
	require.NoError(t, err)
	names := make([]string, 0, 3)
	for _, f := range packed.File {
		names = append(names, f.Name)
		r, err := f.Open()
		require.NoError(t, err)
		raw, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		require.Equal(t, f.Name == "missing.txt", strings.Contains(string(raw), lost["id"].(string)))
	}
	slices.Sort(names)
	require.Equal(t, []string{"Same words 2.wav", "Same words.wav", "missing.txt"}, names)
	require.Equal(t, 404, s.do("POST", "/history/export", `{"ids":["`+itemID+`"]}`).StatusCode)
	require.Equal(t, 422, s.do("POST", "/history/export", `{"ids":["`+itemID+`"],"format":"ogg"}`).StatusCode)
	require.Equal(t, 422, s.do("POST", "/history/export", `{"ids":["`+itemID+`"],"loudness":-5}`).StatusCode)
	require.Equal(t, 422, s.do("POST", "/history/export", `{"ids":[]}`).StatusCode)
	quiet := s.do("POST", "/history/export", fmt.Sprintf(`{"ids":[%q],"loudness":-23}`, a["id"]))
	require.Equal(t, 200, quiet.StatusCode, quiet.body)
	packed, err = zip.NewReader(strings.NewReader(quiet.body), int64(len(quiet.body)))
	require.NoError(t, err)
	r, err := packed.File[0].Open()
	require.NoError(t, err)
	raw, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.InDelta(t, -23, loudnessOf(t, string(raw)), 0.3)
}

func TestExportIndex(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	empty := s.do("GET", "/history/export", "")
	require.Equal(t, 200, empty.StatusCode)
	s.speak("=1+1 is a formula.", "")
	s.speak("Good night.", "")
	table := s.do("GET", "/history/export", "")
	require.Equal(t, "text/csv; charset=utf-8", table.Header.Get("Content-Type"))
	require.Contains(t, table.Header.Get("Content-Disposition"), "history.csv")
	rows, err := csv.NewReader(strings.NewReader(table.body)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Contains(t, rows[0], "profile_name")
	require.Contains(t, rows[2], "'=1+1 is a formula.")
	list := s.do("GET", "/history/export?format=json&search=nigh", "")
	require.Equal(t, "application/json", list.Header.Get("Content-Type"))
	var found []object
	decode(t, list.body, &found)
	require.Len(t, found, 1)
	require.Equal(t, "Good night.", found[0]["text"])
	require.Equal(t, 422, s.do("GET", "/history/export?format=xml", "").StatusCode)
	require.Equal(t, 422, s.do("GET", "/history/export?status=x", "").StatusCode)
}

func TestHistoryStatsAndStorage(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello.", "")
	s.speak("Hello again.", "")
	stats := s.do("GET", "/history/stats", "").object(t)
	requireShape(t, map[string]string{
		"generations": "integer", "complete": "integer", "failed": "integer", "seconds": "number", "characters": "integer",
		"by_engine": "object", "by_profile": "object",
	}, stats)
	require.Equal(t, "2", fmt.Sprint(stats["complete"]))
	require.Equal(t, "18", fmt.Sprint(stats["characters"]))
	require.Equal(t, "2", fmt.Sprint(stats["by_profile"].(map[string]any)[backend.BuiltInProfileName]))
	require.NoError(t, os.Remove(g["audio_path"].(string)))
	storage := s.do("GET", "/history/storage", "").object(t)
	requireShape(t, map[string]string{"files": "integer", "bytes": "integer", "missing": "integer"}, storage)
	require.Equal(t, "1", fmt.Sprint(storage["files"]))
	require.Equal(t, "1", fmt.Sprint(storage["missing"]))
}

func TestPeaks(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello.", "")
	path := "/history/" + g["id"].(string) + "/peaks"
	a := s.do("GET", path+"?n=10", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	peaks := a.object(t)["peaks"].([]any)
	require.Len(t, peaks, 10)
	for _, p := range peaks {
		pair := p.([]any)
		require.Len(t, pair, 2)
		require.NotEqual(t, pair[0], pair[1], "a tone has no flat part")
	}
	for _, n := range []string{"0", "8001", "x"} {
		require.Equal(t, 422, s.do("GET", path+"?n="+n, "").StatusCode)
	}
}
