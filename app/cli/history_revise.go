package cli

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// revision is the answer to a changed text.
type revision struct {
	client.Generation
	Reused    int                  `json:"reused"`
	Generated int                  `json:"generated"`
	Removed   int                  `json:"removed"`
	Quote     *backend.HostedQuote `json:"quote"`
}

func (p historyCommands) historyRevise() *cobra.Command {
	var from textFlags
	var dryRun, undo bool
	var cmd *cobra.Command
	cmd = p.command("revise ID [TEXT]", "Change the text of a generation; only new passages are spoken", usage.SomeArgs("an ID"),
		func(ctx context.Context, c *client.Client, args []string) error {
			if err := client.CheckID(args[0]); err != nil {
				return err
			}
			if undo {
				if len(args) > 1 || from.file != "" || dryRun {
					return usage.Errorf("use --undo without TEXT, --file and --dry-run")
				}
				return p.undoRevision(ctx, c, args[0])
			}
			in, err := p.text(ctx, cmd, args[1:], from)
			if err != nil {
				return err
			}
			text, err := in.read(ctx, c)
			if err != nil {
				return err
			}
			body := map[string]any{"text": text, "dry_run": dryRun}
			addAccepted(cmd, body)
			return p.revise(ctx, c, args[0], body, dryRun)
		})
	cmd.Example = `  voicewright history revise ID --file chapter.txt --dry-run
  voicewright history revise ID --file chapter.txt
  voicewright history revise ID --undo`
	flags := cmd.Flags()
	from.add(cmd, "f")
	flags.BoolVar(&dryRun, "dry-run", false, "only count the passages and show the price")
	flags.BoolVar(&undo, "undo", false, "return to the text and audio before the last change")
	flags.Int64(priceFlag, 0, "accept this price for the new passages of a hosted voice")
	return cmd
}

// revise changes a text and waits for the audio; with dryRun it shows what would be done.
func (p historyCommands) revise(ctx context.Context, c *client.Client, id string, body map[string]any, dryRun bool) error {
	var r revision
	if err := c.Call(ctx, http.MethodPost, "/generate/"+id+"/revise", body, &r); err != nil {
		return err
	}
	if dryRun {
		return p.print(r, "%s", r.counts())
	}
	bar := p.progress("Generating")
	g, err := follow(ctx, c, bar.set, r.Generation)
	bar.end()
	if err != nil {
		return err
	}
	r.Generation = g
	return p.print(r, "%s\nAudio: %.2f s\nFile:  %s", r.counts(), g.Duration, g.AudioPath)
}

// counts returns what is generated, in words.
func (r revision) counts() string {
	counts := fmt.Sprintf("Passages: %d generated, %d kept, %d removed", r.Generated, r.Reused, r.Removed)
	if r.Quote == nil {
		return counts
	}
	price := "unknown"
	if r.Quote.Credits != nil {
		price = strconv.FormatInt(*r.Quote.Credits, 10) + " credits"
	}
	return counts + "\nPrice: " + price
}

func (p historyCommands) undoRevision(ctx context.Context, c *client.Client, id string) error {
	var g client.Generation
	if err := c.Call(ctx, http.MethodPost, "/generate/"+id+"/revise/undo", nil, &g); err != nil {
		return err
	}
	return p.print(g, "Audio: %.2f s\nFile:  %s", g.Duration, g.AudioPath)
}
