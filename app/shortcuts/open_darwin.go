//go:build cgo

package shortcuts

/*
#cgo LDFLAGS: -framework Carbon
#include "hotkey_darwin.h"
*/
import "C"

import (
	"context"
	"errors"
	"sync"

	"github.com/voicewright/voicewright/backend/shortcut"
)

// macKeys are the codes of keys on an ANSI keyboard (Carbon, HIToolbox/Events.h).
var macKeys = map[string]C.UInt32{
	"A": 0x00, "S": 0x01, "D": 0x02, "F": 0x03, "H": 0x04, "G": 0x05, "Z": 0x06, "X": 0x07, "C": 0x08, "V": 0x09, "B": 0x0b,
	"Q": 0x0c, "W": 0x0d, "E": 0x0e, "R": 0x0f, "Y": 0x10, "T": 0x11, "1": 0x12, "2": 0x13, "3": 0x14, "4": 0x15, "6": 0x16,
	"5": 0x17, "9": 0x19, "7": 0x1a, "8": 0x1c, "0": 0x1d, "O": 0x1f, "U": 0x20, "I": 0x22, "P": 0x23, "L": 0x25, "J": 0x26,
	"K": 0x28, "N": 0x2d, "M": 0x2e, "Space": 0x31, "Tab": 0x30, "Enter": 0x24, "Backspace": 0x33, "Delete": 0x75,
	"Home": 0x73, "End": 0x77, "PageUp": 0x74, "PageDown": 0x79, "Left": 0x7b, "Right": 0x7c, "Down": 0x7d, "Up": 0x7e,
	"F1": 0x7a, "F2": 0x78, "F3": 0x63, "F4": 0x76, "F5": 0x60, "F6": 0x61, "F7": 0x62, "F8": 0x64, "F9": 0x65, "F10": 0x6d,
	"F11": 0x67, "F12": 0x6f, "F13": 0x69, "F14": 0x6b, "F15": 0x71, "F16": 0x6a, "F17": 0x40, "F18": 0x4f, "F19": 0x50, "F20": 0x5a,
}

// current is the hot key of the process, because the callback of Carbon has no room for more than one here.
var current struct {
	sync.Mutex
	keys chan bool
}

type hotKey struct {
	action Action
	keys   chan bool // true for a release
}

// open registers a hot key. Its events arrive while the window's event loop runs.
func open(_ context.Context, a Action) (source, string, error) {
	code, ok := macKeys[a.Shortcut.Key]
	if !ok {
		return nil, "", errUnavailable("taken", "This keyboard has no key "+a.Shortcut.Key+".", "Choose another shortcut in Settings.")
	}
	current.Lock()
	defer current.Unlock()
	if current.keys != nil {
		return nil, "", errTaken(a.Shortcut).WithCause(errors.New("one hot key at a time"))
	}
	if C.registerHotKey(code, macModifiers(a.Shortcut)) != 0 {
		return nil, "", errTaken(a.Shortcut)
	}
	h := &hotKey{action: a, keys: make(chan bool, 16)}
	current.keys = h.keys
	return h, a.Shortcut.String(), nil
}

func macModifiers(s shortcut.Shortcut) (flags C.UInt32) {
	for _, m := range []struct {
		on   bool
		flag C.UInt32
	}{{s.Ctrl, C.controlKey}, {s.Alt, C.optionKey}, {s.Shift, C.shiftKey}, {s.Super, C.cmdKey}} {
		if m.on {
			flags |= m.flag
		}
	}
	return flags
}

//export voicewrightHotKey
func voicewrightHotKey(released C.int) {
	current.Lock()
	defer current.Unlock()
	select {
	case current.keys <- released != 0:
	default: // nobody listens any more
	}
}

func (h *hotKey) run() {
	for released := range h.keys {
		if released {
			h.action.Released()
		} else {
			h.action.Pressed()
		}
	}
}

func (h *hotKey) stop() {
	current.Lock()
	defer current.Unlock()
	C.unregisterHotKey()
	current.keys = nil
	close(h.keys)
}
