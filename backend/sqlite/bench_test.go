package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// benchRows is the length of the history that the goals in docs/benchmarks.md speak of.
const benchRows = 100_000

// BenchmarkHistory fills a history of benchRows generations once and prints p50 and p95 of what users do with it.
// Run it with -benchtime=200x.
func BenchmarkHistory(b *testing.B) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(b, err)
	words := newWords()
	start := time.Now()
	for n := 0; n < benchRows; n += 2000 {
		var batch []backend.Generation
		for i := range 2000 {
			batch = append(batch, words.generation(n+i))
		}
		require.NoError(b, db.Fill(ctx, batch))
	}
	require.NoError(b, db.Close())
	info, err := os.Stat(path)
	require.NoError(b, err)
	db = openAt(b, path)
	b.Logf("filled %d rows in %s, %d MB", benchRows, time.Since(start).Round(time.Second), info.Size()/1_000_000)

	filters := []struct {
		name   string
		filter backend.GenerationFilter
	}{
		{"search/rare", backend.GenerationFilter{Search: "zyzzyva"}},
		{"search/common", backend.GenerationFilter{Search: words.list[0]}},
		{"search/fourth", backend.GenerationFilter{Search: words.list[3]}},
		{"search/three-words", backend.GenerationFilter{Search: strings.Join(words.list[1:4], " ")}},
		{"search/three-rarer", backend.GenerationFilter{Search: words.list[2] + " " + words.list[40] + " " + words.list[90]}},
		{"search/three-longest", backend.GenerationFilter{Search: strings.Join(words.list[1:4], " "), Sort: backend.HistoryLongest}},
		{"search/five-words", backend.GenerationFilter{Search: strings.Join(words.list[1:6], " ")}},
		{"search/two-long-words", backend.GenerationFilter{Search: words.list[4001] + " " + words.list[1][:4]}},
		{"search/prefix-1", backend.GenerationFilter{Search: words.list[0][:1]}},
		{"search/prefix-2", backend.GenerationFilter{Search: words.list[0][:2]}},
		{"search/prefix-3", backend.GenerationFilter{Search: words.list[0][:3]}},
		{"search/prefix-4", backend.GenerationFilter{Search: words.list[8][:4]}},
		{"search/favorites", backend.GenerationFilter{Search: words.list[0], Favorite: backend.Yes}},
		{"search/profile", backend.GenerationFilter{Search: words.list[1], ProfileID: "profile-3"}},
		{"search/failed", backend.GenerationFilter{Search: words.list[0], Status: backend.StatusFailed}},
		{"search/longest", backend.GenerationFilter{Search: words.list[0], Sort: backend.HistoryLongest}},
		{"search/rare-longest", backend.GenerationFilter{Search: "zyzzyva", Sort: backend.HistoryLongest}},
		{"page/newest", backend.GenerationFilter{}},
		{"page/longest", backend.GenerationFilter{Sort: backend.HistoryLongest}},
		{"page/longest-engine", backend.GenerationFilter{Engine: "kokoro", Sort: backend.HistoryLongest}},
		{"page/shortest-engine+failed", backend.GenerationFilter{Engine: "kokoro", Status: backend.StatusFailed, Sort: backend.HistoryShortest}},
		{"page/longest-engine+profile", backend.GenerationFilter{Engine: "kokoro", ProfileID: "profile-4", Sort: backend.HistoryLongest}},
		{"page/engine", backend.GenerationFilter{Engine: "kokoro"}},
		{"page/engine+failed", backend.GenerationFilter{Engine: "kokoro", Status: backend.StatusFailed}},
		{"page/engine+complete", backend.GenerationFilter{Engine: "piper", Status: backend.StatusComplete}},
		{"page/day", backend.GenerationFilter{From: words.start.Add(time.Hour), To: words.start.Add(25 * time.Hour)}},
		{"page/since", backend.GenerationFilter{From: words.start.Add(time.Hour)}},
	}
	for _, f := range filters {
		f.filter.Brief = true // as the API lists them
		b.Run(f.name, func(b *testing.B) {
			measure(b, func() {
				_, err := db.Generations(ctx, f.filter)
				require.NoError(b, err)
			})
		})
	}
	b.Run("page/deep", func(b *testing.B) {
		list, err := db.Generations(ctx, backend.GenerationFilter{})
		require.NoError(b, err)
		measure(b, func() {
			list, err = db.Generations(ctx, backend.GenerationFilter{Page: backend.Page{Cursor: *list.NextCursor}})
			require.NoError(b, err)
		})
	})
	b.Run("search/next-parts", func(b *testing.B) {
		f := backend.GenerationFilter{Search: strings.Join(words.list[1:4], " ")}
		measure(b, func() {
			list, err := db.Generations(ctx, f)
			require.NoError(b, err)
			f.Cursor = ""
			if list.NextCursor != nil {
				f.Cursor = *list.NextCursor
			}
		})
	})
	b.Run("insert", func(b *testing.B) {
		n := benchRows
		measure(b, func() {
			n++
			_, err := db.CreateGeneration(ctx, words.generation(n+int(time.Now().UnixNano())))
			require.NoError(b, err)
		})
	})
	b.Run("update", func(b *testing.B) {
		list, err := db.Generations(ctx, backend.GenerationFilter{})
		require.NoError(b, err)
		measure(b, func() {
			_, err := db.UpdateGeneration(ctx, list.Items[0].ID, func(g *backend.Generation) error {
				g.Progress += 0.001
				return nil
			})
			require.NoError(b, err)
		})
	})
	b.Run("stats", func(b *testing.B) {
		measure(b, func() {
			_, err := db.Stats(ctx)
			require.NoError(b, err)
		})
	})
}

// BenchmarkTranscripts fills a library with benchRows transcripts of about a minute and prints p50 and p95 of what users do with
// them. Run it with -benchtime=200x.
func BenchmarkTranscripts(b *testing.B) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "voicewright.db")
	db := openAt(b, path)
	words := newWords()
	start := time.Now()
	for n := 0; n < benchRows; n += 2000 {
		var batch []backend.Transcript
		for i := range 2000 {
			batch = append(batch, words.transcript(n+i))
		}
		require.NoError(b, db.FillTranscripts(ctx, batch))
	}
	info, err := os.Stat(path)
	require.NoError(b, err)
	b.Logf("filled %d rows in %s, %d MB", benchRows, time.Since(start).Round(time.Second), info.Size()/1_000_000)
	for _, f := range []struct {
		name   string
		filter backend.TranscriptFilter
	}{
		{"search/rare", backend.TranscriptFilter{Search: "zyzzyva"}},
		{"search/common", backend.TranscriptFilter{Search: words.list[0]}},
		{"search/three-words", backend.TranscriptFilter{Search: strings.Join(words.list[1:4], " ")}},
		{"search/prefix-1", backend.TranscriptFilter{Search: words.list[0][:1]}},
		{"search/prefix-3", backend.TranscriptFilter{Search: words.list[0][:3]}},
		{"search/failed", backend.TranscriptFilter{Search: words.list[0], Status: backend.StatusFailed}},
		{"page/newest", backend.TranscriptFilter{}},
		{"page/failed", backend.TranscriptFilter{Status: backend.StatusFailed}},
	} {
		f.filter.Brief = true // as the API lists them
		b.Run(f.name, func(b *testing.B) {
			measure(b, func() {
				_, err := db.Transcripts(ctx, f.filter)
				require.NoError(b, err)
			})
		})
	}
	list, err := db.Transcripts(ctx, backend.TranscriptFilter{Page: backend.Page{Limit: 1}})
	require.NoError(b, err)
	n := benchRows
	for name, call := range map[string]func() error{
		"insert": func() error {
			n++
			_, err := db.CreateTranscript(ctx, words.transcript(n+int(time.Now().UnixNano())))
			return err
		},
		"edit": func() error {
			n++
			_, err := db.EditTranscript(ctx, list.Items[0].ID, func(t *backend.Transcript) error {
				t.Segments[3].Text = fmt.Sprint(" edited ", n)
				return nil
			})
			return err
		},
		"stats": func() error {
			_, err := db.Stats(ctx)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) { measure(b, func() { require.NoError(b, call()) }) })
	}
}

// BenchmarkPresets makes the 54 profiles of a model at once.
func BenchmarkPresets(b *testing.B) {
	ctx := context.Background()
	db := open(b)
	n := 0
	measure(b, func() {
		n++
		_, err := db.AddPresets(ctx, presets(fmt.Sprintf("engine%d", n), 54))
		require.NoError(b, err)
	})
}

// BenchmarkPronunciations imports a dictionary of 10,000 words and reads it.
func BenchmarkPronunciations(b *testing.B) {
	ctx := context.Background()
	db := open(b)
	words := newWords()
	entries := make([]backend.Pronunciation, 10_000)
	for i := range entries {
		entries[i] = backend.Pronunciation{Word: words.list[i], Respelling: words.list[i+1] + " " + words.list[i+2], Language: "en"}
	}
	b.Run("import", func(b *testing.B) {
		measure(b, func() {
			_, _, err := db.ImportPronunciations(ctx, entries)
			require.NoError(b, err)
		})
	})
	b.Run("all", func(b *testing.B) {
		measure(b, func() {
			found, err := db.AllPronunciations(ctx)
			require.NoError(b, err)
			require.Len(b, found, len(entries))
		})
	})
	b.Run("search", func(b *testing.B) {
		measure(b, func() {
			_, err := db.Pronunciations(ctx, backend.PronunciationFilter{Search: "kalo"})
			require.NoError(b, err)
		})
	})
}

// measure reports p50 and p95 of one call in milliseconds.
func measure(b *testing.B, call func()) {
	b.Helper()
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		call()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	at := func(p int) float64 { return float64(times[(len(times)-1)*p/100].Microseconds()) / 1000 }
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(95), "p95-ms")
	b.ReportMetric(0, "ns/op")
}

// wordSource makes texts whose words are as unequal in number as those of a language (Zipf's law).
type wordSource struct {
	list  []string
	zipf  *rand.Zipf
	rand  *rand.Rand
	start time.Time
}

func newWords() *wordSource {
	r := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"ka", "lo", "mi", "ter", "son", "va", "re", "qui", "ban", "du", "fel", "gro", "hi", "jes", "pa", "wu"}
	w := &wordSource{rand: r, zipf: rand.NewZipf(r, 1.1, 4, 19_999), start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	seen := map[string]bool{}
	for len(w.list) < 20_000 {
		var s strings.Builder
		for range 1 + len(w.list)/2000/2 + r.IntN(4) {
			s.WriteString(syllables[r.IntN(len(syllables))])
		}
		if !seen[s.String()] && s.Len() >= 4 {
			seen[s.String()] = true
			w.list = append(w.list, s.String())
		}
	}
	return w
}

func (w *wordSource) sentence(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = w.list[w.zipf.Uint64()]
	}
	return strings.Join(words, " ") + "."
}

func (w *wordSource) generation(n int) backend.Generation {
	text := w.sentence(8 + w.rand.IntN(45))
	if n%5000 == 17 {
		text += " Zyzzyva."
	}
	g := backend.Generation{
		ID: fmt.Sprintf("00000000-0000-7000-8000-%012d", n), ProfileID: fmt.Sprintf("profile-%d", n%40),
		ProfileName: fmt.Sprintf("Voice %d", n%40), Text: text, Language: "en", Status: backend.StatusComplete,
		Engine: []string{"kokoro", "kokoro", "piper", "espeak"}[n%4], Source: backend.SourceLocal, Speed: 1, Format: "wav",
		AudioPath: fmt.Sprintf("/home/user/.local/share/voicewright/audio/%d.wav", n), SampleRate: 24000, Channels: 1,
		Duration: float64(len(text)) / 15, CreatedAt: w.start.Add(time.Duration(n) * time.Minute), Favorite: n%100 == 0,
		Title: w.sentence(3), Chunks: []backend.Chunk{{Text: text, End: float64(len(text)) / 15, Takes: 1}},
		Receipt: &backend.Receipt{
			AppVersion: "1.0.0", SpokenText: text, Chunks: []backend.ReceiptChunk{{Text: text, ReceiptTake: backend.ReceiptTake{Seed: int64(n)}}},
			ModelFiles: []backend.FileHash{{Path: "model.onnx", SHA256: strings.Repeat("ab", 32)}},
			Seconds:    map[string]float64{"speak": 1.25, "join": 0.01},
		},
	}
	if n%50 == 3 {
		g.Status = backend.StatusFailed
	}
	return g
}

// transcript is a transcript of 20 segments with the times of their words.
func (w *wordSource) transcript(n int) backend.Transcript {
	t := backend.Transcript{
		ID: fmt.Sprintf("00000000-0000-7000-8000-%012d", n), Status: backend.StatusComplete, Title: w.sentence(3), Language: "en",
		Duration: 60, ModelName: "whisper-base", Source: backend.TranscriptOfFile, FileName: "recording.mp3", Progress: 1,
		AudioPath: fmt.Sprintf("/home/user/.local/share/voicewright/transcripts/%d.opus", n), CreatedAt: w.start.Add(time.Duration(n) * time.Minute),
	}
	if n%50 == 3 {
		t.Status = backend.StatusFailed
	}
	var texts []string
	for i := range 20 {
		s := backend.Segment{ID: i + 1, Start: float64(i * 3), End: float64(i*3 + 3), Text: " " + w.sentence(8)}
		if n%5000 == 17 && i == 0 {
			s.Text += " Zyzzyva."
		}
		for j, word := range strings.Fields(s.Text) {
			at := s.Start + float64(j)*0.3
			s.Words = append(s.Words, backend.HeardWord{Word: " " + word, Start: at, End: at + 0.3, Probability: 0.875})
		}
		t.Segments, texts = append(t.Segments, s), append(texts, strings.TrimSpace(s.Text))
	}
	t.Text = strings.Join(texts, " ")
	return t
}
