package cli

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
)

func (p hostedCommands) hostedEnhance() *cobra.Command {
	var from textFlags
	var voice string
	cmd := &cobra.Command{
		Use: "enhance TEXT", Short: "Insert audio tags such as [laughs] into a text, at no cost",
		Long: "Insert audio tags such as [laughs] into a text, at no cost. Use - as TEXT to read standard input. The text is printed to\n" +
			"standard output, and a note to standard error where the original is used.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			in, err := p.text(cmd.Context(), cmd, args, from)
			if err != nil {
				return err
			}
			return p.with(ctx, func(c *client.Client) error {
				text, err := in.read(ctx, c)
				if err != nil {
					return err
				}
				return p.enhance(ctx, c, text, voice)
			})
		},
	}
	from.add(cmd, "")
	cmd.Flags().StringVar(&voice, "voice", "", "hosted voice for which the tags are chosen, by name or ID")
	return cmd
}

func (p hostedCommands) enhance(ctx context.Context, c *client.Client, text, voice string) error {
	body := map[string]string{"text": text}
	if voice != "" {
		v, err := findHostedVoice(ctx, c, voice)
		if err != nil {
			return err
		}
		body["voice"] = v.ID
	}
	var raw json.RawMessage
	if err := c.Call(ctx, http.MethodPost, "/hosted/enhance", body, &raw); err != nil {
		return err
	}
	var enhanced struct {
		Text     string  `json:"text"`
		Fallback bool    `json:"fallback"`
		Reason   *string `json:"reason"`
	}
	if err := json.Unmarshal(raw, &enhanced); err != nil {
		return err
	}
	if enhanced.Fallback {
		p.notef("%s", fallbackText(enhanced.Reason))
	}
	return p.print(raw, "%s", enhanced.Text)
}

// fallbackText says why a text is the original.
func fallbackText(reason *string) string {
	if reason != nil && *reason == "words" {
		return "The service changed words of the text, so the original is used where it did."
	}
	return "The service could not enhance the text, so the original is used."
}
