// Package transcribe turns recordings into stored transcripts.
package transcribe

import "github.com/voicewright/voicewright/backend"

// Request is a transcription to be made.
type Request struct {
	backend.TranscribeOptions
	Source       backend.TranscriptSource
	Path         string // of the uploaded or chosen file; empty for a generation or a recording
	Temporary    bool   // Path is deleted when it is no longer needed, also if the request fails
	FileName     string // as the user named it, without its folder
	GenerationID string
	RecordingID  string
	Title        string // empty: made of the file name, or of the title or text of the generation
	NoDownload   bool   // fail with model_not_downloaded, once the audio was read, where the model is missing

	NeedSpeakers bool // Transcribe fails where they were looked for and not found, also because that was cancelled
}

// RerunRequest selects what is transcribed again; zero values repeat everything as before.
type RerunRequest struct {
	From, To  float64 // seconds; To 0 = the end
	ModelName string  // empty: the same
	Language  string  // BCP 47 or auto; empty: as requested before
	Prompt    *string // text that precedes the audio; nil: as requested before

	// Speakers nil finds them as requested before; for a part those that were found before are used.
	Speakers *backend.SpeakerOptions

	NoDownload bool // fail with model_not_downloaded where the model is missing
}
