package encoders

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever lacks ffmpeg is told how to install it on their system.
func TestInstall(t *testing.T) {
	for goos, want := range map[string][]string{
		"linux": {"apt install ffmpeg", "dnf install ffmpeg-free", "pacman -S ffmpeg"}, "darwin": {"brew install ffmpeg"},
		"windows": {"winget install ffmpeg"}, "freebsd": {"package manager"},
	} {
		for _, part := range want {
			require.Contains(t, install(goos), part)
		}
		require.Contains(t, install(goos), "use WAV files")
	}
}
