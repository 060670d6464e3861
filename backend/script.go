package backend

import (
	"fmt"
	"time"
)

// Script is a text for several voices: its turns are generations, joined to one file with a silence between them
// (decisions.md section 2).
type Script struct {
	ID        string    `json:"id"`
	AudioPath string    `json:"audio_path"` // absolute path of the joined file, empty until it is joined
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	ScriptVersion
	Previous *ScriptVersion // before the last revision; nil where there is none to return to
	Spare    []string       // generations of neither version, which the next revision may use
}

// ScriptVersion is a script as it was generated.
type ScriptVersion struct {
	Title       string   `json:"title"`
	GapMS       int      `json:"gap_ms"`      // silence between turns, in milliseconds
	Generations []string `json:"generations"` // ids of the turns, in order
	Speakers    []string `json:"speakers"`    // names of the turns' speakers; nil where none was given
	Joined      []string `json:"joined"`      // SHA-256 of the turns' files as they are in the joined one; nil where unknown
	File        string   `json:"file"`        // name of the joined file of a previous version; empty in the current one
	Duration    float64  `json:"duration"`    // seconds of the joined file, 0 until it is joined
	SampleRate  int      `json:"sample_rate"` // Hz, 0 until it is joined

	Receipt *ScriptReceipt `json:"receipt"` // nil where the turns were joined at the levels that they have alone
}

// ScriptReceipt is how the turns of a script were levelled when they were joined.
type ScriptReceipt struct {
	Voices []ScriptVoice `json:"voices"`
}

// ScriptVoice is a voice of a script. All its turns have the same gain, so that a whisper stays quieter than a shout.
type ScriptVoice struct {
	Source    Source  `json:"source" enum:"local,hosted"`
	ModelName string  `json:"model_name"`
	Voice     string  `json:"voice" doc:"empty for the dialogues of the hosted service"`
	Turns     int     `json:"turns"`
	GainDB    float64 `json:"gain_db" doc:"from the output of the engine, before the limiter; of hosted voices from the audio received"`

	Level *ReceiptLevel `json:"level" doc:"of all its turns together; null if too short to measure"`
}

// ScriptWithTurns is a stored script with its turns as they are now.
type ScriptWithTurns struct {
	Script
	Turns []Generation
}

// Speaker returns the name of a turn's speaker: the one that was given, else that of its profile.
func (s ScriptWithTurns) Speaker(turn int) string {
	if turn < len(s.Speakers) && s.Speakers[turn] != "" {
		return s.Speakers[turn]
	}
	return s.Turns[turn].ProfileName
}

// CheckTurns returns an error unless every turn exists and is complete. Errors: generation_not_found, not_in_progress.
func (s ScriptWithTurns) CheckTurns() error {
	states := map[string]Status{}
	for _, g := range s.Turns {
		states[g.ID] = g.Status
	}
	for i, id := range s.Generations {
		switch status, ok := states[id]; {
		case !ok:
			return E(CodeGenerationNotFound, fmt.Sprintf("Turn %d of the script was deleted.", i+1),
				"Create the script again.").With("script_id", s.ID).With("generation_id", id).With("turn", i)
		case status != StatusComplete:
			return E(CodeNotInProgress, fmt.Sprintf("Turn %d of the script is not finished.", i+1),
				"Retry that turn, then join the script.").With("script_id", s.ID).With("generation_id", id).With("turn", i)
		}
	}
	return nil
}

// ExportedFile is a file to send to a client.
type ExportedFile struct {
	Path  string
	Name  string // for the user, with extension
	Close func() // removes the file if it is temporary

	Created time.Time // when what is exported was made; zero where nobody asks
}
