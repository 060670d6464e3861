package cli

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p historyCommands) history() *cobra.Command {
	return group("history", "List, play, continue, change, verify and export generated speech",
		p.historyList("list", "List generations, newest first", usage.NoArgs),
		p.historyList("search WORDS", "Search generations by words or beginnings of words", usage.SomeArgs("WORDS")),
		p.historyShow(), p.historyPlay(), p.historyExport(), p.historyVerify(), p.historyRetry(), p.historyRevise(), p.historyRemove(),
	)
}

func (p historyCommands) historyList(use, short string, args cobra.PositionalArgs) *cobra.Command {
	var limit int
	var cursor string
	cmd := p.command(use, short, args, func(ctx context.Context, c *client.Client, words []string) error {
		query := url.Values{"limit": {strconv.Itoa(limit)}, "cursor": {cursor}, "search": {strings.Join(words, " ")}}
		if p.json {
			query.Set("full", "true")
			var list backend.List[client.Generation]
			if err := c.Call(ctx, http.MethodGet, "/history?"+query.Encode(), nil, &list); err != nil {
				return err
			}
			return p.printJSON(list)
		}
		var list backend.List[historyRow]
		if err := c.Call(ctx, http.MethodGet, "/history?"+query.Encode(), nil, &list); err != nil {
			return err
		}
		return p.printHistory(list)
	})
	cmd.Flags().IntVar(&limit, "limit", 20, "number of generations, 1 to 500")
	cmd.Flags().StringVar(&cursor, "cursor", "", "cursor from the previous page")
	return cmd
}

// historyRow is what the table shows of a generation.
type historyRow struct {
	ID          string         `json:"id"`
	CreatedAt   time.Time      `json:"created_at"`
	Duration    float64        `json:"duration"`
	Status      backend.Status `json:"status"`
	ProfileName string         `json:"profile_name"`
	Text        string         `json:"text"`

	Partial *backend.Partial `json:"partial"`
}

// state returns the status, with the part that is finished.
func (r historyRow) state() string {
	if r.Partial == nil {
		return string(r.Status)
	}
	return fmt.Sprintf("%s, %d of %d", r.Status, r.Partial.Chunks, r.Partial.Total)
}

func (p historyCommands) printHistory(list backend.List[historyRow]) error {
	rows := make([][]string, len(list.Items))
	for i, g := range list.Items {
		rows[i] = []string{
			g.CreatedAt.Local().Format(time.DateTime), fmt.Sprintf("%.1fs", g.Duration), g.state(),
			oneLine(g.ProfileName, 24), oneLine(backend.FirstWords(g.Text, 240), 48), g.ID,
		}
	}
	if err := p.table("CREATED LENGTH STATUS VOICE TEXT ID", rows); err != nil {
		return err
	}
	if list.NextCursor == nil {
		return nil
	}
	return p.printf("%d of %d; continue with --cursor %s\n", len(list.Items), list.Total, *list.NextCursor)
}

func (p historyCommands) historyShow() *cobra.Command {
	return p.command("show ID", "Show a generation and its receipt", usage.ExactArgs("ID"),
		func(ctx context.Context, c *client.Client, args []string) error {
			g, err := c.Generation(ctx, args[0])
			switch {
			case err != nil:
				return err
			case p.json:
				return p.printJSON(g)
			default:
				return p.printGeneration(g)
			}
		})
}

func (p historyCommands) printGeneration(g client.Generation) error {
	err := p.printf("ID:      %s\nCreated: %s\nStatus:  %s\nVoice:   %s (%s)\nLength:  %.2f s\nSeed:    %d\nSpeed:   %g\nFile:    %s\n",
		g.ID, g.CreatedAt.Local().Format(time.DateTime), g.Status, g.ProfileName, modelVoice(g), g.Duration, g.Seed,
		g.Speed, g.AudioPath)
	if err == nil && g.Error != nil {
		err = p.printf("Error:   %s %s\n", g.Error.Detail, g.Error.Remedy)
	}
	if err == nil && g.Partial != nil {
		err = p.printf("Saved:   %s. Continue with: voicewright history retry %s\n", partOf(*g.Partial), g.ID)
	}
	if err == nil && g.Receipt != nil {
		reproducible := "reproducible with the same seed, byte for byte"
		if !g.Receipt.Reproducible {
			reproducible = "another run with this seed may differ"
		}
		err = p.printf("Receipt: Voicewright %s on %s; %s; SHA-256 %s\n", g.Receipt.AppVersion, g.Receipt.Device, reproducible,
			g.Receipt.AudioSHA256)
	}
	if err != nil {
		return err
	}
	return p.printf("\n%s\n", g.Text)
}

func (p historyCommands) historyPlay() *cobra.Command {
	return p.command("play ID", "Play a generation", usage.ExactArgs("ID"), func(ctx context.Context, c *client.Client, args []string) error {
		g, err := c.Generation(ctx, args[0])
		if err != nil {
			return err
		}
		if _, err := os.Stat(g.AudioPath); err != nil {
			return backend.E(backend.CodeAudioMissing, "The audio file of this generation is missing.", "Regenerate it.")
		}
		return play(ctx, g.AudioPath)
	})
}

func (p historyCommands) historyExport() *cobra.Command {
	var out, format string
	cmd := p.command("export ID...", "Export audio or subtitles; several generations go into a zip file", usage.SomeArgs("an ID"),
		func(ctx context.Context, c *client.Client, ids []string) error {
			first, err := c.Generation(ctx, ids[0])
			if err != nil {
				return err
			}
			if len(ids) == 1 {
				out, format, err = exportOf(first, out, format)
			} else {
				out, err = zipOutput(out)
			}
			if err != nil {
				return err
			}
			if err := p.export(ctx, c, ids, format, out); err != nil {
				return err
			}
			return p.print(map[string]any{"ids": ids, "output": out}, "Wrote %s", out)
		})
	cmd.Flags().StringVarP(&out, "output", "o", "", "output file or folder; for a single generation the extension of a file sets the format")
	cmd.Flags().StringVar(&format, "format", "", strings.Join(backend.ExportFormats(), ", "))
	return cmd
}

// exportOf returns the file and the format in which a generation is exported. Without a format the extension of the file counts,
// and without one the generation's own.
func exportOf(g client.Generation, out, format string) (file, chosen string, err error) {
	if format == "" && !usage.IsFolder(out) {
		format = strings.TrimPrefix(filepath.Ext(out), ".")
	}
	format = cmp.Or(strings.ToLower(format), g.Format)
	file, err = usage.OutputFile(cmp.Or(out, "speech."+format), g.FileName()+"."+format)
	return file, format, err
}

// zipOutput returns the file in which several generations are exported.
func zipOutput(out string) (string, error) {
	const name = "voicewright.zip"
	if ext := filepath.Ext(out); ext != "" && !usage.IsFolder(out) && !strings.EqualFold(ext, ".zip") {
		return "", usage.Errorf("several generations are exported as a zip file; the output %q must end in .zip", out)
	}
	return usage.OutputFile(cmp.Or(out, name), name)
}

func (p historyCommands) historyRemove() *cobra.Command {
	return p.command("rm ID...", "Delete generations and their audio", usage.SomeArgs("an ID"),
		func(ctx context.Context, c *client.Client, ids []string) error {
			bar := p.progress("Deleting")
			defer bar.end()
			for i, id := range ids {
				if err := client.CheckID(id); err != nil {
					return err
				}
				if err := c.Call(ctx, http.MethodDelete, "/history/"+id, nil, nil); err != nil {
					return err
				}
				bar.count(i+1, len(ids))
			}
			return p.print(map[string]any{"deleted": ids}, "Deleted %d", len(ids))
		})
}
