package typing

import (
	"context"
	"errors"
	"log/slog"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/voicewright/voicewright/backend"
)

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	kernel32       = windows.NewLazySystemDLL("kernel32.dll")
	sendInput      = user32.NewProc("SendInput")
	openClipboard  = user32.NewProc("OpenClipboard")
	closeClipboard = user32.NewProc("CloseClipboard")
	emptyClipboard = user32.NewProc("EmptyClipboard")
	setClipboard   = user32.NewProc("SetClipboardData")
	globalAlloc    = kernel32.NewProc("GlobalAlloc")
	globalLock     = kernel32.NewProc("GlobalLock")
	globalUnlock   = kernel32.NewProc("GlobalUnlock")
)

// Constants of winuser.h and winbase.h.
const (
	inputKeyboard                 = 1
	keyUp, keyUnicode             = 0x2, 0x4
	virtualReturn                 = 0x0d
	formatUnicodeText, memMovable = 13, 0x2
	inputsPerCall                 = 200
)

// keyInput is the structure INPUT of winuser.h with a KEYBDINPUT, padded to the size of its largest member.
type keyInput struct {
	kind      uint32
	_         uint32
	key, scan uint16
	flags     uint32
	time      uint32
	extra     uintptr
	_         [8]byte
}

// win types characters as such, so the clipboard is not used.
type win struct{}

func open(*slog.Logger) (desktop, error) { return win{}, nil }

func (win) insert(ctx context.Context, text string) error {
	var inputs []keyInput
	for _, unit := range utf16.Encode([]rune(text)) {
		down := keyInput{kind: inputKeyboard, scan: unit, flags: keyUnicode}
		if unit == '\n' {
			down = keyInput{kind: inputKeyboard, key: virtualReturn}
		}
		up := down
		up.flags |= keyUp
		inputs = append(inputs, down, up)
	}
	for len(inputs) > 0 {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		n := min(len(inputs), inputsPerCall)
		sent, _, err := sendInput.Call(uintptr(n), uintptr(unsafe.Pointer(&inputs[0])), unsafe.Sizeof(inputs[0]))
		if int(sent) != n {
			return errUnavailable("forbidden", "Windows does not let Voicewright type into this program.",
				"Programs that run as administrator accept no text from others; paste it from the page.").WithCause(err)
		}
		inputs = inputs[n:]
	}
	return nil
}

func (win) copy(_ context.Context, text string) error {
	units := append(utf16.Encode([]rune(text)), 0)
	if ok, _, err := openClipboard.Call(0); ok == 0 {
		return noDesktop(err)
	}
	defer func() { _, _, _ = closeClipboard.Call() }()
	_, _, _ = emptyClipboard.Call()
	memory, _, err := globalAlloc.Call(memMovable, uintptr(2*len(units)))
	if memory == 0 {
		return noDesktop(err)
	}
	at, _, err := globalLock.Call(memory)
	if at == 0 {
		return noDesktop(err)
	}
	size := uintptr(2 * len(units))
	if err := windows.WriteProcessMemory(windows.CurrentProcess(), at, (*byte)(unsafe.Pointer(&units[0])), size, nil); err != nil {
		return noDesktop(err)
	}
	_, _, _ = globalUnlock.Call(memory)
	if set, _, err := setClipboard.Call(formatUnicodeText, memory); set == 0 {
		return noDesktop(errors.Join(errors.New("set the clipboard"), err))
	}
	return nil
}

func (win) close() {}
