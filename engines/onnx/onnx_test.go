package onnx_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	ort "github.com/yalue/onnxruntime_go"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	goleak.VerifyTestMain(m)
}

// voiceFile returns a graph of the Piper kit in that engine's test data.
func voiceFile(t testing.TB, parts ...string) string {
	t.Helper()
	return filepath.Join(append([]string{enginetest.Root(t), "engines", "piper", "testdata", "kit"}, parts...)...)
}

func small(t testing.TB) string { return voiceFile(t, "vits", "vits-small.onnx") }

func voice() onnx.Signature {
	return onnx.Signature{
		Inputs: []onnx.Value{
			{Name: "input", Type: onnx.Int64, Rank: 2},
			{Name: "input_lengths", Type: onnx.Int64, Rank: 1},
			{Name: "scales", Type: onnx.Float32, Rank: 1},
		},
		Outputs: []onnx.Value{{Name: "output", Type: onnx.Float32, Rank: onnx.AnyRank}},
	}
}

func library(t testing.TB) *onnx.Runtime {
	t.Helper()
	return onnx.New(onnx.Options{Path: enginetest.Library(t)})
}

func open(t testing.TB, threads int) *onnx.Session {
	t.Helper()
	s, err := library(t).Open(t.Context(), small(t), voice(), onnx.SessionOptions{Threads: threads})
	require.NoError(t, err)
	return s
}

// inputs returns n ids with this pace and no noise.
func inputs(n int, pace float32) []onnx.Tensor {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(i%150 + 3)
	}
	return []onnx.Tensor{
		onnx.NewTensor(ids, 1, int64(n)),
		onnx.NewTensor([]int64{int64(n)}, 1),
		onnx.NewTensor([]float32{0, pace, 0}, 3),
	}
}

func TestInspectAgreesWithTheLibrary(t *testing.T) {
	require.NoError(t, library(t).Init())
	for _, path := range []string{
		small(t),
		voiceFile(t, "vits", "vits-small-4-speakers.onnx"),
		voiceFile(t, "variants", "en_US-lessac-medium.aligned.onnx"),
		voiceFile(t, "repo", "en", "en_GB", "vctk", "medium", "en_GB-vctk-medium.onnx"),
		voiceFile(t, "repo", "en", "en_US", "tone", "medium", "en_US-tone-medium.onnx"),
	} {
		model, err := onnx.Inspect(path)
		require.NoError(t, err)
		wantIn, wantOut, err := ort.GetInputOutputInfo(path)
		require.NoError(t, err)
		compare(t, wantIn, model.Inputs)
		compare(t, wantOut, model.Outputs)
	}
}

func compare(t *testing.T, want []ort.InputOutputInfo, got []onnx.Value) {
	t.Helper()
	require.Len(t, got, len(want))
	for i, w := range want {
		require.Equal(t, w.Name, got[i].Name)
		if got[i].Type != onnx.Undefined { // the library infers what a file leaves out
			require.Equal(t, int(w.DataType), int(got[i].Type))
		}
		if got[i].Rank != onnx.AnyRank {
			require.Len(t, w.Dimensions, got[i].Rank, w.Name)
		}
	}
}

func TestInspectFindsRandomNodes(t *testing.T) {
	model, err := onnx.Inspect(small(t))
	require.NoError(t, err)
	require.True(t, model.Random())
	require.Equal(t, 2, model.Ops["RandomNormalLike"])
	model, err = onnx.Inspect(voiceFile(t, "repo", "en", "en_US", "lessac", "medium", "en_US-lessac-medium.onnx"))
	require.NoError(t, err)
	require.False(t, model.Random())
	require.NotEmpty(t, model.Ops)
}

func TestOpenNamesWhatIsWrong(t *testing.T) {
	whole, err := os.ReadFile(small(t))
	require.NoError(t, err)
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	other := func(change func(*onnx.Signature)) onnx.Signature {
		s := voice()
		change(&s)
		return s
	}
	tests := []struct {
		name string
		path string
		want onnx.Signature
		says []string
	}{
		{"no file", filepath.Join(dir, "none.onnx"), voice(), []string{"none.onnx"}},
		{"empty file", write("empty.onnx", nil), voice(), []string{"empty.onnx"}},
		{"cut off", write("cut.onnx", whole[:len(whole)/2]), voice(), []string{"cut.onnx"}},
		{"last byte missing", write("short.onnx", whole[:len(whole)-1]), voice(), []string{"short.onnx"}},
		{"a web page", write("page.onnx", []byte("<!DOCTYPE html><html>not found</html>")), voice(), []string{"page.onnx"}},
		{"unknown operator", write("odd.onnx", unknownOperator(whole)), voice(), []string{"odd.onnx"}},
		{"an input is missing", small(t), other(func(s *onnx.Signature) {
			s.Inputs = append(s.Inputs, onnx.Value{Name: "sid", Type: onnx.Int64, Rank: 1})
		}), []string{"vits-small.onnx", "sid int64 rank 1", "input_lengths"}},
		{
			"another type", small(t), other(func(s *onnx.Signature) { s.Inputs[0].Type = onnx.Float32 }),
			[]string{"vits-small.onnx", "expected input float32 rank 2", "found input int64 rank 2"},
		},
		{
			"another rank", small(t), other(func(s *onnx.Signature) { s.Inputs[2].Rank = 2 }),
			[]string{"vits-small.onnx", "expected scales float32 rank 2", "found scales float32 rank 1"},
		},
		{
			"an input too many", small(t), other(func(s *onnx.Signature) { s.Inputs = s.Inputs[:2] }),
			[]string{"vits-small.onnx", "scales float32"},
		},
		{
			"no such output", small(t), other(func(s *onnx.Signature) { s.Outputs[0].Name = "waveform" }),
			[]string{"vits-small.onnx", "waveform", "output"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := library(t).Open(t.Context(), tt.path, tt.want, onnx.SessionOptions{})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "%v", err)
			e := backend.AsError(err)
			require.NotEmpty(t, e.Remedy)
			for _, word := range tt.says {
				require.Contains(t, e.Detail, word)
			}
		})
	}
}

// unknownOperator returns the file with an operator renamed to one that does not exist.
func unknownOperator(whole []byte) []byte {
	return bytes.ReplaceAll(whole, []byte("ConvTranspose"), []byte("ConvTranspoze"))
}

func TestRunFromManyGoroutines(t *testing.T) {
	s := open(t, 1)
	defer func() { require.NoError(t, s.Close()) }()
	want, err := s.Run(t.Context(), "speaking", inputs(9, 1)...)
	require.NoError(t, err)
	floats, err := want[0].Floats()
	require.NoError(t, err)
	require.Equal(t, int64(len(floats)), want[0].Shape()[3])
	_, err = want[0].Ints()
	require.Error(t, err)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := s.Run(t.Context(), "speaking", inputs(9, 1)...)
			if err != nil || len(got) != 1 {
				t.Errorf("run: %v", err)
				return
			}
			if f, _ := got[0].Floats(); len(f) != len(floats) || f[0] != floats[0] || f[len(f)-1] != floats[len(f)-1] {
				t.Error("the runs disturb each other")
			}
		})
	}
	wg.Wait()
}

// stopLimit is the time after which a cancelled run counts as never ending. Benchmarks measure how soon it ends, since
// a busy machine is late.
const stopLimit = 30 * time.Second

func TestRunStopsWhenCancelled(t *testing.T) {
	s := open(t, 1)
	defer func() { require.NoError(t, s.Close()) }()
	long := inputs(2000, 4)
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 200 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := s.Run(ctx, "speaking", long...)
		deadline, _ := ctx.Deadline()
		late := time.Since(deadline)
		cancel()
		require.ErrorIs(t, err, backend.ErrCancelled)
		require.Less(t, late, stopLimit)
		t.Logf("cancelled after %v: %v late", after, late)
	}
	_, err := s.Run(t.Context(), "speaking", inputs(9, 1)...)
	require.NoError(t, err, "a cancelled run spoils the session")
}

func TestRunFailures(t *testing.T) {
	s := open(t, 1)
	bad := inputs(9, 1)
	bad[0] = onnx.NewTensor([]int64{1, 2, 100000}, 1, 3)
	bad[1] = onnx.NewTensor([]int64{3}, 1)
	_, err := s.Run(t.Context(), "speaking", bad...)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
	require.Contains(t, backend.AsError(err).Detail, "speaking")

	_, err = s.Run(t.Context(), "speaking", onnx.NewTensor([]int64{1, 2}, 1, 3), bad[1], bad[2])
	require.ErrorContains(t, err, "shape [1 3] has 2 elements")

	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	_, err = s.Run(t.Context(), "speaking", inputs(9, 1)...)
	require.ErrorIs(t, err, backend.ErrCancelled)
	require.ErrorContains(t, err, "closed")
}

func TestOpenAfterCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := library(t).Open(ctx, small(t), voice(), onnx.SessionOptions{})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestCheckFinite(t *testing.T) {
	inf := float32(math.Inf(1))
	require.NoError(t, onnx.CheckFinite("speaking", []float32{0, 1, -1}))
	require.NoError(t, onnx.CheckFinite("speaking", nil))
	for _, bad := range []float32{inf, -inf, inf - inf} {
		err := onnx.CheckFinite("speaking", []float32{0, bad})
		require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Detail, "speaking")
	}
}

// The tests below need a process that has not loaded the library yet, so they run in children.

const childVariable = "ONNX_TEST_CHILD"

// child opens a model with the library path of its environment and reports how it went.
func child() int {
	r := onnx.New(onnx.Options{Path: os.Getenv("ONNX_TEST_PATH"), Executable: os.Getenv("ONNX_TEST_EXECUTABLE")})
	if r.Version() != "" {
		return 1
	}
	s, err := r.Open(context.Background(), os.Getenv(childVariable), voice(), onnx.SessionOptions{})
	if err == nil {
		err = errors.Join(s.Close(), onnx.New(onnx.Options{}).Init())
		_, _ = os.Stdout.WriteString("version " + r.Version())
		if err != nil {
			return 1
		}
		return 0
	}
	e := backend.AsError(err)
	_, _ = os.Stdout.WriteString(string(e.Code) + "\n" + e.Detail + "\n" + e.Remedy)
	return 0
}

func inChild(t *testing.T, dir, path, executable string) string {
	t.Helper()
	return inChildWith(t, os.Environ(), dir, path, executable)
}

func inChildWith(t *testing.T, env []string, dir, path, executable string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Dir = dir
	cmd.Env = append(env, childVariable+"="+small(t), "ONNX_TEST_PATH="+path, "ONNX_TEST_EXECUTABLE="+executable)
	out, err := cmd.Output()
	require.NoError(t, err, string(out))
	return string(out)
}

// The library writes files of its own and contacts its maker unless telemetry is switched off. It switches telemetry
// off in the environment of a build server, so the child does not inherit this one.
func TestLibraryKeepsQuiet(t *testing.T) {
	for name, extra := range map[string][]string{"as it is": nil, "switched on by the user": {"ORT_DISABLE_TELEMETRY=0"}} {
		t.Run(name, func(t *testing.T) {
			home, temp := t.TempDir(), t.TempDir()
			env := append(extra, "PATH="+os.Getenv("PATH"), "HOME="+home, "TMPDIR="+temp, "LANG=C.UTF-8")
			require.Contains(t, inChildWith(t, env, t.TempDir(), libraryFile(t), ""), "version 1.")
			for _, dir := range []string{home, temp} {
				entries, err := os.ReadDir(dir)
				require.NoError(t, err)
				require.Empty(t, entries)
			}
		})
	}
}

// libraryFile is the library itself.
func libraryFile(t *testing.T) string {
	path := enginetest.Library(t)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		entries, err := os.ReadDir(path)
		require.NoError(t, err)
		for _, e := range entries {
			if strings.Contains(e.Name(), "onnxruntime") && !strings.Contains(e.Name(), "providers") {
				return filepath.Join(path, e.Name())
			}
		}
	}
	return path
}

func TestLibraryIsFound(t *testing.T) {
	file := libraryFile(t)
	top := t.TempDir()
	place := func(parts ...string) string {
		path := filepath.Join(append(append([]string{top}, parts...), filepath.Base(file))...)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.Symlink(file, path))
		return path
	}
	empty := t.TempDir()
	for name, tt := range map[string]struct{ dir, path, executable string }{
		"file":                  {dir: empty, path: file},
		"folder":                {dir: empty, path: filepath.Dir(file)},
		"beside the program":    {dir: empty, executable: filepath.Join(filepath.Dir(place("beside")), "app")},
		"of make install":       {dir: empty, executable: filepath.Join(place("local", "lib", "onnxruntime"), "..", "..", "..", "bin", "app")},
		"of a package":          {dir: empty, executable: filepath.Join(place("usr", "lib", "voicewright"), "..", "..", "..", "bin", "app")},
		"in build/lib near":     {dir: empty, executable: filepath.Join(top, "tree", "bin", "app")},
		"in the working folder": {dir: filepath.Join(top, "tree"), executable: filepath.Join(empty, "bin", "app")},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "in ") {
				target := filepath.Join(top, "tree", "build", "lib", "onnxruntime", filepath.Base(file))
				if _, err := os.Stat(target); err != nil {
					place("tree", "build", "lib", "onnxruntime")
				}
			}
			require.Regexp(t, `^version 1\.\d+\.\d+`, inChild(t, tt.dir, tt.path, tt.executable))
		})
	}
}

func TestLibraryIsMissing(t *testing.T) {
	empty := t.TempDir()
	text := filepath.Join(empty, "libonnxruntime.so.1")
	require.NoError(t, os.WriteFile(text, []byte("this is no library"), 0o600))
	none := filepath.Join(empty, "none")
	for name, tt := range map[string]struct{ path, says string }{
		"no such file":   {none, none},
		"empty folder":   {t.TempDir(), "was not found"},
		"a text file":    {text, text},
		"other library":  {otherLibrary(t), "1.29"},
		"folder of text": {empty, text},
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.SplitN(inChild(t, t.TempDir(), tt.path, ""), "\n", 3)
			require.Len(t, lines, 3)
			require.Equal(t, string(backend.CodeRuntimeMissing), lines[0])
			require.Contains(t, lines[1], tt.says)
			require.Contains(t, lines[2], "1.29")
		})
	}
}

// otherLibrary is a real shared library that is not ONNX Runtime: the C library of this process.
func otherLibrary(t *testing.T) string {
	t.Helper()
	for _, pattern := range []string{"/lib/*/libm.so.6", "/lib*/libm.so.6", "/lib/ld-musl-*.so.1"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[0]
		}
	}
	path := filepath.Join(t.TempDir(), "libother.so")
	require.NoError(t, os.WriteFile(path, []byte{0x7f, 'E', 'L', 'F'}, 0o600))
	return path
}
