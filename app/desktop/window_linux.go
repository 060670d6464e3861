//go:build desktop

package desktop

/*
#cgo pkg-config: gtk+-3.0
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#include <stdlib.h>
#include "window_linux.h"
*/
import "C"

import (
	"context"
	"errors"
	"unsafe"
)

// What Wails does not do on Linux, or does wrong. The code is in window_linux.c.

func cBool(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// watchNative starts to watch the size of the window, crashes of the page and the colour scheme of the desktop.
func (w *window) watchNative() { C.vw_watch(cBool(sessionBus())) }

// currentPlacement returns the placement of the window and the screens.
func (w *window) currentPlacement() (placement, []screen, error) {
	var l C.vw_placement
	C.vw_get_placement(&l)
	if l.width == 0 {
		return placement{}, nil, errors.New("there is no window")
	}
	screens := make([]screen, l.screen_count)
	for i := range screens {
		s := l.screens[i]
		screens[i] = screen{X: int(s.x), Y: int(s.y), Width: int(s.width), Height: int(s.height), Current: s.current != 0}
	}
	return placement{
		X: int(l.x), Y: int(l.y), Width: int(l.width), Height: int(l.height), Placed: true, Maximised: l.maximised != 0,
	}, screens, nil
}

// setPlacement moves and resizes the window.
func (w *window) setPlacement(p placement) {
	C.vw_set_placement(C.int(p.X), C.int(p.Y), C.int(p.Width), C.int(p.Height), cBool(p.Placed), cBool(p.Maximised))
}

// front brings the window to the front. activation is the token of the desktop that permits it, "" for none.
func (w *window) front(activation string) {
	<-w.opened
	token := C.CString(activation)
	defer C.free(unsafe.Pointer(token))
	C.vw_raise(token)
}

// confirm shows a question and reports whether the answer is yes. The default is no.
func (w *window) confirm(question, yes, no string) bool {
	var texts [4]*C.char
	for i, s := range []string{"Voicewright", question, yes, no} {
		texts[i] = C.CString(s)
		defer C.free(unsafe.Pointer(texts[i]))
	}
	return C.vw_confirm(texts[0], texts[1], texts[2], texts[3]) != 0
}

// copyFile copies a file to the clipboard. Errors: not_permitted.
func (w *window) copyFile(_ context.Context, path string) error {
	cPath := C.CString(path)
	defer C.free(unsafe.Pointer(cPath))
	if C.vw_copy_file(cPath) == 0 {
		return copyError(path)
	}
	return nil
}

// edit runs an editing command in the page, as WebKit names it. It does not wait: menus call it on the main thread.
func (w *window) edit(command string) {
	go func() {
		text := C.CString(command)
		defer C.free(unsafe.Pointer(text))
		C.vw_edit(text)
	}()
}

// zoom sets the size of the page and reports whether the web view can.
func (w *window) zoom(factor float64) bool {
	C.vw_zoom(C.double(factor))
	return true
}

// closeDialogs cancels all open dialogs, so that the window can close.
func (w *window) closeDialogs() { C.vw_close_dialogs() }

// hideClosed removes the closed window from the screen while the server still shuts down.
func (w *window) hideClosed() { C.vw_hide_closed() }
