package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
)

// speaker is a local API that speaks every text as the text itself.
type speaker struct {
	*http.ServeMux
	spoken   []map[string]any // the bodies of /generate
	ask      float64          // the setting hosted.ask_credits
	made     map[string]backend.Generation
	onSpeak  func(text string)
	lostNext bool // the next generation is spoken, but its command is not told
}

func newSpeaker() *speaker {
	s := &speaker{ServeMux: http.NewServeMux(), made: map[string]backend.Generation{}, onSpeak: func(string) {}}
	answer := func(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }
	fail := func(w http.ResponseWriter, status int, e *backend.Error) {
		w.WriteHeader(status)
		answer(w, map[string]any{"code": e.Code, "detail": e.Detail, "remedy": e.Remedy})
	}
	s.HandleFunc("GET /profiles", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, backend.List[backend.Profile]{Items: []backend.Profile{
			{ID: "1", Name: backend.BuiltInProfileName}, {ID: "2", Name: "Anna", VoiceType: backend.VoicePreset}, {ID: "3", Name: "Cloud", VoiceType: backend.VoiceHosted},
		}})
	})
	s.HandleFunc("GET /settings", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"speech.default_voice": "", "hosted.ask_credits": s.ask})
	})
	s.HandleFunc("POST /text/preview", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Voice string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		if body.Voice == "none:a" {
			fail(w, http.StatusNotFound, backend.E(backend.CodeModelUnknown, `There is no model "none".`, "Look at the list."))
		}
	})
	s.HandleFunc("GET /models/{name}", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, backend.E(backend.CodeModelUnknown, "No model.", ""))
	})
	s.HandleFunc("GET /models", func(w http.ResponseWriter, r *http.Request) { answer(w, map[string]any{"models": []any{}}) })
	s.HandleFunc("GET /hosted/voices", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"items": []map[string]any{{"id": "a", "name": "Anna"}}})
	})
	s.HandleFunc("POST /hosted/quote", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Text string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		answer(w, map[string]any{"credits": len(body.Text), "credits_left": 1000})
	})
	s.HandleFunc("POST /generate", func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		text := body["text"].(string)
		s.onSpeak(text)
		s.spoken = append(s.spoken, body)
		g := backend.Generation{ID: fmt.Sprintf("01900000-0000-7000-8000-%012d", len(s.made)), Text: text, Status: backend.StatusComplete}
		s.made[g.ID] = g
		answer(w, backend.Generation{ID: g.ID, Status: backend.StatusQueued})
	})
	whole := func(g backend.Generation) any {
		return client.Generation{Generation: g, AudioURL: "/audio/" + g.ID}
	}
	s.HandleFunc("GET /generate/{id}/events", func(w http.ResponseWriter, r *http.Request) {
		if s.lostNext {
			s.lostNext = false
			return
		}
		raw, _ := json.Marshal(whole(s.made[r.PathValue("id")]))
		_, _ = fmt.Fprintf(w, "data: %s\n\n", raw)
	})
	s.HandleFunc("GET /history/{id}", func(w http.ResponseWriter, r *http.Request) { answer(w, whole(s.made[r.PathValue("id")])) })
	s.HandleFunc("GET /audio/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(s.made[r.PathValue("id")].Text))
	})
	s.HandleFunc("POST /generate/{id}/cancel", func(http.ResponseWriter, *http.Request) {})
	return s
}

// texts returns what was spoken since the last call.
func (s *speaker) texts() []string {
	var texts []string
	for _, body := range s.spoken {
		texts = append(texts, body["text"].(string))
	}
	s.spoken = nil
	return texts
}

// batchTest is a list with a folder for its audio.
type batchTest struct {
	t         *testing.T
	s         *speaker
	list, out string
}

func newBatchTest(t *testing.T, name, list string) *batchTest {
	t.Helper()
	b := &batchTest{t: t, s: newSpeaker(), list: filepath.Join(t.TempDir(), name), out: filepath.Join(t.TempDir(), "a", "b")}
	b.write(list)
	return b
}

func (b *batchTest) write(list string) {
	require.NoError(b.t, os.WriteFile(b.list, []byte(list), 0o600))
}

func (b *batchTest) say(ctx context.Context, args ...string) (code int, out, errs string) {
	b.t.Helper()
	var stdout, stderr bytes.Buffer
	app := App{Connect: func(context.Context, Options) (*client.Client, error) {
		return client.InMemory(b.s, func() error { return nil }), nil
	}}
	args = append([]string{"say", "--batch", b.list, "--out", b.out, "--data", b.t.TempDir()}, args...)
	code = Run(ctx, args, Stdio{In: &bytes.Buffer{}, Out: &stdout, Err: &stderr}, app)
	return code, stdout.String(), stderr.String()
}

// mustSay speaks a list that has no bad row.
func (b *batchTest) mustSay(args ...string) {
	b.t.Helper()
	code, _, errs := b.say(b.t.Context(), args...)
	require.Equal(b.t, exit.Done, code, errs)
}

// files returns the visible files of the folder with their content, without the report.
func (b *batchTest) files() map[string]string {
	b.t.Helper()
	entries, err := os.ReadDir(b.out)
	require.NoError(b.t, err)
	found := map[string]string{}
	for _, e := range entries {
		if e.Name() != batchfolder.Report && !strings.HasPrefix(e.Name(), ".") {
			found[e.Name()] = b.read(e.Name())
		}
	}
	return found
}

func (b *batchTest) read(name string) string {
	b.t.Helper()
	raw, err := os.ReadFile(filepath.Join(b.out, name))
	require.NoError(b.t, err)
	return string(raw)
}

func TestBatch(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.csv", "text,name,voice,speed,format\nOne.,first,,,\nTwo words.,,espeak:de,1.5,mp3\nThree.,,Anna,,\n")
	code, out, errs := b.say(t.Context(), "--speed", "2", "--voice", "espeak:en")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, out, "3 of 3 rows are done.\nFolder: "+b.out+"\nReport: "+filepath.Join(b.out, "report.csv"))
	require.Contains(t, errs, "Generating: row 2 of 3, 1 s left\n")
	require.Equal(t, map[string]string{"first.wav": "One.", "2-Two words.mp3": "Two words.", "3-Three.wav": "Three."}, b.files())
	require.Equal(t, "row,status,file,error\n1,complete,first.wav,\n2,complete,2-Two words.mp3,\n3,complete,3-Three.wav,\n", b.read("report.csv"))
	require.Equal(t, []map[string]any{
		{"profile_id": "1", "text": "One.", "format": "wav", "voice": "espeak:en", "speed": 2., "title": "first"},
		{"profile_id": "1", "text": "Two words.", "format": "mp3", "voice": "espeak:de", "speed": 1.5},
		{"profile_id": "2", "text": "Three.", "format": "wav", "speed": 2.},
	}, b.s.spoken)
}

func TestBatchContinues(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.txt", "One.\nTwo.\nTwo.\n")
	b.mustSay()
	require.Equal(t, []string{"One.", "Two.", "Two."}, b.s.texts())
	b.mustSay()
	require.Empty(t, b.s.texts(), "nothing is spoken twice")

	b.write("Zero.\nOne.\nTwo.\nTwo!\n")
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Done, code, errs)
	require.Equal(t, []string{"Zero.", "Two!"}, b.s.texts(), "only what is new")
	require.Contains(t, errs, "1 files are of rows that the list no longer has: 3-Two.wav")
	require.Equal(t, "row,status,file,error\n1,complete,1-Zero.wav,\n2,complete,1-One.wav,\n3,complete,2-Two.wav,\n4,complete,4-Two!.wav,\n", b.read("report.csv"))

	require.NoError(t, os.Remove(filepath.Join(b.out, "1-One.wav")))
	b.mustSay()
	require.Empty(t, b.s.texts(), "a file that is missing comes from the history")
	require.Equal(t, "One.", b.files()["2-One.wav"])
	b.mustSay("--speed", "2")
	require.Equal(t, []string{"Zero.", "One.", "Two.", "Two!"}, b.s.texts(), "other flags are other audio")
}

// TestBatchKilled ends a run after a generation and before its file, as kill -9 does: the audio is fetched, and not made again.
func TestBatchKilled(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.txt", "One.\nTwo.\nThree.\n")
	b.s.onSpeak = func(text string) { b.s.lostNext = text == "Two." }
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Failed, code, errs)
	require.Contains(t, errs, "1 of 3 rows are done. Run the same command again to continue.\nThe server stopped")
	require.Equal(t, map[string]string{"1-One.wav": "One."}, b.files())
	require.Equal(t, []string{"One.", "Two."}, b.s.texts())
	journal, err := os.OpenFile(filepath.Join(b.out, batchfolder.Journal), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = journal.WriteString(`{"hash":"ab`) // a line that was torn
	require.NoError(t, err)
	require.NoError(t, journal.Close())
	b.mustSay()
	require.Equal(t, []string{"Three."}, b.s.texts())
	require.Equal(t, map[string]string{"1-One.wav": "One.", "2-Two.wav": "Two.", "3-Three.wav": "Three."}, b.files())
}

func TestBatchInterrupted(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.txt", "One.\nTwo.\nThree.\n")
	ctx, stop := context.WithCancel(t.Context())
	b.s.onSpeak = func(text string) {
		if text == "Two." {
			stop()
		}
	}
	code, _, errs := b.say(ctx)
	require.Equal(t, exit.Interrupted, code)
	require.Contains(t, errs, "1 of 3 rows are done. Run the same command again to continue.\nStopped.\n")
	require.Equal(t, map[string]string{"1-One.wav": "One."}, b.files())
	require.Equal(t, "row,status,file,error\n1,complete,1-One.wav,\n", b.read("report.csv"))
}

func TestBatchBadRows(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.csv", "text;voice;speed\nGood.;;\n;Anna;\nFast.;;9\nNobody.;Nobody;\nNone.;none:a;\nFew.;\nLast.;;\n")
	b.s.onSpeak = func(string) {
		require.Contains(t, b.read("report.csv"), `There is no model ""none"".`, "bad rows are named before the first one is spoken")
	}
	code, out, errs := b.say(t.Context(), "--json")
	require.Equal(t, exit.Failed, code)
	for _, line := range []string{
		"Row 2, line 3: The text is empty.", `Row 3, line 4: The speed "9" must be a number from 0.25 to 4.`,
		`Row 4, line 5: There is no profile "Nobody". List the profiles with voicewright profiles list.`, `Row 5, line 6: There is no model "none". Look at the list.`,
		"Row 6, line 7: The row has 2 of 3 columns.", "5 of 7 rows failed; " + filepath.Join(b.out, "report.csv") + " names them.",
	} {
		require.Contains(t, errs, line+"\n")
	}
	require.NotContains(t, errs, "Generating")
	require.Equal(t, map[string]string{"1-Good.wav": "Good.", "7-Last.wav": "Last."}, b.files())
	report := strings.Split(b.read("report.csv"), "\n")
	require.Equal(t, "1,complete,1-Good.wav,", report[1])
	require.Equal(t, "2,failed,,The text is empty.", report[2])
	require.Len(t, report, 9)
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 7, "one line a row")
	require.Contains(t, out, `{"row":7,"status":"complete","file":"7-Last.wav","error":""}`)
	require.Contains(t, out, `{"row":2,"status":"failed","file":"","error":"The text is empty."}`)
}

func TestBatchWrongUse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list  string
		code  int
		words string
		args  []string
	}{
		"text too":       {"a.txt", exit.Usage, "use TEXT or --batch", []string{"Hello"}},
		"output":         {"a.txt", exit.Usage, "--output does not go with it", []string{"-o", "a.wav"}},
		"no folder":      {"a.txt", exit.Usage, "needs --out DIR", []string{"--out", ""}},
		"format":         {"a.txt", exit.Usage, `format "doc"`, []string{"--format", "doc"}},
		"pattern":        {"a.txt", exit.Usage, "{n} is not {row}", []string{"--name-pattern", "{n}"}},
		"unknown kind":   {"a.xlsx", exit.Usage, "A list is a .csv, .jsonl or .txt file.", nil},
		"no column text": {"a.csv", exit.Usage, "no column named text", nil},
		"unknown file":   {"a.txt", exit.NotFound, "There is no file none.txt", []string{"--batch", "none.txt"}},
		"a folder":       {"a.txt", exit.Usage, "is not a file", []string{"--batch", "."}},
	} {
		b := newBatchTest(t, c.list, "Hello.\n")
		code, _, errs := b.say(t.Context(), c.args...)
		require.Equal(t, c.code, code, name+": "+errs)
		require.Contains(t, strings.ToLower(errs), strings.ToLower(c.words), name)
		require.Empty(t, b.s.spoken, name)
		require.NoDirExists(t, b.out, name)
	}
	for name, list := range map[string]string{"a.txt": " \n\n", "b.txt": "", "c.csv": ""} {
		b := newBatchTest(t, name, list)
		code, _, errs := b.say(t.Context())
		require.Equal(t, exit.Usage, code, name)
		require.Contains(t, errs, "has no rows", name)
		require.NoDirExists(t, b.out, name)
	}
	b := newBatchTest(t, "a.txt", "Hello.")
	require.NoError(t, os.MkdirAll(b.out, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(b.out, batchfolder.Report), []byte("month,sum\n1,2\n"), 0o600))
	code, _, errs := b.say(t.Context())
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "is not a report of this command")
	require.Equal(t, "month,sum\n1,2\n", b.read(batchfolder.Report))
	code, _, errs = runWith(t, App{}, "say", "Hello.", "--out", "a")
	require.Equal(t, exit.Usage, code)
	require.Contains(t, errs, "--out needs --batch FILE")
}

func TestBatchKeepsOtherFiles(t *testing.T) {
	t.Parallel()
	b := newBatchTest(t, "list.csv", "text,name\nOne.,a\nTwo.,A\n")
	require.NoError(t, os.MkdirAll(b.out, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(b.out, "a.wav"), []byte("mine"), 0o600))
	b.mustSay()
	require.Equal(t, map[string]string{"a.wav": "mine", "a 2.wav": "One.", "A 3.wav": "Two."}, b.files())
	b.write("text,name\nOne!,a\nTwo.,A\n")
	b.mustSay()
	require.Equal(t, map[string]string{"a.wav": "mine", "a 2.wav": "One!", "A 3.wav": "Two."}, b.files(), "a changed row replaces its file")
}

func TestBatchPrices(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ask   float64
		flags []string
		code  int
	}{{0, nil, exit.Done}, {11, nil, exit.Done}, {10, nil, exit.Needed}, {10, []string{"--accept-credits", "9"}, exit.Needed}, {10, []string{"--accept-credits", "10"}, exit.Done}} {
		b := newBatchTest(t, "list.csv", "text,voice\nOne.,hosted:a\nLocal.,\nThree.,Cloud\n")
		b.s.ask = c.ask
		code, _, errs := b.say(t.Context(), c.flags...)
		require.Equal(t, c.code, code, errs)
		require.Contains(t, errs, "Price: 10 credits of 1000\n", "of both hosted rows")
		if code == exit.Done {
			require.EqualValues(t, 4, b.s.spoken[0]["accept_credits"])
			require.NotContains(t, b.s.spoken[1], "accept_credits")
		} else {
			require.Empty(t, b.s.spoken)
		}
	}
}

// TestBatchOfManyRows speaks a long list in memory that does not grow with its texts.
func TestBatchOfManyRows(t *testing.T) {
	const rows = 300
	filler := strings.Repeat(" more words", 8000)
	b := newBatchTest(t, "list.txt", strings.Repeat("One text of many."+filler+"\n", rows))
	var heap runtime.MemStats
	spoken, highest := 0, uint64(0)
	b.s.onSpeak = func(string) {
		b.s.spoken, b.s.made = nil, map[string]backend.Generation{}
		if spoken++; spoken%100 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&heap)
			highest = max(highest, heap.HeapAlloc)
		}
	}
	b.mustSay("--json")
	require.Equal(t, rows, spoken)
	require.Less(t, highest, uint64(16<<20), "the list has 26 MB")
	require.Len(t, strings.Split(strings.TrimSpace(b.read("report.csv")), "\n"), rows+1)
}
