//go:build desktop

package desktop

import (
	system "runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// The events by which the menu tells the page what was chosen; they carry no data.
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

// menu is the native menu of the window.
func (w *window) menu() *menu.Menu {
	words, all := w.words.Load(), menu.NewMenu()
	if system.GOOS == "darwin" {
		all.Append(menu.AppMenu())
	}
	file := all.AddSubmenu(words.file)
	file.AddText(words.newDraft, keys.CmdOrCtrl("n"), w.tell(menuNewDraft))
	file.AddText(words.openText, keys.CmdOrCtrl("o"), w.tell(menuOpenText))
	file.AddSeparator()
	file.AddText(words.settings, keys.CmdOrCtrl(","), w.tell(menuSettings))
	if system.GOOS == "darwin" {
		all.Append(menu.EditMenu()) // copy and paste come from it there
	} else {
		file.AddSeparator()
		file.AddText(words.quit, keys.CmdOrCtrl("q"), func(*menu.CallbackData) { runtime.Quit(w.view()) })
	}
	view := all.AddSubmenu(words.view)
	view.AddText(words.reload, keys.CmdOrCtrl("r"), func(*menu.CallbackData) { runtime.WindowReload(w.view()) })
	view.AddSeparator()
	view.AddText(words.zoomIn, keys.CmdOrCtrl("+"), w.tell(menuZoomIn))
	view.AddText(words.zoomOut, keys.CmdOrCtrl("-"), w.tell(menuZoomOut))
	view.AddText(words.zoomReset, keys.CmdOrCtrl("0"), w.tell(menuZoomReset))
	help := all.AddSubmenu(words.help)
	help.AddText(words.guide, keys.Key("f1"), w.tell(menuHelp))
	help.AddText(words.shortcuts, nil, w.tell(menuShortcuts))
	return all
}

// tell makes a menu item that tells the page.
func (w *window) tell(event string) menu.Callback {
	return func(*menu.CallbackData) { runtime.EventsEmit(w.view(), event) }
}
