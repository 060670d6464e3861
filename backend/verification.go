package backend

import "time"

// Verification is how well a transcription model understood the audio of a generation.
type Verification struct {
	ModelName string    `json:"model_name" doc:"the transcription model"`
	WER       float64   `json:"wer" doc:"word error rate: 0 = every word was understood, 1 = none"`
	At        time.Time `json:"at"`
}

// ChunkVerification is how well a transcription model understood a chunk.
type ChunkVerification struct {
	WER      float64  `json:"wer" doc:"word error rate"`
	Heard    string   `json:"heard" doc:"the transcript of the chunk; empty where nothing was heard"`
	Dropped  []string `json:"dropped" doc:"words that were not heard, normalised"`
	Repeated []string `json:"repeated" doc:"words that were heard once more than they are in the text, normalised"`
	Words    int      `json:"words" doc:"number of words that were compared"`
}

// SetVerification copies the verification of the chosen takes to the chunks, and their common error rate to the generation: it
// has none while a chosen take was not heard.
func (g *Generation) SetVerification() {
	g.Verify = nil
	if g.Receipt == nil || len(g.Receipt.Chunks) != len(g.Chunks) {
		return
	}
	checked, words, errors := 0, 0, 0.0
	for i := range g.Chunks {
		c := g.Receipt.Chunks[i].Verify
		if g.Chunks[i].Verify = c; c != nil {
			checked++
			weight := max(c.Words, 1)
			words += weight
			errors += c.WER * float64(weight)
		}
	}
	if checked == 0 || checked < len(g.Chunks) || g.Receipt.Verify == nil {
		return
	}
	g.Receipt.Verify.WER = errors / float64(words)
	g.Verify = new(*g.Receipt.Verify)
}

// SetTake replaces the chosen take of a chunk in a receipt.
func (c *ReceiptChunk) SetTake(chosen int, take ReceiptTake) {
	c.ReceiptTake = take
	if chosen < len(c.Takes) {
		c.Takes[chosen] = take
	}
}
