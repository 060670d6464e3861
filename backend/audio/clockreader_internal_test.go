package audio

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// matroska returns a stream of stereo audio at 1000 Hz with a block of one frame at each time in ms.
func matroska(times ...uint16) []byte {
	element := func(id string, body []byte) []byte {
		return append(append([]byte(id), 0x80|byte(len(body))), body...)
	}
	rate := binary.BigEndian.AppendUint32(nil, math.Float32bits(1000))
	out := append(element("\x1a\x45\xdf\xa3", nil), "\x18\x53\x80\x67\xff"...)
	sound := element("\xe1", append(element("\x9f", []byte{2}), element("\xb5", rate)...))
	out = append(out, element("\x16\x54\xae\x6b", element("\xae", sound))...)
	out = append(out, "\x1f\x43\xb6\x75\xff\xe7\x81\x00"...)
	for _, ms := range times {
		block := append(binary.BigEndian.AppendUint16([]byte{0x81}, ms), 0x80)
		for range 2 {
			block = binary.LittleEndian.AppendUint32(block, math.Float32bits(0.5))
		}
		out = append(out, element("\xa3", block)...)
	}
	return out
}

// readClock returns up to limit samples.
func readClock(raw []byte, limit int) (samples []float32, err error) {
	r, err := newClockReader(bytes.NewReader(raw))
	block := make([]float32, 2*MaxChannels)
	for n := 0; err == nil && len(samples) < limit; samples = append(samples, block[:n]...) {
		n, err = r.Read(block)
	}
	return samples, err
}

// A packet that is late by more than the slack has silence before it; one that is early follows the one before it.
func TestClockReader(t *testing.T) {
	for _, c := range []struct {
		times  []uint16
		frames int
	}{
		{[]uint16{0, 1, 2}, 3},
		{[]uint16{90, 91}, 2},
		{[]uint16{200, 201}, 202},
		{[]uint16{0, 500, 3, 501}, 503},
		{[]uint16{0xFFFE, 0}, 2}, // 2 ms before the start
		{nil, 0},
	} {
		got, err := readClock(matroska(c.times...), 10000)
		require.True(t, ended(err), "%v", err)
		require.Len(t, got, 2*c.frames, "%v", c.times)
		sum := float32(0)
		for _, x := range got {
			sum += x
		}
		require.InDelta(t, len(c.times), sum, 1e-9, "no sample is lost")
	}
	jump := bytes.Replace(matroska(0, 1), []byte("\xe7\x81\x00"), []byte("\xe7\x85\x00\x0f\xff\xff\xff"), 1) // three days
	got, err := readClock(jump, 100)
	require.True(t, ended(err), "%v", err)
	require.Len(t, got, 4, "a broken clock fills no disk")
	_, err = newClockReader(bytes.NewReader([]byte("RIFF....")))
	require.ErrorAs(t, err, new(*FormatError))
}

func FuzzClockReader(f *testing.F) {
	whole := matroska(0, 1, 300)
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Fuzz(func(t *testing.T, raw []byte) {
		samples, err := readClock(raw, 4096)
		if err != nil && !ended(err) {
			require.ErrorAs(t, err, new(*FormatError))
		}
		for _, x := range samples {
			require.Zero(t, x-x, "not finite")
		}
	})
}
