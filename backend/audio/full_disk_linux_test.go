package audio_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// TestFullDisk writes each format on a disk with room for 1, 2, 3, ... pages: the file is whole, or the disk is said to be full and there
// is no file.
func TestFullDisk(t *testing.T) {
	dir, small := t.TempDir(), t.TempDir()
	if err := unix.Mount("tmpfs", small, "tmpfs", 0, "size=4k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(small, unix.MNT_DETACH)) })
	tone := make([]float32, 22050)
	for i := range tone {
		tone[i] = float32(math.Sin(float64(i)*0.1+float64(i*i%97))) / 2
	}
	src := filepath.Join(dir, "tone.wav")
	require.NoError(t, os.WriteFile(src, audio.PCM16(audio.WAVHeader(22050, 1, uint32(2*len(tone))), tone), 0o600))
	codecs := audio.FindCodecs()
	meta := map[string]string{"title": "Tone"}
	loud := audio.ExportOptions{LUFS: new(float64(-20))}
	for name, encode := range map[string]func(format, to string) error{
		"encode": func(format, to string) error { return codecs.Encode(t.Context(), src, to, format, meta) },
		"export": func(format, to string) error { return codecs.Export(t.Context(), src, to, format, meta, loud) },
	} {
		for _, format := range []string{"wav", "mp3", "flac", "opus", "m4a"} {
			whole := filepath.Join(dir, name+"."+format)
			require.NoError(t, encode(format, whole))
			want, err := os.Stat(whole)
			require.NoError(t, err)
			refused := 0
			for pages := int64(1); ; pages++ {
				require.NoError(t, unix.Mount("", small, "", unix.MS_REMOUNT, fmt.Sprintf("size=%dk", 4*pages)))
				to := filepath.Join(small, "a."+format)
				err := encode(format, to)
				left, readErr := os.ReadDir(small)
				require.NoError(t, readErr)
				if err == nil {
					got, err := os.Stat(to)
					require.NoError(t, err)
					require.Equal(t, want.Size(), got.Size(), "%s %s in %d pages", name, format, pages)
					require.NoError(t, os.Remove(to))
					break
				}
				require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err), "%s %s in %d pages: %v", name, format, pages, err)
				require.Empty(t, left)
				refused++
				pages += pages / 2
			}
			require.Positive(t, refused)
		}
	}
}
