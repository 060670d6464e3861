package recordings

import "github.com/voicewright/voicewright/backend"

// Microphones is the sound system of the machine. Its calls may block for as long as the sound system does not respond.
type Microphones interface {
	// List returns the microphones that are connected, none without a sound system.
	List() ([]backend.AudioDevice, error)
	// Open prepares a microphone for recording one channel at a rate in Hz; an empty id is the system's default.
	// Error: no_audio_device.
	Open(id string, rate int, in Input) (Microphone, error)
}

// Input receives what a microphone records. Its methods are called on a thread of the sound system: they neither block nor
// allocate memory.
type Input interface {
	// Samples receives samples in [-1, 1], which are valid only during the call.
	Samples(samples []float32)
	// Lost is called when the microphone was disconnected.
	Lost()
}

// Microphone is an open microphone. It is used by one goroutine at a time.
type Microphone interface {
	// Start starts recording, also after Pause.
	Start() error
	// Pause stops the flow of samples.
	Pause() error
	// Close stops recording and frees the microphone. No method of the input is called after it.
	Close()
}
