package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

const (
	usagePath    = "/api/v1/user/usage" // of the hosted service, which the local API forwards
	usagePage    = 100                  // the most calls that one page has
	usageDefault = 20
)

// hostedCall is a call of the account, in the fields that the table shows.
type hostedCall struct {
	CreatedAt  time.Time `json:"createdAt"`
	Kind       string    `json:"kind"`
	Title      string    `json:"title"`
	Characters int64     `json:"characters"`
	Credits    int64     `json:"credits"`
	Status     string    `json:"status"`
}

func (p hostedCommands) hostedUsage() *cobra.Command {
	var limit int
	var cursor string
	cmd := p.command("usage", "List your calls and what they cost, newest first", usage.NoArgs,
		func(ctx context.Context, c *client.Client, _ []string) error {
			if limit < 0 {
				return usage.Errorf("--limit must be a number of calls, 0 for all of them")
			}
			calls, next, err := readUsage(ctx, c, limit, cursor)
			if err != nil {
				return err
			}
			return p.printUsage(calls, next)
		})
	cmd.Flags().IntVar(&limit, "limit", usageDefault, "how many `CALLS` to list; 0 for all")
	cmd.Flags().StringVar(&cursor, "cursor", "", "go on behind a former list, with its next_cursor")
	return cmd
}

// readUsage returns up to limit calls, 0 for all of them, as the service lists them, and the cursor of those behind them.
func readUsage(ctx context.Context, c *client.Client, limit int, cursor string) (calls []json.RawMessage, next string, err error) {
	calls = []json.RawMessage{}
	for next = cursor; ; {
		ask := usagePage
		if limit > 0 {
			ask = min(ask, limit-len(calls))
		}
		query := url.Values{"limit": {strconv.Itoa(ask)}}
		if next != "" {
			query.Set("cursor", next)
		}
		var page struct {
			Usage []json.RawMessage `json:"usage"`
			Next  *string           `json:"nextCursor"`
		}
		if err := c.Call(ctx, http.MethodGet, usagePath+"?"+query.Encode(), nil, &page); err != nil {
			return nil, "", noUsage(err)
		}
		calls = append(calls, page.Usage...)
		former := next
		next = ""
		if page.Next != nil {
			next = *page.Next
		}
		if next == "" || len(page.Usage) == 0 || next == former || limit > 0 && len(calls) >= limit {
			return calls, next, nil
		}
	}
}

// noUsage returns the error of a list of calls. Not every hosted service has one.
func noUsage(err error) error {
	var known *backend.Error
	if errors.As(err, &known) && known.Params["status"] == http.StatusNotFound {
		return backend.E(backend.CodeNotFound, "This hosted service does not list your calls.",
			"Ask its operator; `voicewright hosted status` shows your credits.").WithCause(err)
	}
	return err
}

// printUsage prints calls as JSON with all their fields, or as a table.
func (p hostedCommands) printUsage(calls []json.RawMessage, next string) error {
	if p.json {
		list := backend.List[json.RawMessage]{Items: calls, Total: len(calls)}
		if next != "" {
			list.NextCursor = &next
		}
		return p.printJSON(list)
	}
	rows := make([][]string, len(calls))
	for i, raw := range calls {
		var u hostedCall
		if err := json.Unmarshal(raw, &u); err != nil {
			return backend.E(backend.CodeHostedBadAnswer, "The hosted service answered with a list that cannot be read.",
				"Check its address in Settings.").WithCause(err)
		}
		rows[i] = []string{
			u.CreatedAt.Local().Format(time.DateTime), u.Kind, oneLine(u.Title, 40), strconv.FormatInt(u.Characters, 10),
			strconv.FormatInt(u.Credits, 10), u.Status,
		}
	}
	if err := p.table("TIME KIND TITLE CHARACTERS CREDITS STATUS", rows); err != nil {
		return err
	}
	if next != "" {
		p.notef("There are more calls: --limit 0 lists all of them, --cursor %s those behind these.", next)
	}
	return nil
}
