package cli

import (
	"context"
	"runtime"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// players returns the commands that can play a file on this system, in order of preference.
func players(path string) [][]string {
	switch runtime.GOOS {
	case "darwin":
		return [][]string{{"afplay", path}}
	case "windows":
		return [][]string{{"powershell", "-NoProfile", "-Command", "(New-Object Media.SoundPlayer $args[0]).PlaySync()", path}}
	default:
		return [][]string{
			{"pw-play", path}, {"paplay", path}, {"ffplay", "-nodisp", "-autoexit", "-loglevel", "error", path}, {"aplay", "-q", path},
		}
	}
}

// play plays a file to its end. Errors: no_audio_device.
func play(ctx context.Context, path string) error {
	for _, args := range players(path) {
		if program, err := subprocess.Find(args[0]); err == nil {
			if err := subprocess.Desktop(ctx, program, args[1:]...).Run(); err == nil {
				return nil
			}
		}
	}
	return backend.E(backend.CodeNoAudioDevice, "The audio was saved, but no installed program could play it.",
		"Open the file in a media player, or install paplay (PulseAudio) or ffplay.")
}
