package speakers

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

func verify(p Program) *cobra.Command {
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
				return usage.FolderError(path, err)
			}
			body := map[string]string{"path": p.PathInJSON(path)}
			return p.With(cmd.Context(), func(c *client.Client) error {
				var out backend.VoiceCheck
				if err := c.Call(cmd.Context(), http.MethodPost, "/speakers/verify", body, &out); err != nil {
					return err
				}
				return p.ShowResult(out, "", nil, voiceCheckText(out))
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
		lines = append(lines, "Skipped:           "+printable.Shortened(backend.OneLine(file), 200)+" has no audio, or no voice")
	}
	return strings.Join(lines, "\n")
}
