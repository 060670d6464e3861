package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p profileCommands) profilesAddSample() *cobra.Command {
	var consent usage.Consent
	var transcript string
	var transcribe bool
	var from, to float64
	cmd := &cobra.Command{
		Use: "add-sample NAME-or-ID FILE", Short: "Add a recording of the voice that a profile clones",
		Long: "Add a recording of the voice that a profile clones: 3 to 60 seconds of one speaker, in any format that ffmpeg reads. " +
			"Clone only\nyour own voice, or one whose owner allowed it.",
		Args: usage.ExactArgs("NAME-or-ID", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := consent.Check(true); err != nil {
				return err
			}
			if transcript != "" && transcribe {
				return usage.Errorf("--transcript and --transcribe exclude each other")
			}
			fields := map[string]string{"consent": consent.Kind, "consent_by": consent.By, "transcript": transcript}
			if transcribe {
				fields["transcribe"] = "true"
			}
			for name, value := range map[string]float64{"from": from, "to": to} {
				if cmd.Flags().Changed(name) {
					fields[name] = strconv.FormatFloat(value, 'f', -1, 64)
				}
			}
			return p.with(cmd.Context(), func(c *client.Client) error { return p.addSample(cmd.Context(), c, args[0], args[1], fields) })
		},
	}
	consent.Add(cmd, "cloned")
	cmd.Flags().StringVar(&transcript, "transcript", "", "what is said in the recording")
	cmd.Flags().BoolVar(&transcribe, "transcribe", false, "write the transcript with an installed transcription model")
	cmd.Flags().Float64Var(&from, "from", 0, "use the recording from this second on")
	cmd.Flags().Float64Var(&to, "to", 0, "use the recording up to this second")
	return cmd
}

func (p profileCommands) addSample(ctx context.Context, c *client.Client, key, file string, fields map[string]string) error {
	v, err := profileByKey(ctx, c, key)
	if err != nil {
		return err
	}
	var sample backend.Sample
	if err := sendFile(ctx, c, "/profiles/"+v.ID+"/samples", file, fields, &sample); err != nil {
		return err
	}
	for _, w := range sample.Warnings {
		p.notef("%s", strings.TrimSpace(w.Detail+" "+w.Remedy))
	}
	return p.print(sample, "Added %.1f s to %s as sample %s", sample.Seconds, v.Name, sample.ID)
}

func (p profileCommands) profilesSamples() *cobra.Command {
	return p.profileCommand("samples NAME-or-ID", "List the samples of a profile", usage.ExactArgs("NAME-or-ID"),
		func(ctx context.Context, c *client.Client, v backend.Profile, _ []string) error {
			var list backend.List[backend.Sample]
			if err := c.Call(ctx, http.MethodGet, "/profiles/"+v.ID+"/samples", nil, &list); err != nil {
				return err
			}
			if p.json {
				return p.printJSON(map[string]any{"items": list.Items})
			}
			rows := make([][]string, len(list.Items))
			for i, s := range list.Items {
				rows[i] = []string{s.ID, fmt.Sprintf("%.1f", s.Seconds), warningCodes(s), s.Name, oneLine(s.Transcript, 40)}
			}
			return p.table("ID SECONDS WARNINGS FILE TRANSCRIPT", rows)
		})
}

// warningCodes returns the codes of a sample's warnings in one word.
func warningCodes(s backend.Sample) string {
	codes := make([]string, len(s.Warnings))
	for i, w := range s.Warnings {
		codes[i] = string(w.Code)
	}
	return strings.Join(codes, ",")
}

func (p profileCommands) profilesRemoveSample() *cobra.Command {
	return p.profileCommand("remove-sample NAME-or-ID SAMPLE-ID", "Delete a sample and what was computed from it",
		usage.ExactArgs("NAME-or-ID", "SAMPLE-ID"), func(ctx context.Context, c *client.Client, v backend.Profile, args []string) error {
			if err := c.Call(ctx, http.MethodDelete, "/profiles/"+v.ID+"/samples/"+url.PathEscape(args[0]), nil, nil); err != nil {
				return err
			}
			return p.print(map[string]any{"deleted": args[0]}, "Deleted sample %s of %s", args[0], v.Name)
		})
}
