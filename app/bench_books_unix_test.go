//go:build unix

package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/espeak"
)

// bookBench is a studio whose books are measured. What it writes lies below dir, temporary files included.
type bookBench struct {
	b       *testing.B
	url     string
	dir     string
	profile string
	speed   string
}

func newBookBench(b *testing.B, voice engines.Speaker) *bookBench {
	b.Helper()
	s := &bookBench{b: b, dir: b.TempDir(), speed: "1"}
	temporary := filepath.Join(s.dir, "tmp")
	require.NoError(b, os.Mkdir(temporary, 0o700))
	b.Setenv("TMPDIR", temporary)
	var server *httptest.Server
	studio, err := app.Open(b.Context(), app.Config{
		Data: filepath.Join(s.dir, "data"), BuiltIn: voice, Log: slog.New(slog.DiscardHandler),
		Addr: func() net.Addr { return server.Listener.Addr() },
	})
	require.NoError(b, err)
	server = httptest.NewServer(studio.API.Handler())
	b.Cleanup(func() {
		server.Close()
		require.NoError(b, studio.Close(context.Background()))
	})
	s.url = server.URL
	s.profile = s.get("/profiles")["items"].([]any)[0].(object)["id"].(string)
	return s
}

// call returns the answer of a request.
func (s *bookBench) call(method, route, kind string, body io.Reader) object {
	s.b.Helper()
	req, err := http.NewRequestWithContext(s.b.Context(), method, s.url+route, body)
	require.NoError(s.b, err)
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(s.b, err)
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(s.b, err)
	require.Less(s.b, resp.StatusCode, 300, string(raw))
	var answer object
	require.NoError(s.b, json.Unmarshal(raw, &answer))
	return answer
}

func (s *bookBench) get(route string) object {
	s.b.Helper()
	return s.call(http.MethodGet, route, "", nil)
}

func (s *bookBench) send(method, route, body string) object {
	s.b.Helper()
	return s.call(method, route, "application/json", strings.NewReader(body))
}

// create makes a book of Markdown and returns its route.
func (s *bookBench) create(text string) string {
	s.b.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(s.b, form.WriteField("profile_id", s.profile))
	require.NoError(s.b, form.WriteField("speed", s.speed))
	part, err := form.CreateFormFile("file", "book.md")
	require.NoError(s.b, err)
	_, err = io.WriteString(part, text)
	require.NoError(s.b, err)
	require.NoError(s.b, form.Close())
	return "/books/" + s.call(http.MethodPost, "/books", form.FormDataContentType(), &body)["id"].(string)
}

// generate generates a book and returns it.
func (s *bookBench) generate(book string) object {
	s.b.Helper()
	s.send(http.MethodPost, book+"/generate", "{}")
	for {
		time.Sleep(250 * time.Millisecond)
		b := s.get(book)
		if b["generating"] == false {
			require.Equal(s.b, "done", b["state"])
			return b
		}
	}
}

// export downloads a book as m4b and drops it.
func (s *bookBench) export(book string) {
	s.b.Helper()
	resp, err := http.Get(s.url + book + "/export")
	require.NoError(s.b, err)
	defer resp.Body.Close()
	require.Equal(s.b, http.StatusOK, resp.StatusCode)
	n, err := io.Copy(io.Discard, resp.Body)
	require.NoError(s.b, err)
	require.Positive(s.b, n)
}

// disk returns the bytes below the folder of the studio.
func (s *bookBench) disk() (n int64) {
	_ = filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it was removed meanwhile
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// use is the most that some work took.
type use struct {
	took      time.Duration
	processor float64 // seconds, with those of other programs that ended
	memory    int64   // bytes more than before
	disk      int64   // bytes of all files
}

// measured does some work and returns what it took. What others used of the memory before is collected first.
func (s *bookBench) measured(work func()) use {
	debug.FreeOSMemory()
	before := resident()
	var peak use
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for i := 0; ; i++ {
			peak.memory = max(peak.memory, resident()-before)
			if i%10 == 0 {
				peak.disk = max(peak.disk, s.disk())
			}
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	})
	peak.processor, peak.took = spentOn(work)
	close(done)
	watching.Wait()
	return peak
}

// spentOn returns the processor time and the duration of work.
func spentOn(work func()) (processor float64, took time.Duration) {
	own, others := enginetest.ProcessorTime()
	start := time.Now()
	work()
	took = time.Since(start)
	ownAfter, othersAfter := enginetest.ProcessorTime()
	return ownAfter - own + othersAfter - others, took
}

// resident returns the resident memory of this process in bytes, 0 where the system has no /proc.
func resident() int64 {
	var total, pages int64
	if raw, err := os.ReadFile("/proc/self/statm"); err == nil {
		_, _ = fmt.Sscan(string(raw), &total, &pages)
	}
	return pages * int64(os.Getpagesize())
}

// novel returns Markdown of chapters with words of a story, of which no two sentences are alike.
func novel(chapters, words int) string {
	lines := []string{
		"The old house at the end of lane %d had been empty for years.", "Nobody knew who had key %d, and nobody asked.",
		"When the rain of day %d came, water ran down the walls and into the garden.", "“Who opened door %d?” she said, and looked at him.",
		"He did not answer at once; he was thinking of letter %d in his pocket.", "In the morning they walked down to river %d, where the boat lay.",
	}
	random := rand.New(rand.NewPCG(1, 2))
	var out strings.Builder
	n := 0
	for i := range chapters {
		fmt.Fprintf(&out, "# Chapter %d\n\n", i+1)
		for n < words*(i+1)/chapters {
			paragraph := fmt.Sprintf("It was hour %d of the year.", n)
			for k := range 3 + random.IntN(8) {
				paragraph += " " + fmt.Sprintf(lines[random.IntN(len(lines))], n+k)
			}
			n += len(strings.Fields(paragraph))
			out.WriteString(paragraph + "\n\n")
		}
	}
	return out.String()
}

// recording keeps the utterances of the built-in voice, so that they can be spoken without the program around it.
type recording struct {
	engines.Speaker
	mu  sync.Mutex
	all []engines.Utterance
}

func (r *recording) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	r.mu.Lock()
	r.all = append(r.all, u)
	r.mu.Unlock()
	return r.Speaker.Speak(ctx, u, emit)
}

// taken returns the recorded utterances, and drops them.
func (r *recording) taken() []engines.Utterance {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.all
	r.all = nil
	return all
}

// speak speaks utterances as many at once as the program does.
func (r *recording) speak(b *testing.B, all []engines.Utterance) {
	b.Helper()
	left := make(chan engines.Utterance, len(all))
	for _, u := range all {
		left <- u
	}
	close(left)
	var work sync.WaitGroup
	for range r.Info().Concurrency {
		work.Go(func() {
			for u := range left {
				if err := r.Speaker.Speak(b.Context(), u, func(audio.Buffer) error { return nil }); err != nil {
					b.Error(err)
				}
			}
		})
	}
	work.Wait()
}

// BenchmarkBooksBuiltIn speaks 62,000 words in 24 chapters with the built-in voice, and writes them as m4b. ratio is its time over that
// of its chunks alone, cpu-ratio that of the processor; MB how much more memory the program has than with the book read, disk its files over the finished WAV.
// edit-extra-s is how long an edit of a word takes until a new m4b can be encoded, edit-passages how many it speaks.
func BenchmarkBooksBuiltIn(b *testing.B) {
	voice := &recording{Speaker: espeak.New()}
	if len(voice.Info().Voices) == 0 {
		b.Skip("espeak-ng is not installed")
	}
	for b.Loop() {
		s := newBookBench(b, voice)
		book := s.create(novel(24, 62_000))
		var done object
		generating := s.measured(func() { done = s.generate(book) })
		wav := done["seconds"].(float64) * float64(2*voice.Info().SampleRate)
		spoken := voice.taken()
		b.Logf("%d sentences in %v with %.1f s of processor", len(spoken), generating.took, generating.processor)
		alone := s.measured(func() { voice.speak(b, spoken) })
		chapter := book + "/chapters/" + done["chapters"].([]any)[11].(object)["id"].(string)
		text := s.get(chapter)["blocks"].([]any)[2].(object)["spans"].([]any)[0].(object)["text"].(string)
		changed, err := json.Marshal(map[string]string{"text": strings.Replace(text, "hour", "noon", 1)})
		require.NoError(b, err)
		editing := s.measured(func() {
			s.send(http.MethodPatch, chapter+"/blocks/2", string(changed))
			done = s.generate(book)
		})
		passages := done["passages"].(object)["generated"].(float64)
		b.Logf("alone in %v with %.1f s of processor; %.0f passages of an edit in %v", alone.took, alone.processor, passages, editing.took)
		exporting := s.measured(func() { s.export(book) })
		b.Logf("encoded in %v with %.1f s of processor", exporting.took, exporting.processor)
		b.ReportMetric(generating.took.Seconds()/alone.took.Seconds(), "ratio")
		b.ReportMetric(generating.processor/alone.processor, "cpu-ratio")
		b.ReportMetric(float64(generating.memory)/1e6, "generate-MB")
		b.ReportMetric(float64(exporting.memory)/1e6, "export-MB")
		b.ReportMetric(float64(generating.disk)/wav, "disk")
		b.ReportMetric(float64(exporting.disk)/wav, "export-disk")
		b.ReportMetric(passages, "edit-passages")
		b.ReportMetric(editing.took.Seconds(), "edit-extra-s")
	}
}

// lowRate is that of a voice of which much is written, in Hz.
const lowRate = 8000

// BenchmarkBooksLongest speaks a book of 2,000,000 characters with a voice that needs no time, and opens it.
func BenchmarkBooksLongest(b *testing.B) {
	for b.Loop() {
		s := newBookBench(b, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: lowRate}))
		s.speed = "2"
		text := novel(200, 410_000)
		book := s.create(text[:strings.LastIndex(text[:2_000_000], "\n\n")])
		var done object
		generating := s.measured(func() { done = s.generate(book) })
		wav := done["seconds"].(float64) * 2 * lowRate
		exporting := s.measured(func() { s.export(book) })
		opening := s.measured(func() { s.get(book) })
		b.ReportMetric(float64(generating.memory)/1e6, "generate-MB")
		b.ReportMetric(float64(exporting.memory)/1e6, "export-MB")
		b.ReportMetric(float64(generating.disk)/wav, "disk")
		b.ReportMetric(float64(exporting.disk)/wav, "export-disk")
		b.ReportMetric(float64(opening.took.Milliseconds()), "open-ms")
		b.Logf("%.1f h, generated in %v, encoded in %v", done["seconds"].(float64)/3600, generating.took, exporting.took)
	}
}

// BenchmarkBookList lists 200 books of 24 chapters, of which 20 are spoken.
func BenchmarkBookList(b *testing.B) {
	s := newBookBench(b, enginetest.NewFixture(enginetest.FixtureOptions{SampleRate: lowRate}))
	for i := range 200 {
		book := s.create(novel(24, 240))
		if i%10 == 0 {
			s.generate(book)
		}
	}
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		require.Len(b, s.get("/books?limit=200")["items"], 200)
		times = append(times, time.Since(start))
	}
	b.ReportMetric(percentile(times, 0.5), "p50-ms")
	b.ReportMetric(percentile(times, 0.95), "p95-ms")
}
