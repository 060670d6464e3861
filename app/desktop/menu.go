//go:build desktop

package desktop

import (
	system "runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// The events that the menu sends to the page. They carry no data.
const (
	menuNewDraft  = "menu:new-draft"
	menuOpenText  = "menu:open-text"
	menuSettings  = "menu:settings"
	menuZoomIn    = "menu:zoom-in"
	menuZoomOut   = "menu:zoom-out"
	menuZoomReset = "menu:zoom-reset"
	menuHelp      = "menu:help"
	menuShortcuts = "menu:shortcuts"
)

// menu returns the native menu of the window.
func (w *window) menu() *menu.Menu {
	labels, all := w.texts.Load(), menu.NewMenu()
	if system.GOOS == "darwin" {
		all.Append(menu.AppMenu())
	}
	file := all.AddSubmenu(labels.file)
	file.AddText(labels.newDraft, keys.CmdOrCtrl("n"), w.emit(menuNewDraft))
	file.AddText(labels.openText, keys.CmdOrCtrl("o"), w.emit(menuOpenText))
	file.AddSeparator()
	file.AddText(labels.settings, keys.CmdOrCtrl(","), w.emit(menuSettings))
	if system.GOOS == "darwin" {
		all.Append(menu.EditMenu()) // macOS takes copy and paste from it
	} else {
		file.AddSeparator()
		file.AddText(labels.quit, keys.CmdOrCtrl("q"), func(*menu.CallbackData) { runtime.Quit(w.view()) })
	}
	view := all.AddSubmenu(labels.view)
	view.AddText(labels.reload, keys.CmdOrCtrl("r"), func(*menu.CallbackData) { runtime.WindowReload(w.view()) })
	view.AddSeparator()
	view.AddText(labels.zoomIn, keys.CmdOrCtrl("+"), w.emit(menuZoomIn))
	view.AddText(labels.zoomOut, keys.CmdOrCtrl("-"), w.emit(menuZoomOut))
	view.AddText(labels.zoomReset, keys.CmdOrCtrl("0"), w.emit(menuZoomReset))
	help := all.AddSubmenu(labels.help)
	help.AddText(labels.guide, keys.Key("f1"), w.emit(menuHelp))
	help.AddText(labels.shortcuts, nil, w.emit(menuShortcuts))
	return all
}

// emit returns a callback that sends an event to the page.
func (w *window) emit(event string) menu.Callback {
	return func(*menu.CallbackData) { runtime.EventsEmit(w.view(), event) }
}
