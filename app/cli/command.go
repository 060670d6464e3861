package cli

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// action is what a command does with a client and its arguments.
type action func(ctx context.Context, c *client.Client, args []string) error

// command returns a command that needs a client.
func (p *program) command(use, short string, args cobra.PositionalArgs, run action) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error { return run(cmd.Context(), c, args) })
		},
	}
}

// group returns a command that only has subcommands: alone it prints its help and fails.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usage.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
		}
		cmd.SetOut(cmd.ErrOrStderr()) // standard output is for results
		_ = cmd.Help()                // printing is all it can do
		return usage.CommandErrorf(cmd, "needs a command")
	}}
	cmd.AddCommand(commands...)
	return cmd
}

// with runs f with a client and closes it.
func (p *program) with(ctx context.Context, f func(*client.Client) error) (err error) {
	o, err := p.options()
	if err != nil {
		return err
	}
	c, err := p.app.Connect(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return f(c)
}

// ErrTerminated is the cause of a context that ended because the program was asked to end, which is no cancel by the user.
var ErrTerminated = errors.New("the program was asked to end")

// cancelTimeout is how long an interrupted command waits for its work to stop; a second signal ends it at once.
const cancelTimeout = 10 * time.Second

// cancelWork makes the request that stops what an interrupted command has started. It returns the error of ctx.
func cancelWork(ctx context.Context, c *client.Client, path string) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	return errors.Join(ctx.Err(), c.Call(request, "POST", path, nil, nil))
}

// printCall makes a request and prints its response: as JSON with --json, else the text of it.
func printCall[T any](
	ctx context.Context, p *program, c *client.Client, method, path string, body any, text func(T) string,
) error {
	var response T
	if err := c.Call(ctx, method, path, body, &response); err != nil {
		return err
	}
	return p.print(response, "%s", text(response))
}

// printAll prints every item of a list: as JSON with --json, else as a table.
func printAll[T any](
	ctx context.Context, p *program, c *client.Client, path string, query url.Values, header string, row func(T) []string,
) error {
	list := backend.List[T]{Items: []T{}}
	err := eachItem(ctx, c, path, query, func(item T) bool {
		list.Items = append(list.Items, item)
		return true
	})
	if err != nil {
		return err
	}
	list.Total = len(list.Items)
	if p.json {
		return p.printJSON(list)
	}
	rows := make([][]string, len(list.Items))
	for i, item := range list.Items {
		rows[i] = row(item)
	}
	return p.table(header, rows)
}
