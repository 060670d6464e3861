package icon

import (
	"bytes"
	"encoding/binary"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSign checks the bars in every size that desktops show: the longest is in the middle, and the corners are empty.
func TestSign(t *testing.T) {
	for _, size := range []int{16, 22, 24, 32, 48, 64, 128, 256, 512} {
		img, err := png.Decode(bytes.NewReader(PNG(size)))
		require.NoError(t, err)
		require.Equal(t, size, img.Bounds().Dx())
		require.Equal(t, size, img.Bounds().Dy())
		_, _, _, corner := img.At(0, 0).RGBA()
		require.Zero(t, corner)
		_, _, _, middle := img.At(size/2, size/2).RGBA()
		require.Greater(t, middle, uint32(0x8000), size)
	}
}

// TestWindowsIcon reads every image of an icon file where its entry says that it is.
func TestWindowsIcon(t *testing.T) {
	sizes := []int{16, 32, 48, 256}
	file := ICO(sizes...)
	require.Equal(t, []byte{0, 0, 1, 0, 4, 0}, file[:6])
	end := 6 + 16*len(sizes)
	for i, size := range sizes {
		entry := file[6+16*i:]
		require.Equal(t, byte(size), entry[0])
		length, offset := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
		require.EqualValues(t, end, offset)
		end += int(length)
		img, err := png.Decode(bytes.NewReader(file[offset:end]))
		require.NoError(t, err)
		require.Equal(t, size, img.Bounds().Dx())
	}
	require.Len(t, file, end)
}
