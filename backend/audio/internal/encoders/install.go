package encoders

import (
	"runtime"

	"github.com/voicewright/voicewright/backend"
)

// errUnresponsive returns the error for an ffmpeg that does not respond in time.
func errUnresponsive() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "The program ffmpeg isn’t responding.",
		"Run `ffmpeg -encoders` in a terminal to see why, or use WAV files.").With("program", "ffmpeg")
}

// Missing returns the error for a system without ffmpeg.
func Missing() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "This needs the program ffmpeg, which was not found.",
		install(runtime.GOOS)).With("program", "ffmpeg")
}

// install returns how to install ffmpeg on an operating system.
func install(goos string) string {
	switch goos {
	case "darwin":
		return "Install it with `brew install ffmpeg`, or use WAV files."
	case "windows":
		return "Install it with `winget install ffmpeg` and start Voicewright again, or use WAV files."
	case "linux":
		return "Install it with `sudo apt install ffmpeg` (Fedora: `sudo dnf install ffmpeg-free`, " +
			"Arch: `sudo pacman -S ffmpeg`), or use WAV files."
	}
	return "Install ffmpeg with the system's package manager, or use WAV files."
}
