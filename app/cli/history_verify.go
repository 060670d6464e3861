package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// verifySelection is which generations a command verifies.
type verifySelection struct {
	all   bool
	since string
}

func (p historyCommands) historyVerify() *cobra.Command {
	var chosen verifySelection
	var strict, yes bool
	cmd := p.command("verify [ID...]", "Listen to generated speech and compare it with its text", cobra.ArbitraryArgs,
		func(ctx context.Context, c *client.Client, ids []string) error {
			generations, err := chosen.generations(ctx, c, ids)
			if err != nil {
				return err
			}
			if err := p.fetchVerifiers(ctx, c, generations, yes); err != nil {
				return err
			}
			report, err := p.verifyHistory(ctx, c, generations)
			if err != nil {
				return err
			}
			if err := p.printVerified(report); err != nil {
				return err
			}
			return report.err(strict)
		})
	cmd.Long = "Listen to generated speech with the transcription model of the setting speech.verify_model, or an installed one where\n" +
		"you have not set it, and compare what it understood with the text: WER is the share of words that were wrong, dropped or\n" +
		"added.\n" +
		"A passage above the setting speech.verify_limit counts as not understood."
	cmd.Flags().BoolVar(&chosen.all, "all", false, "all finished generations")
	cmd.Flags().StringVar(&chosen.since, "since", "", "finished generations since a date (2026-05-31) or for a time (12h, 7d)")
	downloadFlag(cmd, &yes)
	cmd.Flags().BoolVar(&strict, "strict", false, "exit with 1 when a passage was not understood")
	return cmd
}

// spoken is a generation to verify.
type spoken struct {
	ID       string `json:"id"`
	Language string `json:"language"`
}

// fetchVerifiers downloads the models that are missing, see fetchListener.
func (p historyCommands) fetchVerifiers(ctx context.Context, c *client.Client, generations []spoken, yes bool) error {
	checked := map[string]bool{}
	for _, g := range generations {
		if checked[g.Language] {
			continue
		}
		checked[g.Language] = true
		l, err := verifierFor(ctx, c, g.Language)
		if err == nil {
			err = p.fetchListener(ctx, c, l, yes)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// generations returns the generations of the arguments, or of the flags.
func (v verifySelection) generations(ctx context.Context, c *client.Client, args []string) ([]spoken, error) {
	chosen := v.all || v.since != ""
	if chosen == (len(args) > 0) {
		return nil, usage.Errorf("name generations by their IDs, or use --all or --since")
	}
	var found []spoken
	for _, id := range args { // all of them exist before the first one is heard
		g, err := c.Generation(ctx, id)
		if err != nil {
			return nil, err
		}
		found = append(found, spoken{id, g.Language})
	}
	if !chosen {
		return found, nil
	}
	query := url.Values{"limit": {"500"}, "status": {string(backend.StatusComplete)}, "source": {string(backend.SourceLocal)}}
	if v.since != "" {
		from, ok := sinceTime(v.since, time.Now())
		if !ok {
			return nil, usage.Errorf("--since needs a date such as 2026-05-31, or a time such as 12h or 7d")
		}
		query.Set("from", from.UTC().Format(time.RFC3339))
	}
	for {
		var list backend.List[spoken]
		if err := c.Call(ctx, http.MethodGet, "/history?"+query.Encode(), nil, &list); err != nil {
			return nil, err
		}
		found = append(found, list.Items...)
		if list.NextCursor == nil {
			return found, nil
		}
		query.Set("cursor", *list.NextCursor)
	}
}

// sinceTime returns the time of a date, or a duration before now.
func sinceTime(s string, now time.Time) (time.Time, bool) {
	if day, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return day, true
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		return now.AddDate(0, 0, -n), err == nil && n >= 0
	}
	d, err := time.ParseDuration(s)
	return now.Add(-d), err == nil && d >= 0
}

// verifyReport is what the command prints as JSON.
type verifyReport struct {
	Items []verifyRow `json:"items"`
	Limit float64     `json:"limit"`
	Over  int         `json:"over_limit"` // generations with a passage over the limit
}

type verifyRow struct {
	ID      string                       `json:"id"`
	WER     *float64                     `json:"wer"` // nil if it could not be heard
	Model   string                       `json:"model_name,omitempty"`
	Over    int                          `json:"passages_over_limit"`
	Chunks  []*backend.ChunkVerification `json:"chunks,omitempty"`
	Failure *backend.Failure             `json:"error,omitempty"`
	Text    string                       `json:"-"`
	Voice   string                       `json:"-"`
}

// verifyHistory verifies generations one after another. When ctx ends it cancels the running one.
func (p historyCommands) verifyHistory(ctx context.Context, c *client.Client, generations []spoken) (verifyReport, error) {
	report := verifyReport{Items: []verifyRow{}}
	var prefs struct {
		Limit float64 `json:"speech.verify_limit"`
	}
	if err := c.Call(ctx, http.MethodGet, "/settings", nil, &prefs); err != nil {
		return report, err
	}
	report.Limit = prefs.Limit
	bar := p.progress("Listening")
	defer bar.end()
	for i, one := range generations {
		g, err := verifyOne(ctx, c, one.ID)
		if err != nil {
			return report, err
		}
		row := rowOf(g, report.Limit)
		if row.Over > 0 {
			report.Over++
		}
		report.Items = append(report.Items, row)
		bar.count(i+1, len(generations))
	}
	return report, nil
}

// verifyOne verifies a generation and waits for the result.
func verifyOne(ctx context.Context, c *client.Client, id string) (client.Generation, error) {
	var g client.Generation
	var accepted struct {
		Accepted int `json:"accepted"`
	}
	err := c.Call(ctx, http.MethodPost, "/history/verify", map[string]any{"ids": []string{id}}, &accepted)
	if err == nil && accepted.Accepted == 0 {
		err = backend.E(backend.CodeNotInProgress, fmt.Sprintf("Generation %s has no audio to listen to.", id),
			"Choose finished generations of local voices.")
	}
	if err != nil {
		return g, err
	}
	err = c.Follow(ctx, "/generate/"+id+"/events", func(data []byte) error {
		g = client.Generation{}
		return json.Unmarshal(data, &g)
	})
	switch {
	case ctx.Err() != nil:
		return g, cancelWork(ctx, c, "/generate/"+id+"/cancel")
	case err != nil:
		return g, err
	case g.Verify == nil && g.VerifyError == nil:
		return g, backend.E(backend.CodeInterrupted, "Listening was stopped before its end.", "Try again.")
	}
	return g, nil
}

func rowOf(g client.Generation, limit float64) verifyRow {
	row := verifyRow{ID: g.ID, Text: g.Text, Voice: g.ProfileName, Failure: g.VerifyError}
	if g.VerifyError != nil || g.Verify == nil {
		return row
	}
	row.WER, row.Model = &g.Verify.WER, g.Verify.ModelName
	for _, c := range g.Chunks {
		row.Chunks = append(row.Chunks, c.Verify)
		if c.Verify != nil && c.Verify.WER > limit {
			row.Over++
		}
	}
	return row
}

func (p historyCommands) printVerified(report verifyReport) error {
	if p.json {
		return p.printJSON(report)
	}
	rows := make([][]string, len(report.Items))
	for i, r := range report.Items {
		rate, passages := "-", "not heard"
		if r.WER != nil {
			rate, passages = fmt.Sprintf("%.1f%%", *r.WER*100), "understood"
		}
		if r.Over > 0 {
			passages = fmt.Sprintf("%d of %d not understood", r.Over, len(r.Chunks))
		}
		rows[i] = []string{rate, passages, oneLine(r.Voice, 24), oneLine(r.Text, 40), r.ID}
	}
	return p.table("WER PASSAGES VOICE TEXT ID", rows)
}

// err returns the first failure, or with strict the number of generations that were not understood.
func (r verifyReport) err(strict bool) error {
	for _, row := range r.Items {
		if row.Failure != nil {
			return backend.E(row.Failure.Code, row.Failure.Detail, row.Failure.Remedy).With("generation_id", row.ID)
		}
	}
	if strict && r.Over > 0 {
		return fmt.Errorf("%d of %d generations have passages that were not understood", r.Over, len(r.Items))
	}
	return nil
}
