package cli

import (
	"fmt"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// progressBar shows how far a long command is: a bar on a terminal, a line per step elsewhere, nothing with --json.
type progressBar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	note atomic.Pointer[string] // what stands behind the bar, instead of the time left
	line func(string)
	last string
}

const barSteps = 1000

func (p *program) progress(what string) *progressBar {
	if p.json {
		return &progressBar{line: func(string) {}}
	}
	if !isTerminal(p.io.Err) {
		return &progressBar{line: func(step string) { p.complain(what + ": " + step) }}
	}
	bars := mpb.New(mpb.WithOutput(p.io.Err), mpb.WithWidth(60))
	b := &progressBar{bars: bars}
	left := decor.AverageETA(decor.ET_STYLE_GO)
	b.bar = bars.AddBar(barSteps, mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what+" ")),
		mpb.AppendDecorators(decor.Percentage(), decor.Name(" "), decor.Any(func(s decor.Statistics) string {
			if note := b.note.Load(); note != nil {
				return *note
			}
			text, _ := left.Decor(s)
			return text
		})))
	return b
}

// set moves the bar to a part of 1; a line is printed when the step changes.
func (b *progressBar) set(part float64, step string) {
	if b.bar != nil {
		b.bar.SetCurrent(int64(part * barSteps))
		return
	}
	if step != b.last {
		b.last = step
		b.line(step)
	}
}

// count is set for work whose parts are counted.
func (b *progressBar) count(done, total int) {
	b.set(float64(done)/float64(max(total, 1)), fmt.Sprintf("%d of %d", done, total))
}

// bytes is set for work whose bytes are counted; without a bar it says each tenth of the way.
func (b *progressBar) bytes(done, total int64) {
	part := float64(done) / float64(max(total, 1))
	b.set(min(part, 1), fmt.Sprintf("%d %%", min(int(part*10)*10, 100)))
}

// end takes the bar away.
func (b *progressBar) end() {
	if b.bar != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
