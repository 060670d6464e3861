package shortcuts

import (
	"context"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/voicewright/voicewright/backend/shortcut"
)

var (
	user32           = windows.NewLazySystemDLL("user32.dll")
	registerHotKey   = user32.NewProc("RegisterHotKey")
	unregisterHotKey = user32.NewProc("UnregisterHotKey")
	getMessage       = user32.NewProc("GetMessageW")
	postMessage      = user32.NewProc("PostThreadMessageW")
	keyState         = user32.NewProc("GetAsyncKeyState")
)

// Constants of winuser.h.
const (
	modAlt, modControl, modShift, modWin, modNoRepeat = 0x1, 0x2, 0x4, 0x8, 0x4000
	wmQuit, wmHotKey                                  = 0x12, 0x312
)

var virtualKeys = map[string]uintptr{
	"Space": 0x20, "Tab": 0x09, "Enter": 0x0d, "Backspace": 0x08, "Insert": 0x2d, "Delete": 0x2e, "Home": 0x24, "End": 0x23,
	"PageUp": 0x21, "PageDown": 0x22, "Left": 0x25, "Up": 0x26, "Right": 0x27, "Down": 0x28, "Pause": 0x13,
}

// releasePoll is how often a held key is looked at, because Windows reports only that it was pressed.
const releasePoll = 20 * time.Millisecond

type hotKey struct {
	action Action
	thread uint32
	ready  chan error
	ended  chan struct{}
}

// open registers the hot key. Messages belong to the thread that registered it, so one thread does both.
func open(_ context.Context, a Action) (source, string, error) {
	h := &hotKey{action: a, ready: make(chan error, 1), ended: make(chan struct{})}
	go h.listen()
	if err := <-h.ready; err != nil {
		return nil, "", err
	}
	return h, a.Shortcut.String(), nil
}

func (h *hotKey) listen() {
	defer close(h.ended)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h.thread = windows.GetCurrentThreadId()
	key := virtualKey(h.action.Shortcut.Key)
	if ok, _, err := registerHotKey.Call(0, 1, modifiers(h.action.Shortcut), key); ok == 0 {
		h.ready <- errTaken(h.action.Shortcut).WithCause(err)
		return
	}
	defer func() { _, _, _ = unregisterHotKey.Call(0, 1) }()
	h.ready <- nil
	var message struct {
		window         uintptr
		message        uint32
		wParam, lParam uintptr
		time           uint32
		x, y           int32
	}
	for {
		got, _, _ := getMessage.Call(uintptr(unsafe.Pointer(&message)), 0, 0, 0)
		if int32(got) <= 0 || message.message == wmQuit {
			return
		}
		if message.message == wmHotKey {
			h.action.Pressed()
			waitReleased(key)
			h.action.Released()
		}
	}
}

func waitReleased(key uintptr) {
	tick := time.NewTicker(releasePoll)
	defer tick.Stop()
	for range tick.C {
		if state, _, _ := keyState.Call(key); state&0x8000 == 0 {
			return
		}
	}
}

func modifiers(s shortcut.Shortcut) uintptr {
	flags := uintptr(modNoRepeat)
	for _, m := range []struct {
		on   bool
		flag uintptr
	}{{s.Ctrl, modControl}, {s.Alt, modAlt}, {s.Shift, modShift}, {s.Super, modWin}} {
		if m.on {
			flags |= m.flag
		}
	}
	return flags
}

// virtualKey returns the code of a key: letters and digits have their ASCII codes, F1 begins at 0x70.
func virtualKey(key string) uintptr {
	if code, ok := virtualKeys[key]; ok {
		return code
	}
	if len(key) == 1 {
		return uintptr(key[0])
	}
	n := uintptr(0)
	for _, digit := range key[1:] {
		n = n*10 + uintptr(digit-'0')
	}
	return 0x6f + n
}

func (h *hotKey) run()  { <-h.ended }
func (h *hotKey) stop() { _, _, _ = postMessage.Call(uintptr(h.thread), wmQuit, 0, 0) }
