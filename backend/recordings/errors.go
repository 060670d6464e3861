package recordings

import (
	"runtime"

	"github.com/voicewright/voicewright/backend"
)

var (
	errBusy = backend.E(backend.CodeRecordingBusy, "Another recording is running.", "Stop it first, then try again.")

	errDisconnected = backend.E(backend.CodeNoAudioDevice, "The microphone was disconnected.",
		"The audio up to then is saved. Connect the microphone, then start a new recording.")

	errNoResponse = backend.E(backend.CodeNoAudioDevice, "The sound system doesn't respond.", remedies[runtime.GOOS])

	errNotFound = backend.E(backend.CodeNotFound, "No recording has this id.", "It may have been deleted, or a transcript has its audio.")

	errRunning = backend.E(backend.CodeRecordingBusy, "This recording is still running.", "Stop it first, then try again.")

	errClosed = backend.E(backend.CodeInterrupted, "Voicewright is stopping.", "Try again after it has started.")
)

// remedies are what to do about a missing microphone, by operating system.
var remedies = map[string]string{
	"linux": "Connect a microphone, and check that PulseAudio or PipeWire is running for your user. " +
		"Without them, your user needs access to /dev/snd (the group audio).",
	"darwin":  "Connect a microphone, and allow Voicewright to use it in System Settings > Privacy & Security > Microphone.",
	"windows": "Connect a microphone, and allow desktop apps to use it in Settings > Privacy & security > Microphone.",
}

// NoDevice returns the error for a machine without a microphone, with the remedy for its operating system.
func NoDevice() *backend.Error {
	return backend.E(backend.CodeNoAudioDevice, "No microphone was found.", remedies[runtime.GOOS]).With("os", runtime.GOOS)
}

// NotConnected returns the error for a microphone that was chosen by its id and is not connected.
func NotConnected(id string) *backend.Error {
	return backend.E(backend.CodeNoAudioDevice, "This microphone isn't connected.", "Connect it, or choose another one.").With("device", id)
}
