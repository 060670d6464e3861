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

// What the window does where Wails does it wrong on Linux or not at all; the work is in window_linux.c.

func flag(b bool) C.int {
	if b {
		return 1
	}
	return 0
}

// adopt follows the window from now on.
func (w *window) adopt() { C.vw_adopt(flag(sessionBus())) }

// look tells where the window is and which screens there are.
func (w *window) look() (placement, []screen, error) {
	var l C.vw_look
	C.vw_look_at(&l)
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

// put takes the window to a place.
func (w *window) put(p placement) {
	C.vw_put(C.int(p.X), C.int(p.Y), C.int(p.Width), C.int(p.Height), flag(p.Placed), flag(p.Maximised))
}

// front brings the window to the front; activation is the desktop's leave to do so, "" for none.
func (w *window) front(activation string) {
	<-w.opened
	token := C.CString(activation)
	defer C.free(unsafe.Pointer(token))
	C.vw_raise(token)
}

// confirm asks a question whose usual answer is no.
func (w *window) confirm(question, yes, no string) bool {
	var texts [4]*C.char
	for i, s := range []string{"Voicewright", question, yes, no} {
		texts[i] = C.CString(s)
		defer C.free(unsafe.Pointer(texts[i]))
	}
	return C.vw_confirm(texts[0], texts[1], texts[2], texts[3]) != 0
}

// copyFile puts a file on the clipboard. Errors: not_permitted.
func (w *window) copyFile(_ context.Context, path string) error {
	place := C.CString(path)
	defer C.free(unsafe.Pointer(place))
	if C.vw_copy_file(place) == 0 {
		return errNotCopied(path)
	}
	return nil
}

// closeDialogs cancels what is open, so that the window can end.
func (w *window) closeDialogs() { C.vw_close_dialogs() }

// vanish takes the window from the screen while its server still ends.
func (w *window) vanish() { C.vw_vanish() }
