package backend

import "slices"

// Recording is audio from a microphone, while it is recorded and afterwards (decisions.md section 7, Recordings).
type Recording struct {
	ID      string // UUID version 7
	Status  RecordingStatus
	Purpose RecordingPurpose
	Device  string   // id of the microphone; empty for the system's default
	Seconds float64  // of audio so far, without pauses
	LevelDB float64  // RMS of the last moment in dB below full scale, at least -100
	PeakDB  float64  // highest sample of the last moment in dB below full scale, at least -100
	Clipped bool     // a sample has reached full scale since the recording started
	Dropped float64  // seconds of audio lost because the machine was too busy
	Error   *Failure // why it ended; nil where it was stopped by a request or at the longest duration
}

// RecordingStatus is the state of a recording.
type RecordingStatus string

// The states of a recording. A stopped or failed recording has ended; its audio is complete up to then.
const (
	RecordingRunning RecordingStatus = "recording"
	RecordingPaused  RecordingStatus = "paused"
	RecordingStopped RecordingStatus = "stopped"
	RecordingFailed  RecordingStatus = "failed"
)

// recordingSteps is the state machine of recordings: where each state may move.
var recordingSteps = map[RecordingStatus][]RecordingStatus{
	RecordingRunning: {RecordingPaused, RecordingStopped, RecordingFailed},
	RecordingPaused:  {RecordingRunning, RecordingStopped, RecordingFailed},
	RecordingStopped: {},
	RecordingFailed:  {},
}

// CanMove reports whether a recording in state s may move to state to.
func (s RecordingStatus) CanMove(to RecordingStatus) bool {
	return slices.Contains(recordingSteps[s], to)
}

// Ended reports whether the state is final.
func (s RecordingStatus) Ended() bool { return len(recordingSteps[s]) == 0 }

// RecordingPurpose is what a recording is for, which decides how long its audio is stored.
type RecordingPurpose string

// The purposes of recordings.
const (
	RecordTranscript RecordingPurpose = "transcript" // stored with its transcript
	RecordSample     RecordingPurpose = "sample"     // of a voice profile
	RecordDictation  RecordingPurpose = "dictation"  // deleted after its use
)

// RecordingPurposes are all purposes.
var RecordingPurposes = []RecordingPurpose{RecordTranscript, RecordSample, RecordDictation}

// AudioDevice is a microphone or another source of sound.
type AudioDevice struct {
	ID      string // the same after a restart
	Name    string
	Default bool // the system's default
}
