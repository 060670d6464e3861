package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const printed = `goos: linux
pkg: github.com/voicewright/voicewright/engines/vad
BenchmarkVAD/speech-2         	     100	   1234567 ns/op	       350.5 x-real-time	    2048 B/op
BenchmarkVAD/speech-2         	     120	   1234000 ns/op	       340.0 x-real-time	    2048 B/op
BenchmarkVAD/silence-2        	     100	         0 ns/op	       400.0 x-real-time
some log
--- SKIP: BenchmarkLongText
    bench_long_unix_test.go:73: VOICEWRIGHT_GRAPH names no Piper voice
--- SKIP: BenchmarkLongText
    bench_long_unix_test.go:73: VOICEWRIGHT_GRAPH names no Piper voice
--- FAIL: BenchmarkOther
PASS
`

func TestParseReadsMetricsSkipsAndFailures(t *testing.T) {
	found, err := parse(strings.NewReader(printed), "engines/vad")
	require.NoError(t, err)
	byKey := map[string][]float64{}
	for _, r := range found.results {
		byKey[r.key()] = r.Values
	}
	require.Equal(t, map[string][]float64{
		"engines/vad VAD/speech ns/op":        {1234567, 1234000},
		"engines/vad VAD/speech x-real-time":  {350.5, 340},
		"engines/vad VAD/speech B/op":         {2048, 2048},
		"engines/vad VAD/silence x-real-time": {400},
	}, byKey)
	require.Equal(t, []missing{{Package: "engines/vad", Name: "LongText", Reason: "VOICEWRIGHT_GRAPH names no Piper voice"}}, found.skipped)
	require.Contains(t, found.others, "--- FAIL: BenchmarkOther")
}

func TestSpreadIsLeastMedianAndMost(t *testing.T) {
	for _, tt := range []struct{ values, want []float64 }{
		{[]float64{3}, []float64{3, 3, 3}},
		{[]float64{4, 1}, []float64{1, 2.5, 4}},
		{[]float64{5, 1, 9, 2, 3}, []float64{1, 3, 9}},
	} {
		lowest, median, highest := spread(tt.values)
		require.Equal(t, tt.want, []float64{lowest, median, highest})
	}
}

func TestVerdictsAreOfTheLimit(t *testing.T) {
	for _, tt := range []struct {
		goal       limit
		figure     float64
		text, want string
	}{
		{atMost(1.03), 1.03, "at most 1.03", "met"},
		{atMost(1.03), 1.031, "at most 1.03", "missed"},
		{atLeast(50_000), 50_000, "at least 50,000", "met"},
		{atLeast(50_000), 49_999, "at least 50,000", "missed"},
		{limit{}, 7, "", ""},
	} {
		require.Equal(t, tt.text, tt.goal.in(""))
		require.Equal(t, tt.want, tt.goal.verdict(tt.figure))
	}
}

func TestNumbersHaveThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 0.04149: "0.0415", 0.5: "0.500", 1.034: "1.03", 41.44: "41.4", 350.5: "350", 1064: "1064", 53_210.4: "53,210", -12.34: "-12.3",
		1_234_567: "1,234,567",
	} {
		require.Equal(t, want, rounded(v))
	}
}

var (
	morning = session{Began: time.Date(2026, 11, 30, 8, 0, 0, 0, time.UTC), Load: "0.10", Machine: "a machine"}
	noon    = session{Began: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Load: "2.00", Machine: "a machine"}
	night   = session{Began: time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC), Load: "1.00", Machine: "another"}
	evening = session{Began: time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC), Load: "9.00", Machine: "another"}
)

func rowsOfTest() []row {
	return []row{
		{group: "Speech", what: "speed", pkg: "app", name: "LongText", unit: "speed", goal: atLeast(1)},
		{group: "History", what: "search, p95", pkg: "db", name: "History/search/", unit: "p95-ms", shown: "ms", goal: atMost(30)},
		{group: "History", what: "three words, p95", pkg: "db", name: "History/search/three", unit: "p95-ms", shown: "ms", goal: atMost(20)},
	}
}

func measuredInTest(s session, values ...float64) figures {
	f := figures{Sessions: []session{s}}
	for _, name := range []string{"History/search/rare", "History/search/common", "History/search/three", "History/stats"} {
		f.add(result{Package: "db", Name: name, Unit: "p95-ms", Values: values, Session: s.Began})
		values = append([]float64{values[0] + 1}, values[1:]...)
	}
	return f
}

func TestPageShowsTheWorstOfARowAndWhatIsMissing(t *testing.T) {
	f := measuredInTest(morning, 25, 26, 29)
	f.Missing = []missing{{Package: "app", Name: "LongText", Reason: "no graph", Session: morning.Began}}
	page, err := withFigures("# Benchmarks\n"+begin+"\nold\n"+end+"\nprose\n", rowsOfTest(), f)
	require.NoError(t, err)
	require.Equal(t, "# Benchmarks\n"+begin+`

### Speech

| what | goal | median | least to most | runs | | session |
|---|---|---|---|---|---|---|
| speed | at least 1 |  |  |  | not measured: no graph | 1 |

### History

| what | goal | median | least to most | runs | | session |
|---|---|---|---|---|---|---|
| search, p95, worst of 2: rare | at most 30 ms | 26.0 ms | 25.0 to 29.0 | 3 | met | 1 |
| three words, p95 | at most 20 ms | 27.0 ms | 26.0 to 29.0 | 3 | **missed** | 1 |

### Sessions

| | began | load | machine |
|---|---|---|---|
| 1 | 30 November 2026, 08:00 UTC | 0.10 | a machine |

`+end+"\nprose\n", page)

	_, err = withFigures("# A page without the lines\n", rowsOfTest(), f)
	require.ErrorContains(t, err, "are missing")
}

func TestRenewingKeepsOtherFiguresWithTheirSession(t *testing.T) {
	kept := measuredInTest(morning, 25)
	kept.Missing = []missing{{Package: "app", Name: "LongText", Reason: "no graph", Session: morning.Began}}

	again := figures{Sessions: []session{noon}}
	again.add(result{Package: "db", Name: "History/search/three", Unit: "p95-ms", Values: []float64{19}, Session: noon.Began})
	kept.renew(rowsOfTest(), again, true)
	require.Equal(t, []session{morning, noon}, kept.Sessions)
	require.Len(t, kept.Results, 3, "what no row shows is not kept")
	require.Equal(t, "missed", lineOf(rowsOfTest()[1:2], 0, measuredInTest(morning, 31)).verdict)
	require.Equal(t, line{what: "three words, p95", goal: "at most 20 ms", median: "19.0 ms", runs: "1", verdict: "met", session: "2"},
		lineOf(rowsOfTest(), 2, kept))
	require.Len(t, kept.Missing, 1)

	speed := figures{Sessions: []session{evening}}
	speed.add(result{Package: "app", Name: "LongText", Unit: "speed", Values: []float64{1.1}, Session: evening.Began})
	kept.renew(rowsOfTest(), speed, false)
	require.Empty(t, kept.Missing, "it is measured now")

	kept.renew(rowsOfTest(), figures{
		Sessions: []session{night}, Missing: []missing{{Package: "app", Name: "LongText", Reason: "no graph", Session: night.Began}},
	}, false)
	require.Empty(t, kept.Missing, "the figures of before stay")
	require.Equal(t, "1.10", lineOf(rowsOfTest(), 0, kept).median)

	kept.renew(rowsOfTest(), measuredInTest(night, 25), false)
	require.Equal(t, []session{evening, night}, kept.Sessions, "a session without figures goes")
}

func TestFiguresAreReadAsTheyWereWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), figuresFile)
	none, err := load(path)
	require.NoError(t, err)
	require.Empty(t, none.Results)

	f := measuredInTest(morning, 1.5, 2)
	f.Missing = []missing{{Package: "app", Name: "LongText", Reason: "no graph", Session: morning.Began}}
	require.NoError(t, f.save(path))
	read, err := load(path)
	require.NoError(t, err)
	require.Equal(t, f, read)

	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	_, err = load(path)
	require.ErrorContains(t, err, figuresFile)
}

func TestSelectionByNameAndHeavyRows(t *testing.T) {
	rows := []row{{pkg: "app", name: "LongText"}, {pkg: "app", name: "Books", heavy: true}, {pkg: "db", name: "History/search/"}}
	for chosen, want := range map[string][]string{
		"": {"LongText", "History/search/"}, "heavy": {"Books"}, "Books": {"Books"}, "History/search/three": {"History/search/"}, "nothing": nil,
	} {
		s, err := selectRows(rows, chosen)
		require.NoError(t, err)
		var names []string
		for _, r := range s.rows {
			names = append(names, r.name)
		}
		require.Equal(t, want, names, chosen)
	}
	_, err := selectRows(rows, "(")
	require.Error(t, err)
}

// TestCallsNameTheirBenchmarks has the runs of the go command: rows that are measured as often share one.
func TestCallsNameTheirBenchmarks(t *testing.T) {
	m := &measurement{root: "../..", runs: 5}
	calls, err := m.calls(selection{rows: []row{
		{pkg: "app", name: "Generate"},
		{pkg: "app", name: "LongText", unit: "speed"},
		{pkg: "app", name: "LongText", unit: "outside-%"},
		{pkg: "app", name: "BooksBuiltIn", runs: 1},
		{pkg: "engines/espeak", name: "Speak-Command"},
		{pkg: programRows, name: ready},
	}})
	require.NoError(t, err)
	require.Equal(t, []call{
		{"app", "^Benchmark(Generate|LongText)$", 5, usualTime},
		{"app", "^Benchmark(BooksBuiltIn)$", 1, usualTime},
		{"engines/espeak", "^Benchmark(Speak|Command)$", 5, usualTime},
	}, calls)

	s, err := selectRows(goals, "^VAD$/speech")
	require.NoError(t, err)
	calls, err = m.calls(s)
	require.NoError(t, err)
	require.Equal(t, []call{{"engines/vad", "^Benchmark(VAD)$/speech", 5, usualTime}}, calls)

	s, err = selectRows(goals, "^Speak$")
	require.NoError(t, err)
	calls, err = m.calls(s)
	require.NoError(t, err)
	require.Equal(t, []call{{"engines/espeak", "^Benchmark(Speak|Command)$", 5, usualTime}}, calls, "of a difference both")

	s, err = selectRows(goals, "^Resample44100To24000$")
	require.NoError(t, err)
	calls, err = m.calls(s)
	require.NoError(t, err)
	require.Equal(t, []call{{"backend/audio", "^Benchmark(Resample44100To24000)$", 1, usualTime}}, calls, "one that is no row")
}

// TestGoalsNameBenchmarks looks for the benchmark of each row, and holds that rows of a group stand together and no two are alike.
func TestGoalsNameBenchmarks(t *testing.T) {
	all, err := benchmarksIn("../..")
	require.NoError(t, err)
	keys, groups := map[string]bool{}, map[string]bool{}
	for i, r := range goals {
		key := r.pkg + " " + r.name + " " + r.unit
		require.False(t, keys[key], "two rows have %s", key)
		keys[key] = true
		if i == 0 || goals[i-1].group != r.group {
			require.False(t, groups[r.group], "the rows of %s stand apart", r.group)
			groups[r.group] = true
		}
		if r.pkg == programRows {
			continue
		}
		for _, name := range r.benchmarks() {
			require.Contains(t, all, benchmark{r.pkg, name}, "goals.go names a benchmark that does not exist")
		}
	}
}

// TestPageIsWritten compares docs/benchmarks.md with what this program writes from the figures.
func TestPageIsWritten(t *testing.T) {
	kept, err := load(filepath.Join("../../docs", figuresFile))
	require.NoError(t, err)
	raw, err := os.ReadFile(filepath.Join("../../docs", pageFile))
	require.NoError(t, err)
	want, err := withFigures(string(raw), goals, kept)
	require.NoError(t, err)
	require.Equal(t, want, string(raw), "docs/benchmarks.md is out of date; make gen writes it")
}

// TestDifferencesAreOfTheSameRun has the row that is one benchmark less another.
func TestDifferencesAreOfTheSameRun(t *testing.T) {
	m := &measurement{figures: figures{Sessions: []session{morning}}}
	m.add("engines/espeak", "Speak", "ns/op", 30e6, 40e6)
	m.add("engines/espeak", "Command", "ns/op", 10e6, 25e6)
	m.subtract("engines/espeak")
	require.Equal(t, []float64{20, 15}, m.figures.Results[2].Values)
	require.Equal(t, "ms/op", m.figures.Results[2].Unit)
}

func TestFailuresAreKept(t *testing.T) {
	var problems strings.Builder
	m := &measurement{problems: &problems}
	m.fail(nil)
	require.NoError(t, m.failed)
	m.fail(errors.New("no compiler"))
	require.EqualError(t, m.failed, "no compiler")
	require.Equal(t, "no compiler\n", problems.String())
}

func TestSessionsDescribeTheMachine(t *testing.T) {
	s := newSession(t.Context(), "../..", morning.Began)
	require.Equal(t, morning.Began, s.Began)
	require.Regexp(t, `\d+ cores.*; .+; Go 1\.\d+.*, ONNX Runtime 1\.\d+\.\d+$`, s.Machine)
	require.Equal(t, "AMD EPYC", field("processor\t: 0\nmodel name\t: AMD EPYC\nmodel name\t: B\n", "model name"))
}

// TestVoiceIsAsLongForOthers has the config of the voice of true size: without noise in the lengths, at the pace of speech.
func TestVoiceIsAsLongForOthers(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("../..", voiceConfig))
	require.NoError(t, err)
	config, err := steady(raw)
	require.NoError(t, err)
	var have struct {
		Inference map[string]float64
		Symbols   map[string][]int `json:"phoneme_id_map"`
	}
	require.NoError(t, json.Unmarshal(config, &have))
	require.Equal(t, map[string]float64{"noise_scale": 0.667, "noise_w": 0, "length_scale": paceOfSpeech}, have.Inference)
	require.NotEmpty(t, have.Symbols)
	_, err = steady([]byte("{}"))
	require.Error(t, err)
}
