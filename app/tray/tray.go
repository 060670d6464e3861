//go:build desktop

package tray

import (
	"log"
	"log/slog"
	"sync"
	"time"

	"fyne.io/systray"

	"github.com/voicewright/voicewright/backend"
)

// Item is an entry of the menu.
type Item struct {
	Label string
	Do    func() // called in a goroutine of its own
}

// Tray is the icon. A process can show one, once.
type Tray struct {
	log     *slog.Logger
	end     func()
	ready   chan struct{} // closed when the menu is there
	done    chan struct{}
	closing sync.Once
	entries sync.WaitGroup
	items   []*systray.MenuItem
}

// Open shows the icon until Close. A click on it does what the first item does. It must be called on the main thread, before
// its event loop runs: macOS and Windows want it there. On Linux there must be a session bus; a desktop without a notification
// area shows nothing, and one that gets its area later shows the icon then.
func Open(logger *slog.Logger, title string, icon []byte, items []Item) *Tray {
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelDebug).Writer()) // systray uses it
	t := &Tray{log: logger, ready: make(chan struct{}), done: make(chan struct{})}
	start, end := systray.RunWithExternalLoop(func() {
		defer close(t.ready)
		systray.SetIcon(icon)
		systray.SetTooltip(title)
		for _, item := range items {
			t.add(item)
		}
	}, nil)
	t.end = end
	systray.SetOnTapped(func() { go backend.Protect(logger, "a click on the tray icon", items[0].Do) })
	systray.SetTitle(title) // the id of the item, which is read at its start
	start()
	return t
}

// add appends an entry and serves its clicks.
func (t *Tray) add(item Item) {
	entry := systray.AddMenuItem(item.Label, "")
	t.items = append(t.items, entry)
	t.entries.Go(func() {
		for {
			select {
			case <-entry.ClickedCh:
				go backend.Protect(t.log, "an entry of the tray's menu", item.Do)
			case <-t.done:
				return
			}
		}
	})
}

// SetLabels changes the labels of the entries, in their order.
func (t *Tray) SetLabels(labels []string) {
	if !t.isReady() {
		return
	}
	for i, label := range labels[:min(len(labels), len(t.items))] {
		t.items[i].SetTitle(label)
	}
}

// Close removes the icon.
func (t *Tray) Close() {
	t.closing.Do(func() {
		if !t.isReady() {
			return
		}
		close(t.done)
		t.entries.Wait()
		backend.Protect(t.log, "the end of the tray icon", t.end) // it panics where there was no session bus
	})
}

// isReady waits a moment for the menu, which a goroutine makes, and reports whether it is there.
func (t *Tray) isReady() bool {
	select {
	case <-t.ready:
		return true
	case <-time.After(time.Second):
		return false
	}
}
