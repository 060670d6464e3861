package ggml_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines/whisper/ggml"
	"github.com/voicewright/voicewright/engines/whisper/whispertest"
)

func parse(b []byte) (ggml.Model, error) { return ggml.Parse(bytes.NewReader(b), int64(len(b))) }

func TestModelsOfTheKit(t *testing.T) {
	for name, want := range map[string]struct {
		size, weights string
		languages     int
		last          string
	}{
		"plain":           {"tiny", "f16", 99, "su"},
		"plain-q5_1":      {"tiny", "q5_1", 99, "su"},
		"long":            {"base", "f16", 99, "su"},
		"german":          {"tiny", "f16", 99, "su"},
		"tones":           {"tiny", "f16", 99, "su"},
		"english-only.en": {"tiny", "f16", 1, "en"},
		"large-v3-turbo":  {"large-v3-turbo", "f16", 100, "yue"},
	} {
		t.Run(name, func(t *testing.T) {
			path := whispertest.Path(t, name)
			is, err := ggml.Is(path)
			require.NoError(t, err)
			require.True(t, is)
			m, err := ggml.Check(path)
			require.NoError(t, err)
			require.Equal(t, want.size, m.Size())
			require.Equal(t, want.weights, m.Weights())
			require.Equal(t, want.languages > 1, m.Multilingual())
			require.Len(t, m.Languages(), want.languages)
			require.Equal(t, "en", m.Languages()[0])
			require.Equal(t, want.last, m.Languages()[want.languages-1])
		})
	}
}

func TestLanguagesAreThoseOfTheRegistry(t *testing.T) {
	entries, err := registry.Load()
	require.NoError(t, err)
	for _, e := range entries {
		if e.Engine != "whisper" {
			continue
		}
		m := ggml.Model{Vocabulary: map[int]int{1: 51864, 99: 51865, 100: 51866}[len(e.Languages)]}
		require.Equal(t, m.Languages(), e.Languages, e.Name)
	}
}

// TestCuts: a file that ends too early never passes, wherever it ends.
func TestCuts(t *testing.T) {
	for _, s := range whispertest.Models(t) {
		cuts := []int{0, 1, 4, 20, 47, 48, 56, 1000, 60000, 100000, 700000, s.Tensors, len(s.Bytes) - 1}
		for i := 1; i < len(s.Heads); i += 10 {
			cuts = append(cuts, s.Heads[i], s.Data[i])
		}
		for _, cut := range cuts {
			_, err := parse(s.Bytes[:cut])
			var wrong *ggml.FormatError
			require.ErrorAs(t, err, &wrong, "%s cut at %d", s.Name, cut)
			require.LessOrEqual(t, wrong.Offset, int64(cut))
		}
	}
}

// TestHeaderFields sets each number of the header to values that make the library end the process.
func TestHeaderFields(t *testing.T) {
	for _, s := range whispertest.Models(t) {
		for field := range 12 {
			for _, value := range []int32{0, -1, 7, 2147483647} {
				b := slices.Clone(s.Bytes)
				binary.LittleEndian.PutUint32(b[4*field:], uint32(value))
				_, err := parse(b)
				require.Error(t, err, "%s: number %d is %d", s.Name, field, value)
			}
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	s := whispertest.Models(t)[0]
	put := func(at int, value uint32) []byte {
		b := slices.Clone(s.Bytes)
		binary.LittleEndian.PutUint32(b[at:], value)
		return b
	}
	spaces := slices.Clone(s.Bytes)
	for at := s.Vocabulary + 4; at < s.Tensors; {
		length := int(binary.LittleEndian.Uint32(spaces[at:]))
		if length == 1 && spaces[at+4] == ' ' {
			spaces[at+4] = 'x'
		}
		at += 4 + length
	}
	cases := map[string][]byte{
		"not a Whisper model":                put(0, 1),
		"audio heads 3":                      put(16, 3),
		"mel filters are 80 by 7":            put(s.Filters+4, 7),
		"vocabulary has 7 tokens":            put(s.Vocabulary, 7),
		"has 2147483647 bytes":               put(s.Vocabulary+4, 1<<31-1),
		"no token for a space":               spaces,
		"no weights":                         s.Bytes[:s.Tensors],
		"ends within the tensor encoder.":    s.Bytes[:s.Data[0]+3],
		"such as":                            s.Bytes[:s.Heads[100]],
		"7 dimensions":                       put(s.Heads[5], 7),
		"unknown or repeated tensor":         append(slices.Clone(s.Bytes), s.Bytes[s.Heads[len(s.Heads)-1]:]...),
		"numbers of the type 0, not f16":     put(s.Heads[slices.IndexFunc(s.Heads, func(at int) bool { return s.Bytes[at+8] == 1 })]+8, 0),
		"ends within the header of a tensor": append(slices.Clone(s.Bytes), 1, 2, 3),
		"is [9 ":                             put(s.Heads[0]+12, 9),
		"wrong file type 4":                  put(44, 4),
		"wrong audio width for quantised":    put(44, 8),
		"wrong number of text layers 33":     put(36, 33),
	}
	for want, file := range cases {
		_, err := parse(file)
		require.ErrorContains(t, err, want)
	}
}

func TestCheckNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ggml-cut.bin")
	require.NoError(t, os.WriteFile(path, whispertest.Bytes(t, "plain")[:100000], 0o600))
	_, err := ggml.Check(path)
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, backend.CodeModelCorrupt, e.Code)
	require.Contains(t, e.Detail, "ggml-cut.bin")
	require.Contains(t, e.Detail, "byte 100000")
	_, err = ggml.Check(filepath.Join(t.TempDir(), "nothing.bin"))
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	_, err = ggml.Check(t.TempDir())
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	text := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(text, []byte("gg"), 0o600))
	is, err := ggml.Is(text)
	require.NoError(t, err)
	require.False(t, is)
}

// TestDamagedFiles checks files that were damaged in many ways: none ends the checker or makes it allocate by what a file says,
// and what it refuses is a FormatError.
func TestDamagedFiles(t *testing.T) {
	all := whispertest.Models(t)
	var before, after runtime.MemStats
	accepted, largest := 0, uint64(0)
	buf := make([]byte, 0, 4<<20)
	for i := range uint64(cases) {
		b := all[i%uint64(len(all))].Damaged(i, buf)
		runtime.ReadMemStats(&before)
		_, err := parse(b)
		runtime.ReadMemStats(&after)
		largest = max(largest, after.TotalAlloc-before.TotalAlloc)
		var wrong *ggml.FormatError
		if err == nil {
			accepted++
		} else if !errors.As(err, &wrong) || wrong.Offset < 0 || strings.TrimSpace(wrong.Reason) == "" {
			t.Fatalf("case %d: %v", i, err)
		}
	}
	t.Logf("%d of %d files accepted, at most %d bytes allocated for one", accepted, cases, largest)
	require.Less(t, largest, uint64(4<<20))
	require.Greater(t, accepted, cases/50, "harmless changes are accepted")
	require.Less(t, accepted, cases/2)
}

// TestMemoryOfALargeFile: the check of a file of 3 GB reads headers only. The file is sparse.
func TestMemoryOfALargeFile(t *testing.T) {
	m := ggml.Model{
		Vocabulary: 51866, AudioState: 1280, AudioHeads: 20, AudioLayers: 32, TextState: 1280, TextHeads: 20, TextLayers: 32,
		Mels: 128, FileType: 1,
	}
	path := filepath.Join(t.TempDir(), "ggml-large-v3.bin")
	writeSparse(t, path, m)
	got, err := ggml.Check(path)
	require.NoError(t, err)
	require.Equal(t, m, got)
	require.Equal(t, "large", got.Size())
	allocated := testing.AllocsPerRun(1, func() { _, _ = ggml.Check(path) })
	require.Less(t, allocated, 20_000.0)
}

func FuzzParse(f *testing.F) {
	s := whispertest.Models(f)
	for i := range 20 {
		f.Add(s[i%len(s)].Damaged(uint64(i), nil)[:60_000])
	}
	f.Add([]byte("lmgg"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := parse(b); err != nil {
			var wrong *ggml.FormatError
			require.ErrorAs(t, err, &wrong)
		}
	})
}

// writeSparse writes a file of a model whose weights are holes.
func writeSparse(t testing.TB, path string, m ggml.Model) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	s := whispertest.Models(t)[slices.Index(whispertest.Names(t), "large-v3-turbo")]
	head := slices.Clone(s.Bytes[:s.Tensors])
	for i, n := range []int{m.Vocabulary, 1500, m.AudioState, m.AudioHeads, m.AudioLayers, 448, m.TextState, m.TextHeads, m.TextLayers, m.Mels, m.FileType} {
		binary.LittleEndian.PutUint32(head[4+4*i:], uint32(n))
	}
	_, err = f.Write(head)
	require.NoError(t, err)
	at := int64(len(head))
	for name, tensor := range m.Expected() {
		b := binary.LittleEndian.AppendUint32(nil, 3)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		b = binary.LittleEndian.AppendUint32(b, tensor.Kind)
		for _, d := range tensor.Dims {
			b = binary.LittleEndian.AppendUint32(b, uint32(d))
		}
		_, err = f.WriteAt(append(b, name...), at)
		require.NoError(t, err)
		at += int64(len(b)) + int64(len(name)) + tensor.Size
	}
	require.NoError(t, f.Truncate(at))
}
