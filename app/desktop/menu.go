//go:build desktop

package desktop

import (
	system "runtime"

	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/menu/keys"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// The events that the menu and the tray send to the page. They carry no data, but for one.
const (
	menuNewDraft   = "menu:new-draft"
	menuOpenText   = "menu:open-text"
	menuSettings   = "menu:settings"
	menuZoomIn     = "menu:zoom-in"
	menuZoomOut    = "menu:zoom-out"
	menuZoomReset  = "menu:zoom-reset"
	menuHelp       = "menu:help"
	menuShortcuts  = "menu:shortcuts"
	menuDictation  = "menu:dictation"
	menuOpenFiles  = "menu:open-files"
	menuReadAloud  = "menu:read-aloud"           // with the text
	menuNoShortcut = "menu:shortcut-unavailable" // with the keys
)

// menu returns the native menu of the window. What the person can give other keys has none in it: the page handles these.
func (w *window) menu() *menu.Menu {
	labels, all := w.texts.Load(), menu.NewMenu()
	if system.GOOS == "darwin" {
		all.Append(menu.AppMenu())
	}
	file := all.AddSubmenu(labels.file)
	file.AddText(labels.newDraft, keys.CmdOrCtrl("n"), w.emit(menuNewDraft))
	file.AddText(labels.openText, nil, w.emit(menuOpenText))
	file.AddSeparator()
	file.AddText(labels.settings, nil, w.emit(menuSettings))
	if system.GOOS == "darwin" {
		all.Append(menu.EditMenu()) // macOS takes copy and paste from it
	} else {
		file.AddSeparator()
		file.AddText(labels.quit, keys.CmdOrCtrl("q"), func(*menu.CallbackData) { runtime.Quit(w.view()) })
		w.editMenu(all.AddSubmenu(labels.edit))
	}
	view := all.AddSubmenu(labels.view)
	view.AddText(labels.reload, keys.CmdOrCtrl("r"), func(*menu.CallbackData) { runtime.WindowReload(w.view()) })
	view.AddSeparator()
	// Wails knows neither "+" nor "-" on Windows, where the page handles these keys.
	view.AddText(labels.zoomIn, keys.CmdOrCtrl("+"), w.emit(menuZoomIn))
	view.AddText(labels.zoomOut, keys.CmdOrCtrl("-"), w.emit(menuZoomOut))
	view.AddText(labels.zoomReset, keys.CmdOrCtrl("0"), w.emit(menuZoomReset))
	help := all.AddSubmenu(labels.help)
	help.AddText(labels.guide, keys.Key("f1"), w.emit(menuHelp))
	help.AddText(labels.shortcuts, nil, w.emit(menuShortcuts))
	return all
}

// editMenu adds the entries of an Edit menu. They have no keys of their own: the page handles these, and undoes more than text.
func (w *window) editMenu(edit *menu.Menu) {
	labels := w.texts.Load()
	add := func(label, command string) {
		edit.AddText(label, nil, func(*menu.CallbackData) { w.edit(command) })
	}
	add(labels.undo, "Undo")
	add(labels.redo, "Redo")
	edit.AddSeparator()
	add(labels.cut, "Cut")
	add(labels.copy, "Copy")
	add(labels.paste, "Paste")
	add(labels.pastePlain, "PasteAsPlainText")
	edit.AddSeparator()
	add(labels.selectAll, "SelectAll")
}

// emit returns a callback that sends an event to the page.
func (w *window) emit(event string) menu.Callback {
	return func(*menu.CallbackData) { runtime.EventsEmit(w.view(), event) }
}
