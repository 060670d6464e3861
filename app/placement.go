package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// The sizes of the window, in pixels of the desktop.
const (
	usualWidth, usualHeight = 1200, 800
	leastWidth, leastHeight = 800, 600

	// The part of the window that must lie on the screen, so that it can be taken hold of.
	gripWidth, gripHeight = 100, 40
)

// screenSize is one screen of the desktop, in pixels.
type screenSize struct {
	Width   int  `json:"width"`
	Height  int  `json:"height"`
	Current bool `json:"-"` // the window is on it
}

// placement is where the window was when it was closed.
type placement struct {
	X         int          `json:"x"`
	Y         int          `json:"y"`
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	Maximised bool         `json:"maximised"`
	Screens   []screenSize `json:"screens"` // the desktop at that time; without it the place means nothing
}

func placementFile(data string) string { return filepath.Join(data, "window.json") }

// loadPlacement reads the last placement. What is absent, damaged or absurd becomes the usual size without a place.
func loadPlacement(data string) placement {
	const absurd = 1 << 15
	var p placement
	raw, err := os.ReadFile(placementFile(data))
	if err != nil || json.Unmarshal(raw, &p) != nil ||
		p.Width < leastWidth || p.Height < leastHeight || p.Width > absurd || p.Height > absurd {
		return placement{Width: usualWidth, Height: usualHeight}
	}
	return p
}

func (p placement) save(data string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode the window's place: %w", err)
	}
	if err := writePrivate(placementFile(data), raw); err != nil {
		return fmt.Errorf("keep the window's place: %w", err)
	}
	return nil
}

// fit makes the window no larger than the screen on which it opens. placed tells that it may go back to its place: the
// desktop is the same and the title bar can be reached there.
func (p placement) fit(screens []screenSize) (_ placement, placed bool) {
	if len(screens) == 0 {
		return p, false
	}
	current := screens[max(0, slices.IndexFunc(screens, func(s screenSize) bool { return s.Current }))]
	p.Width = max(leastWidth, min(p.Width, current.Width))
	p.Height = max(leastHeight, min(p.Height, current.Height))
	same := slices.EqualFunc(p.Screens, screens, func(a, b screenSize) bool {
		return a.Width == b.Width && a.Height == b.Height
	})
	reachable := p.X+p.Width >= gripWidth && p.X+gripWidth <= current.Width && p.Y >= 0 && p.Y+gripHeight <= current.Height
	return p, same && reachable
}
