// Package indicator shows a red dot above all windows while the microphone is open. On X11 it is a small window of its own;
// elsewhere the desktop shows its own sign for an open microphone.
package indicator

import (
	"log/slog"
	"sync"
)

// window is the dot on the screen.
type window interface{ close() }

// Indicator is the dot. It is safe for concurrent use.
type Indicator struct {
	log *slog.Logger

	mu    sync.Mutex
	shown window
}

// New returns an Indicator that is not shown.
func New(log *slog.Logger) *Indicator { return &Indicator{log: log} }

// Show shows the dot. Without a screen nothing happens.
func (i *Indicator) Show() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.shown != nil {
		return
	}
	shown, err := open()
	if err != nil {
		i.log.Debug("the sign of an open microphone cannot be shown", "error", err)
		return
	}
	i.shown = shown
}

// Hide removes the dot.
func (i *Indicator) Hide() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.shown != nil {
		i.shown.close()
		i.shown = nil
	}
}
