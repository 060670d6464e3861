package audio

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever lacks ffmpeg is told how to install it on their system.
func TestInstallFFmpeg(t *testing.T) {
	for goos, want := range map[string][]string{
		"linux": {"apt install ffmpeg", "dnf install ffmpeg-free", "pacman -S ffmpeg"}, "darwin": {"brew install ffmpeg"},
		"windows": {"winget install ffmpeg"}, "freebsd": {"package manager"},
	} {
		for _, part := range want {
			require.Contains(t, installFFmpeg(goos), part)
		}
		require.Contains(t, installFFmpeg(goos), "use WAV files")
	}
}
