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
	for _, s := range samples(t) {
		cuts := []int{0, 1, 4, 20, 47, 48, 56, 1000, 60000, 100000, 700000, s.tensors, len(s.bytes) - 1}
		for i := 1; i < len(s.heads); i += 10 {
			cuts = append(cuts, s.heads[i], s.data[i])
		}
		for _, cut := range cuts {
			_, err := parse(s.bytes[:cut])
			var wrong *ggml.FormatError
			require.ErrorAs(t, err, &wrong, "%s cut at %d", s.name, cut)
			require.LessOrEqual(t, wrong.Offset, int64(cut))
		}
	}
}

// TestHeaderFields sets each number of the header to values that make the library end the process.
func TestHeaderFields(t *testing.T) {
	for _, s := range samples(t) {
		for field := range 12 {
			for _, value := range []int32{0, -1, 7, 2147483647} {
				b := slices.Clone(s.bytes)
				binary.LittleEndian.PutUint32(b[4*field:], uint32(value))
				_, err := parse(b)
				require.Error(t, err, "%s: number %d is %d", s.name, field, value)
			}
		}
	}
}

func TestWhatIsWrongIsNamed(t *testing.T) {
	s := samples(t)[0]
	put := func(at int, value uint32) []byte {
		b := slices.Clone(s.bytes)
		binary.LittleEndian.PutUint32(b[at:], value)
		return b
	}
	spaces := slices.Clone(s.bytes)
	for at := s.vocabulary + 4; at < s.tensors; {
		length := int(binary.LittleEndian.Uint32(spaces[at:]))
		if length == 1 && spaces[at+4] == ' ' {
			spaces[at+4] = 'x'
		}
		at += 4 + length
	}
	cases := map[string][]byte{
		"not a Whisper model":                put(0, 1),
		"audio heads 3":                      put(16, 3),
		"mel filters are 80 by 7":            put(s.filters+4, 7),
		"vocabulary has 7 tokens":            put(s.vocabulary, 7),
		"has 2147483647 bytes":               put(s.vocabulary+4, 1<<31-1),
		"no token for a space":               spaces,
		"no weights":                         s.bytes[:s.tensors],
		"ends within the tensor encoder.":    s.bytes[:s.data[0]+3],
		"such as":                            s.bytes[:s.heads[100]],
		"7 dimensions":                       put(s.heads[5], 7),
		"unknown or repeated tensor":         append(slices.Clone(s.bytes), s.bytes[s.heads[len(s.heads)-1]:]...),
		"numbers of the type 0, not f16":     put(s.heads[slices.IndexFunc(s.heads, func(at int) bool { return s.bytes[at+8] == 1 })]+8, 0),
		"ends within the header of a tensor": append(slices.Clone(s.bytes), 1, 2, 3),
		"is [9 ":                             put(s.heads[0]+12, 9),
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

// cases is the number of damaged files of TestDamagedFiles.
const cases = 10_000

// TestDamagedFiles checks files that were damaged in many ways: none ends the checker or makes it allocate by what a file says,
// and what it refuses is a FormatError.
func TestDamagedFiles(t *testing.T) {
	all := samples(t)
	var before, after runtime.MemStats
	accepted, largest := 0, uint64(0)
	buf := make([]byte, 0, 4<<20)
	for i := range uint64(cases) {
		b := all[i%uint64(len(all))].mutate(i, buf)
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
	s := samples(f)
	for i := range 20 {
		f.Add(s[i%len(s)].mutate(uint64(i), nil)[:60_000])
	}
	f.Add([]byte("lmgg"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if _, err := parse(b); err != nil {
			var wrong *ggml.FormatError
			require.ErrorAs(t, err, &wrong)
		}
	})
}
