package audio

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"
)

// box returns an MP4 box.
func box(kind string, parts ...[]byte) []byte {
	body := bytes.Join(parts, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
}

// movie returns an MP4 file with a track for each kind of sample entry.
func movie(entries ...string) []byte {
	var tracks []byte
	for _, entry := range entries {
		stsd := box("stsd", make([]byte, fullBoxHeader), box(entry, make([]byte, 20)))
		tracks = append(tracks, box("trak", box("tkhd"), box("mdia", box("minf", box("stbl", stsd))))...)
	}
	return bytes.Join([][]byte{box("ftyp", []byte("isom")), box("mdat", make([]byte, 100)), box("moov", box("mvhd"), tracks)}, nil)
}

func TestProtected(t *testing.T) {
	long := append([]byte{0, 0, 0, 1, 'm', 'o', 'o', 'v', 0, 0, 0, 0, 0, 0, 0, 120}, box("trak", box("mdia", box("minf", box("stbl",
		box("stsd", make([]byte, fullBoxHeader), box("enca", make([]byte, 20)))))))...)
	for _, c := range []struct {
		name string
		file []byte
		want bool
	}{
		{"common encryption", movie("enca"), true},
		{"iTunes", movie("avc1", "drms"), true},
		{"Audible", movie("aavd"), true},
		{"box of 64 bits", long, true},
		{"clear", movie("avc1", "mp4a"), false},
		{"only the picture is encrypted", movie("encv", "mp4a"), false},
		{"the name elsewhere", append(movie("mp4a"), "enca drms"...), false},
		{"protected WMA", []byte(asfHeader + "........" + asfEncryption), true},
		{"protected WMV", []byte(asfHeader + "........" + asfExtendedEncryption), true},
		{"clear WMA", []byte(asfHeader + "................"), false},
		{"the object in another file", []byte("...." + asfEncryption), false},
		{"nothing", nil, false},
	} {
		require.Equal(t, c.want, protected(bytes.NewReader(c.file), int64(len(c.file))), c.name)
	}
}

func FuzzProtected(f *testing.F) {
	f.Add(movie("mp4a", "enca"))
	f.Add([]byte(asfHeader + asfEncryption))
	f.Add([]byte{0, 0, 0, 1, 'm', 'o', 'o', 'v', 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Add(bytes.Repeat([]byte{0, 0, 0, 8, 'm', 'o', 'o', 'v'}, 1000))
	f.Fuzz(func(_ *testing.T, file []byte) {
		protected(bytes.NewReader(file), int64(len(file)))
	})
}
