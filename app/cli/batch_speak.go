package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/batch"
)

// batchProgress is how far a list is, by characters, which take about the same time each.
type batchProgress struct {
	bar          *progressBar
	begun        time.Time
	spoken, left int // characters
}

// show moves the bar to a step, with so many characters of its row spoken.
func (p *batchProgress) show(step string, spoken float64) {
	p.bar.note.Store(&step)
	p.bar.set((float64(p.spoken)+spoken)/float64(max(p.spoken+p.left, 1)), step)
}

// timeLeft returns in words how long the rows that are left will take, by those that were spoken.
func (p *batchProgress) timeLeft() string {
	if p.spoken == 0 {
		return ""
	}
	return ", " + leftInWords(time.Duration(float64(time.Since(p.begun))/float64(p.spoken)*float64(p.left)))
}

// leftInWords returns a time that is left in words.
func leftInWords(left time.Duration) string {
	switch {
	case left < 90*time.Second:
		return fmt.Sprintf("%d s left", int(left.Seconds())+1)
	case left < 90*time.Minute:
		return fmt.Sprintf("%.0f min left", left.Minutes())
	default:
		return fmt.Sprintf("%.1f h left", left.Hours())
	}
}

// speakRows speaks the rows that are neither done nor bad. One that fails does not stop the others, except where they would fail too.
func (b *batchRun) speakRows(ctx context.Context) error {
	b.common = map[string]any{}
	if slices.ContainsFunc(b.rows, func(r batchfolder.Row) bool { return !r.Done && r.Problem == "" && !r.Hosted }) {
		if err := b.p.prepareVerifier(ctx, b.c, b.f.language, b.common); err != nil {
			return err
		}
	}
	progress := &batchProgress{bar: b.p.progress("Generating"), begun: time.Now()}
	for _, r := range b.rows {
		if !r.Done && r.Problem == "" {
			progress.left += r.Chars
		}
	}
	err := b.each(ctx, func(row batch.Row) error {
		r := &b.rows[row.Number-1]
		switch {
		case r.Problem != "":
			return nil
		case r.Done:
			return b.printRow(row.Number, *r)
		}
		err := b.speakRow(ctx, row, r, progress)
		progress.spoken, progress.left = progress.spoken+r.Chars, progress.left-r.Chars
		return err
	})
	progress.bar.end()
	return b.report(err)
}

// report says how the list ended.
func (b *batchRun) report(err error) error {
	done, failed := 0, 0
	for _, r := range b.rows {
		switch {
		case r.Done:
			done++
		case r.Problem != "":
			failed++
		}
	}
	if unused := b.state.Unused(b.rows); len(unused) > 0 {
		b.p.notef("%d files are of rows that the list no longer has: %s", len(unused), oneLine(strings.Join(unused, ", "), 200))
	}
	switch {
	case err != nil:
		b.p.notef("%d of %d rows are done. Run the same command again to continue.", done, len(b.rows))
		return err
	case failed > 0:
		return fmt.Errorf("%d of %d rows failed; %s names them", failed, len(b.rows), b.state.Path(batchfolder.Report))
	case b.p.json:
		return nil
	default:
		return b.p.printf("%d of %d rows are done.\nFolder: %s\nReport: %s\n", done, len(b.rows), b.f.dir, b.state.Path(batchfolder.Report))
	}
}

// speakRow speaks a row into its file. It returns an error that ends the list; the row's own errors are in r.
func (b *batchRun) speakRow(ctx context.Context, row batch.Row, r *batchfolder.Row, progress *batchProgress) error {
	body := b.body(row, b.voice(ctx, row.Voice))
	if r.Hosted {
		body["accept_credits"] = orZero(r.Price)
	}
	maps.Copy(body, b.common)
	step := fmt.Sprintf("row %d of %d%s", row.Number, len(b.rows), progress.timeLeft())
	show := func(fraction float64, _ string) { progress.show(step, fraction*float64(r.Chars)) }
	show(0, "")
	err := b.makeFile(ctx, *r, body, show)
	switch {
	case err == nil:
		r.Done = true
		err = b.printRow(row.Number, *r)
	case ctx.Err() != nil, fatalForBatch(err):
		return err
	default:
		progress.bar.end() // so that the line stays
		err = b.fail(ctx, row, r, err)
		progress.bar = b.p.progress("Generating")
	}
	return errors.Join(err, b.state.Add(r.Result(row.Number)))
}

// makeFile writes the file of a row: from the generation of a run that was stopped where there is one, else from a new one.
func (b *batchRun) makeFile(ctx context.Context, r batchfolder.Row, body map[string]any, show func(float64, string)) error {
	if id := b.state.Generation(r.Hash); id != "" {
		g, err := b.resume(ctx, id, show)
		if err == nil && b.save(ctx, r, g) == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	var g client.Generation
	err := b.c.CallWith(ctx, http.MethodPost, "/generate", body, &g, map[string]string{"Prefer": "respond-async"})
	if err != nil {
		return err
	}
	if err := b.state.Record(r.Entry(g.ID)); err != nil {
		return stopBatch{err}
	}
	if g, err = follow(ctx, b.c, show, g); ctx.Err() != nil {
		return ctx.Err() // the same command continues it
	} else if err != nil {
		return err
	}
	if err := b.save(ctx, r, g); err != nil {
		return stopBatch{err}
	}
	return nil
}

// resume returns a generation of an earlier run, once it has ended: one that was interrupted is continued.
func (b *batchRun) resume(ctx context.Context, id string, show func(float64, string)) (client.Generation, error) {
	g, err := b.c.Generation(ctx, id)
	switch {
	case err != nil || g.Status == backend.StatusComplete:
		return g, err
	case !g.Status.Ended():
		return follow(ctx, b.c, show, g)
	case g.Partial == nil && (g.Error == nil || g.Error.Code != backend.CodeInterrupted):
		return g, backend.ErrCancelled
	}
	err = b.c.CallWith(ctx, http.MethodPost, "/generate/"+g.ID+"/retry", nil, &g, map[string]string{"Prefer": "respond-async"})
	if err != nil {
		return g, err
	}
	return follow(ctx, b.c, show, g)
}

// save writes the file of a finished row, and removes the one that it replaces.
func (b *batchRun) save(ctx context.Context, r batchfolder.Row, g client.Generation) error {
	sum, err := b.c.FetchFrom(ctx, b.state.TempDir, g.AudioURL, b.state.Path(r.File))
	if err != nil {
		return err
	}
	if err := b.state.RemoveFormer(ctx, r); err != nil { // before the row is done, so that a killed run does it again
		return err
	}
	e := r.Entry(g.ID)
	e.Done, e.SHA256 = true, sum
	return b.state.Record(e)
}

// stopBatch is an error of the output folder: the rows that follow would have it too.
type stopBatch struct{ error }

func (e stopBatch) Unwrap() error { return e.error }

// fatalForBatch reports whether the rows that follow would fail too: the server or the disk is gone.
func fatalForBatch(err error) bool {
	var network *net.OpError
	var stop stopBatch
	if errors.As(err, &network) || errors.As(err, &stop) {
		return true
	}
	switch backend.CodeOf(err) {
	case backend.CodeInsufficientDisk, backend.CodeDiskFailed, backend.CodeNotPermitted, backend.CodeInterrupted, backend.CodeDatabaseCorrupt:
		return true
	default:
		return false
	}
}
