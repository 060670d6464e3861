package desktop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend/files"
)

// The sizes of the window, in pixels of the desktop.
const (
	usualWidth, usualHeight = 1200, 800
	leastWidth, leastHeight = 800, 600

	// The part of the window that must lie on a screen, so that it can be taken hold of.
	gripWidth, gripHeight = 100, 40
)

// screen is one screen of the desktop, in the pixels in which windows are placed.
type screen struct {
	X, Y, Width, Height int
	Current             bool // the window is on it
}

// placement is where the window was when it was closed. Of a maximised one, place and size are those that it had before.
type placement struct {
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Placed    bool   `json:"placed"` // X and Y mean something
	Maximised bool   `json:"maximised"`
	Language  string `json:"language,omitempty"` // the one that the page had
}

func placementFile(data string) string { return filepath.Join(data, "window.json") }

// loadPlacement reads the last placement. What is absent, damaged or absurd becomes the usual size without a place.
func loadPlacement(data string) placement {
	const absurd = 1 << 15
	var p placement
	raw, err := os.ReadFile(placementFile(data))
	if err != nil || json.Unmarshal(raw, &p) != nil ||
		p.Width < leastWidth || p.Height < leastHeight || p.Width > absurd || p.Height > absurd {
		return placement{Width: usualWidth, Height: usualHeight, Language: p.Language}
	}
	return p
}

func (p placement) save(data string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode the window's place: %w", err)
	}
	if err := files.Write(placementFile(data), raw, 0o600); err != nil {
		return fmt.Errorf("keep the window's place: %w", err)
	}
	return nil
}

// fit makes the window no larger than the screen on which it opens. A place that can be reached on none of the screens
// is given up, and the desktop chooses one.
func (p placement) fit(screens []screen) placement {
	at := -1
	if p.Placed {
		at = slices.IndexFunc(screens, p.reachable)
	}
	p.Placed = at >= 0
	if at < 0 {
		at = max(0, slices.IndexFunc(screens, func(s screen) bool { return s.Current }))
	}
	if at < len(screens) {
		p.Width = max(leastWidth, min(p.Width, screens[at].Width))
		p.Height = max(leastHeight, min(p.Height, screens[at].Height))
	}
	return p
}

// reachable tells whether the title bar can be taken hold of on a screen.
func (p placement) reachable(s screen) bool {
	return min(p.X+p.Width, s.X+s.Width)-max(p.X, s.X) >= gripWidth && p.Y >= s.Y && p.Y+gripHeight <= s.Y+s.Height
}
