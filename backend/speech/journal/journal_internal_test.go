package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// someSounds returns what an engine may emit for segment n.
func someSounds(n int) []engines.Sound {
	sound := func(k int) engines.Sound {
		samples := make([]float32, 3*k+n)
		for i := range samples {
			samples[i] = float32(i*n+k) / 1000
		}
		return engines.Sound{Buffer: audio.Buffer{Samples: samples, Rate: 8000, Channels: 1}, Words: []backend.Word{{Text: "w", End: 0.1}}}
	}
	return []engines.Sound{sound(1), sound(n)}
}

func keyOf(n int) string { return fmt.Sprintf("segment %d", n) }

// write stores segments 1 to n, each a chunk.
func (j *Journal) write(t require.TestingT, n int) {
	plan := make([]PlannedSegment, n)
	for i := range plan {
		plan[i] = PlannedSegment{Line: i, Key: keyOf(i + 1)}
	}
	require.NoError(t, j.Begin(plan))
	for i := range n {
		if _, ok := j.Find(keyOf(i + 1)); ok {
			continue
		}
		k := KeptSegment{Key: keyOf(i + 1), Setting: "s"}
		for _, s := range someSounds(i + 1) {
			k.Add(s)
		}
		require.NoError(t, j.Add(&k))
	}
}

// read requires that every segment that a journal has is as it was written, and returns how many it has.
func (j *Journal) readAll(t require.TestingT, n int) int {
	count := 0
	for i := range n {
		if _, ok := j.Find(keyOf(i + 1)); !ok {
			continue
		}
		count++
		var got []engines.Sound
		require.NoError(t, j.Replay(keyOf(i+1), func(s engines.Sound) error {
			got = append(got, s)
			return nil
		}))
		require.Equal(t, someSounds(i+1), got)
	}
	return count
}

// TestPartialWithAGap leaves out a chunk: those after it are stored, and are not heard yet.
func TestPartialWithAGap(t *testing.T) {
	t.Parallel()
	j, err := Open(filepath.Join(t.TempDir(), "journal"), time.Now)
	require.NoError(t, err)
	defer func() { require.NoError(t, j.Close(false)) }()
	require.NoError(t, j.Begin([]PlannedSegment{{Line: 0, Key: keyOf(1)}, {Line: 1, Key: keyOf(9)}, {Line: 2, Key: keyOf(2)}, {Line: 3, Key: keyOf(3)}}))
	for i := range 3 {
		require.NoError(t, j.Add(&KeptSegment{Key: keyOf(i + 1)}))
	}
	require.Equal(t, &backend.Partial{Chunks: 3, Total: 4, Behind: 2}, j.Partial())
	heard, _, _ := j.First()
	require.Len(t, heard, 1)
}

// TestDamagedJournal damages a journal anywhere: it has what is before the damage, sample by sample, and grows from there.
func TestDamagedJournal(t *testing.T) {
	t.Parallel()
	const n = 5
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	j, err := Open(whole, time.Now)
	require.NoError(t, err)
	j.write(t, n)
	require.Equal(t, &backend.Partial{Chunks: n, Total: n, Seconds: Thousandths(float64(5*3+15+3*15+15) / 8000)}, j.Partial())
	require.NoError(t, j.Close(true))
	raw, err := os.ReadFile(whole)
	require.NoError(t, err)

	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(0, len(raw)-1).Draw(t, "at")
		damaged := append([]byte(nil), raw...)
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			damaged = damaged[:at]
		case 1:
			damaged[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		default: // a power cut can leave zeros
			clear(damaged[at:])
		}
		path := filepath.Join(dir, "damaged")
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		j, err := Open(path, time.Now)
		require.NoError(t, err)
		have := j.readAll(t, n)
		if p := j.Partial(); p != nil {
			require.LessOrEqual(t, p.Chunks, have)
		}
		j.write(t, n)
		require.Equal(t, n, j.readAll(t, n))
		require.NoError(t, j.Close(false))
		p, empty, err := ReadPartial(path)
		require.NoError(t, err)
		require.False(t, empty)
		require.Equal(t, n, p.Chunks)
	})
}

func FuzzJournal(f *testing.F) {
	path := filepath.Join(f.TempDir(), "seed")
	j, err := Open(path, time.Now)
	require.NoError(f, err)
	j.write(f, 2)
	require.NoError(f, j.Close(false))
	raw, err := os.ReadFile(path)
	require.NoError(f, err)
	f.Add(raw)
	f.Add(raw[:len(raw)-7])
	f.Add([]byte(journalMagic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := filepath.Join(t.TempDir(), "fuzzed")
		require.NoError(t, os.WriteFile(path, raw, 0o600))
		j, err := Open(path, time.Now)
		require.NoError(t, err)
		for key := range j.segments {
			require.NoError(t, j.Replay(key, func(engines.Sound) error { return nil }))
		}
		j.write(t, 2)
		require.Equal(t, 2, j.readAll(t, 2))
		require.NoError(t, j.Close(false))
	})
}
