package audio

import (
	"bufio"
	"io"
	"strconv"
	"strings"
)

// progress reports how much of a piece of work is done: from and to are the shares of the whole before and after it.
type progress struct {
	report   func(share float64) // nil = nobody asks
	seconds  float64             // of audio, 0 where unknown
	from, to float64
}

// newProgress returns the progress of work on audio of this length, whose reports never go down.
func newProgress(report func(share float64), seconds float64) progress {
	if report == nil {
		return progress{}
	}
	highest := 0.0
	return progress{seconds: seconds, to: 1, report: func(share float64) {
		if share > highest {
			highest = share
			report(share)
		}
	}}
}

// part returns the progress of a part of the work, from and to are shares of it.
func (p progress) part(from, to float64) progress {
	width := p.to - p.from
	p.from, p.to = p.from+from*width, p.from+to*width
	return p
}

// at reports that the work has come to this time of the audio in seconds.
func (p progress) at(seconds float64) {
	if p.report != nil && p.seconds > 0 {
		p.report(p.from + min(seconds/p.seconds, 1)*(p.to-p.from))
	}
}

// args returns the arguments with which ffmpeg writes to its standard output how far it is.
func (p progress) args() []string {
	if p.report == nil {
		return nil
	}
	return []string{"-progress", "pipe:1", "-stats_period", "0.25"}
}

// reader returns what reads that output, nil where there is none.
func (p progress) reader() func(io.Reader) error {
	if p.report == nil {
		return nil
	}
	return func(r io.Reader) error {
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			if value, ok := strings.CutPrefix(lines.Text(), "out_time_us="); ok {
				if us, err := strconv.ParseInt(value, 10, 64); err == nil && us > 0 {
					p.at(float64(us) / 1e6)
				}
			}
		}
		return lines.Err()
	}
}
