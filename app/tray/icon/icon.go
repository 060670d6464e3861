// Package icon draws the program's sign, five bars of a waveform, in any size.
package icon

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
)

// PNG returns the sign in a square of size pixels.
func PNG(size int) []byte {
	var file bytes.Buffer
	_ = png.Encode(&file, draw(size)) // into memory
	return file.Bytes()
}

// ICO returns an icon file of Windows with the sign in several sizes, each 1 to 256 pixels.
func ICO(sizes ...int) []byte {
	const header, entry = 6, 16
	file := []byte{0, 0, 1, 0, byte(len(sizes)), 0}
	offset, images := header+entry*len(sizes), []byte(nil)
	for _, size := range sizes {
		image := PNG(size)
		file = append(file, byte(size), byte(size), 0, 0, 1, 0, 32, 0) // 256 is written as 0
		file = binary.LittleEndian.AppendUint32(file, uint32(len(image)))
		file = binary.LittleEndian.AppendUint32(file, uint32(offset+len(images)))
		images = append(images, image...)
	}
	return append(file, images...)
}

// draw draws frontend/public/icon.svg: lines of width 2 with round ends in a square of 24.
func draw(size int) image.Image {
	scale := 24 / float64(size)
	bars := [][3]float64{{3, 10, 14}, {7, 7, 17}, {11, 3, 21}, {15, 8, 16}, {19, 6, 18}} // x, top, bottom
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for i := range size * size {
		x, y := (float64(i%size)+0.5)*scale, (float64(i/size)+0.5)*scale
		cover := 0.0
		for _, bar := range bars {
			nearest := min(max(y, bar[1]), bar[2])
			inside := 1 - math.Hypot(x-bar[0]-1, y-nearest) // the view is centred: the bars span 2 to 20
			cover = max(cover, min(max(inside/scale+0.5, 0), 1))
		}
		img.SetNRGBA(i%size, i/size, color.NRGBA{R: 0x1f, G: 0xb8, B: 0xad, A: uint8(math.Round(255 * cover))})
	}
	return img
}
