package cli

import (
	"fmt"
	"os"
	"sync/atomic"

	"github.com/mattn/go-isatty"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressBar shows how far a long command is: a bar on a terminal, a line per step elsewhere, nothing with --json.
type progressBar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	note atomic.Pointer[string] // the text behind the bar, in place of the time left
	line func(string)
	last string
}

const barSteps = 1000

func (p *program) progress(label string) *progressBar {
	if p.json {
		return &progressBar{line: func(string) {}}
	}
	t, ok := p.io.Err.(*terminalWriter)
	if !ok {
		return &progressBar{line: func(step string) { p.notef("%s: %s", label, step) }}
	}
	bars := mpb.New(mpb.WithOutput(t.tty), mpb.WithWidth(60))
	b := &progressBar{bars: bars}
	left := decor.AverageETA(decor.ET_STYLE_GO)
	b.bar = bars.AddBar(barSteps, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(visibleCell(label)+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.Any(func(s decor.Statistics) string {
			if note := b.note.Load(); note != nil {
				return visibleCell(*note)
			}
			text, _ := left.Decor(s)
			return text
		})))
	return b
}

func isTerminal(stream any) bool {
	if _, ok := stream.(*terminalWriter); ok {
		return true
	}
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// set moves the bar to a fraction from 0 to 1; without a bar it prints a line when the step changes.
func (b *progressBar) set(fraction float64, step string) {
	if b.bar != nil {
		b.bar.SetCurrent(int64(fraction * barSteps))
		return
	}
	if step != b.last {
		b.last = step
		b.line(step)
	}
}

// count is set for work that is counted in items.
func (b *progressBar) count(done, total int) {
	b.set(float64(done)/float64(max(total, 1)), fmt.Sprintf("%d of %d", done, total))
}

// bytes is set for work that is counted in bytes; without a bar it prints a line every ten percent.
func (b *progressBar) bytes(done, total int64) {
	fraction := float64(done) / float64(max(total, 1))
	b.set(min(fraction, 1), fmt.Sprintf("%d%%", min(int(fraction*10)*10, 100)))
}

// end removes the bar.
func (b *progressBar) end() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
