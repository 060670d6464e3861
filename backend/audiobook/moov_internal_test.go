package audiobook

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// An index as ffmpeg writes it, with places of 32 or 64 bits.
func index(kind string, places ...uint64) []byte {
	table := binary.BigEndian.AppendUint32([]byte{0, 0, 0, 0}, uint32(len(places)))
	for _, place := range places {
		if kind == "co64" {
			table = binary.BigEndian.AppendUint64(table, place)
		} else {
			table = binary.BigEndian.AppendUint32(table, uint32(place))
		}
	}
	stbl := appendBox(nil, "stbl", appendBox(nil, "stsz", make([]byte, 12)), appendBox(nil, kind, table))
	trak := appendBox(nil, "trak", appendBox(nil, "mdia", appendBox(nil, "minf", stbl)))
	udta := appendBox(nil, "udta", appendBox(nil, "meta", []byte("old")), appendBox(nil, "chpl", []byte("chapters")))
	return appendBox(nil, "moov", appendBox(nil, "mvhd", make([]byte, 100)), trak, udta)
}

// The places of the audio move with it, also where they no longer fit into 32 bits.
func TestPlacesMoveWithTheAudio(t *testing.T) {
	const by = 1000
	for _, kind := range []string{"stco", "co64"} {
		box := index(kind, 50, 4_000_000_000)
		require.NoError(t, shiftOffsets(box, by))
		require.Equal(t, index(kind, 50+by, 4_000_000_000+by), box)
	}
	wide, err := widen(index("stco", 50, math.MaxUint32))
	require.NoError(t, err)
	require.NoError(t, shiftOffsets(wide, by))
	require.Equal(t, index("co64", 50+by, math.MaxUint32+by), wide)
}

func TestMetadataIsReplaced(t *testing.T) {
	f := file(t, appendBox(nil, "ftyp", []byte("M4B ")), appendBox(nil, "mdat", []byte("audio")), index("stco", 20))
	require.NoError(t, addMeta(t.Context(), f, appendBox(nil, "meta", []byte("something new"))))
	got, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Equal(t, "ftyp", string(got[4:8]))
	require.Equal(t, "moov", string(got[16:20]))
	moved := int(binary.BigEndian.Uint32(got[12:]))
	require.Equal(t, "mdat", string(got[12+moved+4:12+moved+8]))
	require.Equal(t, "audio", string(got[20+moved:]))
	require.Contains(t, string(got), "something new\x00\x00\x00\x10chplchapters")
	require.NotContains(t, string(got), "old")
	want := index("stco", uint64(20+moved))
	require.Equal(t, want[boxHeader:len(want)-39], got[20:20+len(want)-39-boxHeader], "all else stays")
}

// What ffmpeg would never write is refused, and does not end the program.
func TestFilesOfAnotherKind(t *testing.T) {
	ftyp, mdat := appendBox(nil, "ftyp", []byte("M4B ")), appendBox(nil, "mdat", []byte("audio"))
	good := index("stco", 20)
	for _, content := range [][]byte{
		nil, []byte("RIFF"), ftyp, append(ftyp, good...)[:40], append(append([]byte{}, good...), mdat...),
	} {
		require.ErrorIs(t, addMeta(t.Context(), file(t, content), nil), errDamaged)
	}
	for at := boxHeader; at+4 <= len(good); at++ {
		bad := append([]byte{}, good...)
		binary.BigEndian.PutUint32(bad[at:], 0x7FFFFFFF)
		_, replaced := replaceMeta(bad, nil)
		_, widened := widen(bad)
		require.True(t, replaced == nil || errors.Is(replaced, errDamaged))
		require.True(t, widened == nil || errors.Is(widened, errDamaged))
		require.NotPanics(t, func() { _ = shiftOffsets(bad, 1) })
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, addMeta(ctx, file(t, ftyp, mdat, good), nil), backend.ErrCancelled)
}

func file(t *testing.T, boxes ...[]byte) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "a"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	for _, box := range boxes {
		_, err := f.Write(box)
		require.NoError(t, err)
	}
	return f
}
