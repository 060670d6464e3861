package backend

// FormerVersion is what a change of the text of a generation replaced.
type FormerVersion struct {
	AudioPath   string        `json:"-"` // stored by itself, as it can move
	Text        string        `json:"text"`
	Duration    float64       `json:"duration"`
	Version     int           `json:"version"`
	Chunks      []Chunk       `json:"chunks"`
	Receipt     *Receipt      `json:"receipt"`
	Verify      *Verification `json:"verify,omitempty"`
	VerifyError *Failure      `json:"verify_error,omitempty"`
}

// Replaced returns what a change of the text will replace.
func (g Generation) Replaced() FormerVersion {
	return FormerVersion{
		AudioPath: g.AudioPath, Text: g.Text, Duration: g.Duration, Version: g.Version, Chunks: g.Chunks, Receipt: g.Receipt,
		Verify: g.Verify, VerifyError: g.VerifyError,
	}
}

// Restore takes the change of a generation back.
func (v FormerVersion) Restore(g *Generation) {
	g.AudioPath, g.Text, g.Duration, g.Version, g.Chunks, g.Receipt = v.AudioPath, v.Text, v.Duration, v.Version, v.Chunks, v.Receipt
	g.Verify, g.VerifyError, g.Error = v.Verify, v.VerifyError, nil
}
