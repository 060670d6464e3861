//go:build desktop && !linux

package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	system "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend/subprocess"
)

// What window_linux.go does, with the functions of Wails.

func (w *window) watchNative() {}

// currentPlacement returns the placement of the window relative to its screen, as Wails does, and that screen.
func (w *window) currentPlacement() (placement, []screen, error) {
	all, err := runtime.ScreenGetAll(w.view())
	if err != nil {
		return placement{}, nil, err
	}
	var screens []screen
	for _, s := range all {
		if s.IsCurrent {
			screens = append(screens, screen{Width: s.Size.Width, Height: s.Size.Height, Current: true})
		}
	}
	current := w.placement
	current.Maximised = runtime.WindowIsMaximised(w.view())
	if runtime.WindowIsNormal(w.view()) {
		current.Width, current.Height = runtime.WindowGetSize(w.view())
		current.X, current.Y = runtime.WindowGetPosition(w.view())
		current.Placed = true
	}
	return current, screens, nil
}

// setPlacement moves and resizes the window.
func (w *window) setPlacement(p placement) {
	runtime.WindowSetSize(w.view(), p.Width, p.Height)
	if p.Placed {
		runtime.WindowSetPosition(w.view(), p.X, p.Y)
	}
	if p.Maximised {
		runtime.WindowMaximise(w.view())
	}
}

// front brings the window to the front, also where the system permits that only to the active program.
func (w *window) front(string) {
	runtime.WindowShow(w.view())
	runtime.WindowUnminimise(w.view())
	runtime.WindowSetAlwaysOnTop(w.view(), true)
	runtime.WindowSetAlwaysOnTop(w.view(), false)
}

// confirm shows a question and reports whether the answer is yes. The default is no. Windows has its own buttons.
func (w *window) confirm(question, yes, no string) bool {
	answer, err := runtime.MessageDialog(w.view(), runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: "Voicewright", Message: question,
		Buttons: []string{no, yes}, DefaultButton: no, CancelButton: no,
	})
	return err != nil || answer == "Yes" || answer == yes
}

// copyFile copies a file to the clipboard with a command of the system. Errors: not_permitted.
func (w *window) copyFile(ctx context.Context, path string) error {
	args := copyCommand(system.GOOS, path)
	command := subprocess.Desktop(ctx, args[0], args[1:]...)
	command.Env = append(command.Env, copiedFileVar+"="+path)
	if err := command.Run(); err != nil {
		return copyError(path).WithCause(err)
	}
	return nil
}

// edit runs an editing command in the page, as WebKit names it. Pages may not paste by themselves.
func (w *window) edit(command string) {
	script := fmt.Sprintf("document.execCommand(%q)", command)
	if strings.HasPrefix(command, "Paste") {
		text, err := runtime.ClipboardGetText(w.view())
		quoted, _ := json.Marshal(text) // a string can be encoded
		if err != nil || text == "" {
			return
		}
		script = fmt.Sprintf("document.execCommand('insertText', false, %s)", quoted)
	}
	runtime.WindowExecJS(w.view(), script)
}

// zoom returns false: Wails sets the zoom of WebView2 only at the start, and that of WKWebView never.
func (w *window) zoom(float64) bool { return false }

func (w *window) closeDialogs() {}

func (w *window) hideClosed() {}
