package cli

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p *program) history() *cobra.Command {
	group := &cobra.Command{Use: "history", Short: "What was spoken", RunE: needsSubcommand}
	group.AddCommand(
		p.historyList("list", "List what was spoken, newest first", noArgs),
		p.historyList("search WORDS", "Find what was spoken, by words and beginnings of words", someArgs("WORDS")),
		p.historyShow(), p.historyPlay(), p.historyExport(), p.historyRemove(),
	)
	return group
}

func (p *program) historyList(use, short string, args cobra.PositionalArgs) *cobra.Command {
	var limit int
	var cursor string
	cmd := &cobra.Command{
		Use: use, Short: short, Args: args,
		RunE: func(cmd *cobra.Command, words []string) error {
			query := url.Values{"limit": {strconv.Itoa(limit)}, "cursor": {cursor}, "search": {strings.Join(words, " ")}}
			return p.with(cmd.Context(), func(c *client.Client) error {
				if !p.json {
					var list backend.List[historyRow]
					err := c.Call(cmd.Context(), http.MethodGet, "/history?"+query.Encode(), nil, &list)
					return errOr(err, func() error { return p.printHistory(list) })
				}
				query.Set("full", "true")
				var list backend.List[client.Generation]
				err := c.Call(cmd.Context(), http.MethodGet, "/history?"+query.Encode(), nil, &list)
				return errOr(err, func() error { return p.printJSON(list) })
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "how many, 1 to 500")
	cmd.Flags().StringVar(&cursor, "cursor", "", "where the list before ended")
	return cmd
}

// historyRow is what the table of the history shows of a row.
type historyRow struct {
	ID          string         `json:"id"`
	CreatedAt   time.Time      `json:"created_at"`
	Duration    float64        `json:"duration"`
	Status      backend.Status `json:"status"`
	ProfileName string         `json:"profile_name"`
	Text        string         `json:"text"`
}

func (p *program) printHistory(list backend.List[historyRow]) error {
	rows := make([][]string, len(list.Items))
	for i, g := range list.Items {
		rows[i] = []string{
			g.CreatedAt.Local().Format(time.DateTime), fmt.Sprintf("%.1fs", g.Duration), string(g.Status),
			oneLine(g.ProfileName, 24), oneLine(g.Text, 48), g.ID,
		}
	}
	if err := p.table("WHEN LENGTH STATUS VOICE TEXT ID", rows); err != nil {
		return err
	}
	if list.NextCursor == nil {
		return nil
	}
	return p.printf("%d of %d; go on with --cursor %s\n", len(list.Items), list.Total, *list.NextCursor)
}

func (p *program) historyShow() *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show one with its receipt", Args: exactArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				g, err := c.Generation(cmd.Context(), args[0])
				if err != nil || p.json {
					return errOr(err, func() error { return p.printJSON(g) })
				}
				return p.printGeneration(g)
			})
		},
	}
}

func errOr(err error, otherwise func() error) error {
	if err != nil {
		return err
	}
	return otherwise()
}

func (p *program) printGeneration(g client.Generation) error {
	err := p.printf("Id:      %s\nWhen:    %s\nStatus:  %s\nVoice:   %s (%s:%s)\nLength:  %.2f s\nSeed:    %d\nSpeed:   %g\nFile:    %s\n",
		g.ID, g.CreatedAt.Local().Format(time.DateTime), g.Status, g.ProfileName, g.ModelName, g.Voice, g.Duration, g.Seed,
		g.Speed, g.AudioPath)
	if err == nil && g.Error != nil {
		err = p.printf("Error:   %s %s\n", g.Error.Detail, g.Error.Remedy)
	}
	if err == nil && g.Receipt != nil {
		again := "the same seed gives the same bytes"
		if !g.Receipt.Reproducible {
			again = "this voice draws its own noise, so each run differs"
		}
		err = p.printf("Receipt: Voicewright %s on %s; %s; SHA-256 %s\n", g.Receipt.AppVersion, g.Receipt.Device, again,
			g.Receipt.AudioSHA256)
	}
	if err != nil {
		return err
	}
	return p.printf("\n%s\n", g.Text)
}

func (p *program) historyPlay() *cobra.Command {
	return &cobra.Command{
		Use: "play ID", Short: "Play one", Args: exactArgs("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				g, err := c.Generation(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if _, err := os.Stat(g.AudioPath); err != nil {
					return backend.E(backend.CodeAudioMissing, "The audio of this generation is gone.", "Make it again.")
				}
				return play(cmd.Context(), g.AudioPath)
			})
		},
	}
}

func (p *program) historyExport() *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use: "export ID...", Short: "Write audio or subtitles to a file, many to a zip", Args: someArgs("ID"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			if format == "" && len(ids) == 1 {
				format = strings.TrimPrefix(filepath.Ext(out), ".")
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				first, err := c.Generation(cmd.Context(), ids[0])
				if err != nil {
					return err
				}
				if out == "" {
					out = defaultExport(ids, cmp.Or(format, first.Format))
				}
				if err := checkFolder(out); err != nil {
					return err
				}
				if err := c.Export(cmd.Context(), ids, format, out); err != nil {
					return err
				}
				return p.done("Wrote "+out, map[string]any{"ids": ids, "output": out})
			})
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write; the extension picks the format of a single one")
	cmd.Flags().StringVar(&format, "format", "", strings.Join(backend.ExportFormats(), ", "))
	return cmd
}

func defaultExport(ids []string, format string) string {
	switch {
	case len(ids) > 1:
		return "voicewright.zip"
	default:
		return "speech." + format
	}
}

func (p *program) historyRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm ID...", Short: "Delete generations with their audio", Args: someArgs("ID"),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				bar := p.progress("Deleting")
				defer bar.end()
				for i, id := range ids {
					if err := client.CheckID(id); err != nil {
						return err
					}
					if err := c.Call(cmd.Context(), http.MethodDelete, "/history/"+id, nil, nil); err != nil {
						return err
					}
					bar.count(i+1, len(ids))
				}
				return p.done(fmt.Sprintf("Deleted %d", len(ids)), map[string]any{"deleted": ids})
			})
		},
	}
}
