package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

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

func (p profileCommands) speakers() *cobra.Command {
	return group("speakers", "Tell voices apart", p.speakersVerify())
}

func (p profileCommands) speakersVerify() *cobra.Command {
	return &cobra.Command{
		Use: "verify FOLDER", Short: "Measure how well voices are told apart, with recordings of your own", Args: usage.ExactArgs("FOLDER"),
		Long: "Measure how well the model speakers tells voices apart, with recordings of your own. FOLDER has a folder for each person with\n" +
			"recordings of them: audio and video files, of which the first 5 minutes are heard. Each is compared with each other one.\n" +
			"Nothing is stored, and nothing leaves this machine.",
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0]) // the server may run in another folder
			if err != nil {
				return fmt.Errorf("find the folder: %w", err)
			}
			if _, err := os.Stat(path); err != nil {
				return usage.InputError(path, err)
			}
			body := map[string]string{"path": pathInJSON(path)}
			return p.with(cmd.Context(), func(c *client.Client) error {
				return printCall(cmd.Context(), p.program, c, http.MethodPost, "/speakers/verify", body, voiceCheckText)
			})
		},
	}
}

// voiceCheckText returns the figures of a check of voices.
func voiceCheckText(v backend.VoiceCheck) string {
	line := func(label string, f backend.CosineFigures) string {
		return fmt.Sprintf("%-18s mean %.2f, from %.2f to %.2f (%d pairs)", label, f.Mean, f.Min, f.Max, f.Pairs)
	}
	lines := []string{
		fmt.Sprintf("People: %d, recordings: %d", v.People, v.Recordings),
		line("The same person:", v.Same),
		line("Different people:", v.Different),
		fmt.Sprintf("Equal error rate:  %.1f %% at %.2f", 100*v.EqualErrorRate, v.EqualErrorCosine),
		fmt.Sprintf("Errors at %.2f:    %d of %d pairs of one person, %d of %d of different people",
			v.Limit, v.SameBelow, v.Same.Pairs, v.DifferentAbove, v.Different.Pairs),
	}
	for _, file := range v.Skipped {
		lines = append(lines, "Skipped:           "+oneLine(file, 200)+" has no audio, or no voice")
	}
	return strings.Join(lines, "\n")
}
