package backend

import (
	"fmt"
	"time"
)

// Script is a text for several voices: its turns are generations, joined to one file with a silence between them
// (decisions.md section 2).
type Script struct {
	ID          string    `json:"id" doc:"UUID version 7"`
	Title       string    `json:"title"`
	GapMS       int       `json:"gap_ms" doc:"silence between turns, in milliseconds"`
	Generations []string  `json:"-"` // ids of the turns, in order
	Joined      []string  `json:"-"` // SHA-256 of the turns' files as they are in the joined one; nil where unknown
	AudioPath   string    `json:"audio_path" doc:"absolute path of the joined file, empty until it is joined"`
	Duration    float64   `json:"duration" doc:"seconds of the joined file, 0 until it is joined"`
	SampleRate  int       `json:"sample_rate" doc:"Hz, 0 until it is joined"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// ScriptWithTurns is a stored script with its turns as they are now.
type ScriptWithTurns struct {
	Script
	Turns []Generation
}

// CheckTurns returns an error unless every turn exists and is complete. Errors: generation_not_found, not_in_progress.
func (s ScriptWithTurns) CheckTurns() error {
	found := map[string]Status{}
	for _, g := range s.Turns {
		found[g.ID] = g.Status
	}
	for i, id := range s.Generations {
		switch status, ok := found[id]; {
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
}
