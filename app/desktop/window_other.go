//go:build desktop && !linux

package desktop

import (
	"context"
	system "runtime"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
)

// What the window does by Wails alone; see window_linux.go.

func (w *window) adopt() {}

// look tells where the window is on its screen: Wails places a window relative to the screen that it is on.
func (w *window) look() (placement, []screen, error) {
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
	place := w.place
	place.Maximised = runtime.WindowIsMaximised(w.view())
	if runtime.WindowIsNormal(w.view()) {
		place.Width, place.Height = runtime.WindowGetSize(w.view())
		place.X, place.Y = runtime.WindowGetPosition(w.view())
		place.Placed = true
	}
	return place, screens, nil
}

// put takes the window to a place.
func (w *window) put(p placement) {
	runtime.WindowSetSize(w.view(), p.Width, p.Height)
	if p.Placed {
		runtime.WindowSetPosition(w.view(), p.X, p.Y)
	}
	if p.Maximised {
		runtime.WindowMaximise(w.view())
	}
}

// front brings the window to the front, also where the system lets only the program in use do so.
func (w *window) front(string) {
	runtime.WindowShow(w.view())
	runtime.WindowUnminimise(w.view())
	runtime.WindowSetAlwaysOnTop(w.view(), true)
	runtime.WindowSetAlwaysOnTop(w.view(), false)
}

// confirm asks a question whose usual answer is no. Windows has buttons of its own.
func (w *window) confirm(question, yes, no string) bool {
	answer, err := runtime.MessageDialog(w.view(), runtime.MessageDialogOptions{
		Type: runtime.QuestionDialog, Title: "Voicewright", Message: question,
		Buttons: []string{no, yes}, DefaultButton: no, CancelButton: no,
	})
	return err != nil || answer == "Yes" || answer == yes
}

// copyFile puts a file on the clipboard, by what the system brings for it. Errors: not_permitted.
func (w *window) copyFile(ctx context.Context, path string) error {
	args := copier(system.GOOS, path)
	command := backend.DesktopCommand(ctx, args[0], args[1:]...)
	command.Env = append(command.Env, copiedFile+"="+path)
	if err := command.Run(); err != nil {
		return errNotCopied(path).WithCause(err)
	}
	return nil
}

func (w *window) closeDialogs() {}

func (w *window) vanish() {}
