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
	defaultWidth, defaultHeight = 1200, 800
	minWidth, minHeight         = 800, 600

	// The part of the title bar that must be on a screen, so that the window can be dragged.
	gripWidth, gripHeight = 100, 40
)

// screen is a screen of the desktop, in the coordinates of windows.
type screen struct {
	X, Y, Width, Height int
	Current             bool // the window is on it
}

// placement is the position and size of the window when it was closed. For a maximised window they are those from before.
type placement struct {
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Placed    bool   `json:"placed"` // X and Y are set
	Maximised bool   `json:"maximised"`
	Language  string `json:"language,omitempty"` // of the page
}

func placementFile(data string) string { return filepath.Join(data, "window.json") }

// loadPlacement returns the last placement, else the default size without a position.
func loadPlacement(data string) placement {
	const maxSize = 1 << 15
	var p placement
	raw, err := os.ReadFile(placementFile(data))
	if err != nil || json.Unmarshal(raw, &p) != nil ||
		p.Width < minWidth || p.Height < minHeight || p.Width > maxSize || p.Height > maxSize {
		return placement{Width: defaultWidth, Height: defaultHeight, Language: p.Language}
	}
	return p
}

func (p placement) save(data string) error {
	raw, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode the placement of the window: %w", err)
	}
	if err := files.Write(placementFile(data), raw, 0o600); err != nil {
		return fmt.Errorf("save the placement of the window: %w", err)
	}
	return nil
}

// fit returns a placement that is no larger than its screen. A position that is on none of the screens is dropped, so that
// the desktop chooses one.
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
		p.Width = max(minWidth, min(p.Width, screens[at].Width))
		p.Height = max(minHeight, min(p.Height, screens[at].Height))
	}
	return p
}

// reachable reports whether the title bar can be dragged on a screen.
func (p placement) reachable(s screen) bool {
	return min(p.X+p.Width, s.X+s.Width)-max(p.X, s.X) >= gripWidth && p.Y >= s.Y && p.Y+gripHeight <= s.Y+s.Height
}
