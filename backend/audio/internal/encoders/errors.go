package encoders

import "github.com/voicewright/voicewright/backend"

// errUnresponsive returns the error for an ffmpeg that does not respond in time.
func errUnresponsive() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "The program ffmpeg isn’t responding.",
		"Run `ffmpeg -encoders` in a terminal to see why, or use WAV files.").
		With("program", backend.ProgramFFmpeg).With("reason", "unresponsive")
}

// Missing returns the error for a system without ffmpeg.
func Missing() *backend.Error { return backend.MissingProgram(backend.ProgramFFmpeg) }
