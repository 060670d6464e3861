package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/speakers"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/settings"
)

func (p profileCommands) profilesSimilarity() *cobra.Command {
	var model string
	cmd := p.profileCommand("similarity NAME-or-ID", "Compare a cloned voice with its samples", usage.ExactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			body := map[string]string{"model_name": model}
			return printCall(ctx, p.program, c, http.MethodPost, "/profiles/"+v.ID+"/similarity", body, similarityText)
		})
	cmd.Long = "Compare a cloned voice with its samples: it speaks a sentence, a downloaded transcription model writes down what it hears,\n" +
		"and level, pace and pitch are measured; where the model speakers is installed, also how alike the voices are."
	cmd.Flags().StringVar(&model, "model", "",
		"transcription model (default: the setting "+settings.VerifyModel+", or an installed one where it is not set)")
	return cmd
}

// similarityText returns what a person wants to know of a comparison. What could not be measured is left out.
func similarityText(s backend.Similarity) string {
	lines := []string{
		"Spoken:   " + s.Text,
		"Heard:    " + s.Heard,
		fmt.Sprintf("Wrong:    %.0f %% of the words", 100*s.WER),
	}
	measure := func(label, unit string, voice, sample *float64) {
		switch {
		case voice == nil:
		case sample == nil:
			lines = append(lines, fmt.Sprintf("%-9s %.0f %s", label, *voice, unit))
		default:
			lines = append(lines, fmt.Sprintf("%-9s %.0f %s, samples %.0f %s", label, *voice, unit, *sample, unit))
		}
	}
	measure("Level:", "LUFS", s.LevelLUFS, s.SampleLevelLUFS)
	measure("Pace:", "words a minute", s.WordsPerMinute, s.SampleWordsPerMinute)
	measure("Pitch:", "Hz", s.PitchHz, s.SamplePitchHz)
	if s.Cosine != nil {
		lines = append(lines, fmt.Sprintf("Voice:    cosine %.2f with the samples", *s.Cosine))
	}
	for _, w := range s.Warnings {
		lines = append(lines, "Warning:  "+strings.TrimSpace(w.Detail+" "+w.Remedy))
	}
	return strings.Join(lines, "\n")
}

var _ speakers.Program = speakerCommands{}

func (p speakerCommands) speakers() *cobra.Command {
	return group("speakers", "Remember voices, and tell them apart", speakers.Commands(p)...)
}

// With implements speakers.Program.
func (p speakerCommands) With(ctx context.Context, f func(c *client.Client) error) error {
	return p.with(ctx, f)
}

// Transcripts implements speakers.Program.
func (p speakerCommands) Transcripts(
	ctx context.Context, c *client.Client, match func(backend.Transcript) bool,
) (out []backend.Transcript, err error) {
	err = eachItem(ctx, c, "/transcriptions", url.Values{}, func(t backend.Transcript) bool {
		if match(t) {
			out = append(out, t)
		}
		return true
	})
	return out, err
}

// Agree implements speakers.Program.
func (p speakerCommands) Agree(ctx context.Context, question string) error {
	if !isTerminal(p.io.In) || !isTerminal(p.io.Err) {
		return nil
	}
	yes, err := p.confirm(ctx, question)
	if err == nil && !yes {
		err = usage.Errorf("nothing was deleted")
	}
	return err
}

// PathInJSON implements speakers.Program.
func (p speakerCommands) PathInJSON(path string) string { return pathInJSON(path) }
