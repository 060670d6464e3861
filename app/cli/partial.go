package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// stoppedError is the error of a command whose generation was stopped with finished chunks.
type stoppedError struct {
	id      string
	partial backend.Partial
	out     string // the file that the command was to write; may be empty
}

func (e *stoppedError) Error() string { return "stopped at " + partOf(e.partial) }

// Remedy returns how to continue.
func (e *stoppedError) Remedy() string {
	command := "voicewright history retry " + e.id
	if e.out != "" {
		command += fmt.Sprintf(" -o %q", e.out)
	}
	return "Finished passages are saved. Continue with: " + command
}

// partOf returns how much of a generation is finished.
func partOf(p backend.Partial) string { return fmt.Sprintf("%d of %d passages", p.Chunks, p.Total) }

// stopWork stops the generation of an interrupted command. It returns the error of ctx, with a stoppedError where the generation
// can be continued.
func stopWork(ctx context.Context, c *client.Client, id string) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	var g client.Generation
	err := c.Call(request, http.MethodPost, "/generate/"+id+"/stop", nil, &g)
	if err == nil && g.Partial != nil {
		err = &stoppedError{id: id, partial: *g.Partial}
	}
	return errors.Join(ctx.Err(), err)
}

// failureOf returns the failure of a generation, with how to continue it.
func failureOf(g client.Generation) error {
	remedy := g.Error.Remedy
	if g.Partial != nil {
		remedy += " Saved: " + partOf(*g.Partial) + ". Continue with: voicewright history retry " + g.ID
	}
	return backend.E(g.Error.Code, g.Error.Detail, remedy).With("generation_id", g.ID)
}

func (p historyCommands) historyRetry() *cobra.Command {
	var out string
	var cmd *cobra.Command
	cmd = p.command("retry ID", "Make what is missing of a stopped or failed generation", usage.ExactArgs("ID"),
		func(ctx context.Context, c *client.Client, args []string) error {
			if out != "" {
				if _, err := usage.OutputFile(out, "speech"); err != nil {
					return err
				}
			}
			body := map[string]any{}
			addAccepted(cmd, body)
			g, err := p.continueGeneration(ctx, c, args[0], body)
			if err != nil {
				return withOutput(err, out)
			}
			file := g.AudioPath
			if out != "" {
				var format string
				if file, format, err = exportOf(g, out, ""); err != nil {
					return err
				}
				if file, err = filepath.Abs(file); err != nil {
					return fmt.Errorf("find the output file: %w", err)
				}
				if err := p.export(ctx, c, []string{g.ID}, format, file); err != nil {
					return err
				}
				g.Output = file
			}
			return p.print(g, "Audio: %.2f s\nFile:  %s", g.Duration, file)
		})
	cmd.Flags().StringVarP(&out, "output", "o", "", "copy the audio to this file or folder; the extension of a file sets the format")
	cmd.Flags().Int64(priceFlag, 0, "accept this price for what a hosted voice still has to speak")
	return cmd
}

// priceFlag is the flag for the price that the user accepts.
const priceFlag = "accept-credits"

// addAccepted adds the accepted price to a request if the flag was given.
func addAccepted(cmd *cobra.Command, body map[string]any) {
	if cmd.Flags().Changed(priceFlag) {
		body["accept_credits"], _ = cmd.Flags().GetInt64(priceFlag)
	}
}

func (p historyCommands) continueGeneration(
	ctx context.Context, c *client.Client, id string, body map[string]any,
) (client.Generation, error) {
	var g client.Generation
	if err := client.CheckID(id); err != nil {
		return g, err
	}
	if err := c.Call(ctx, http.MethodPost, "/generate/"+id+"/retry", body, &g); err != nil {
		return g, err
	}
	bar := p.progress("Generating")
	defer bar.end()
	return follow(ctx, c, bar.set, g)
}

// withOutput adds the file that a command was to write to the error of a stopped generation.
func withOutput(err error, out string) error {
	var stopped *stoppedError
	if errors.As(err, &stopped) {
		stopped.out = out
	}
	return err
}
