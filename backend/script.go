package backend

import "time"

// Script is a text for several voices: its turns are generations, joined to one file with a silence between them
// (decisions.md section 2).
type Script struct {
	ID          string    `json:"id" doc:"UUID version 7"`
	Title       string    `json:"title"`
	GapMS       int       `json:"gap_ms" doc:"silence between turns, in milliseconds"`
	Generations []string  `json:"-"` // ids of the turns, in order
	Joined      []string  `json:"-"` // SHA-256 of the turns' files as they are in the joined one; nil where that is not known
	AudioPath   string    `json:"audio_path" doc:"absolute path of the joined file, empty until it is made"`
	Duration    float64   `json:"duration" doc:"seconds of the joined file, 0 until it is made"`
	SampleRate  int       `json:"sample_rate" doc:"Hz, 0 until it is made"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}
