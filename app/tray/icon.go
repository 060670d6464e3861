//go:build desktop

package tray

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"runtime"
)

const iconSize = 64

// Icon returns the program's sign, five bars of a waveform, as PNG, on Windows as ICO.
func Icon() []byte {
	var file bytes.Buffer
	_ = png.Encode(&file, drawIcon()) // into memory
	if runtime.GOOS == "windows" {
		return append(iconHeader(file.Len()), file.Bytes()...)
	}
	return file.Bytes()
}

// drawIcon draws frontend/public/icon.svg: lines of width 2 with round ends in a square of 24.
func drawIcon() image.Image {
	const scale = 24.0 / iconSize
	bars := [][3]float64{{3, 10, 14}, {7, 7, 17}, {11, 3, 21}, {15, 8, 16}, {19, 6, 18}} // x, top, bottom
	img := image.NewNRGBA(image.Rect(0, 0, iconSize, iconSize))
	for i := range iconSize * iconSize {
		x, y := (float64(i%iconSize)+0.5)*scale, (float64(i/iconSize)+0.5)*scale
		cover := 0.0
		for _, bar := range bars {
			nearest := min(max(y, bar[1]), bar[2])
			inside := 1 - math.Hypot(x-bar[0]-1, y-nearest) // the view is centred: the bars span 2 to 20
			cover = max(cover, min(max(inside/scale+0.5, 0), 1))
		}
		img.SetNRGBA(i%iconSize, i/iconSize, color.NRGBA{R: 0x1f, G: 0xb8, B: 0xad, A: uint8(math.Round(255 * cover))})
	}
	return img
}

// iconHeader returns the header of an ICO file with one PNG of this size.
func iconHeader(size int) []byte {
	header := []byte{0, 0, 1, 0, 1, 0, iconSize, iconSize, 0, 0, 1, 0, 32, 0}
	header = binary.LittleEndian.AppendUint32(header, uint32(size))
	return binary.LittleEndian.AppendUint32(header, uint32(len(header)+4))
}
