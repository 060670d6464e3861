//go:build desktop

package desktop

import (
	"cmp"
	"encoding/json"
	"net/http"
	"path/filepath"
	system "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// Bridge contains the functions that the page can call, as window.go.desktop.Bridge: the address of the local API, and what
// only the desktop can do. A failed call is rejected with {code, detail, remedy, params}, like an error of the API (pageScript).
type Bridge struct{ w *window }

// WindowAddress is the address of the local API for the page.
type WindowAddress struct {
	URL     string `json:"url"`
	Token   string `json:"token"`
	Running bool   `json:"running"` // the server is one of another process, which continues when the window is closed
}

// Address returns the URL and the token of the local API. The page gets the token in no other way.
func (b *Bridge) Address() WindowAddress {
	return WindowAddress{URL: b.w.address.URL, Token: b.w.address.Token, Running: b.w.running}
}

// SetFocused sets whether the page has the focus. Without it, the end of a long job shows a notification.
func (b *Bridge) SetFocused(focused bool) { b.w.focused.Store(focused) }

// SetLanguage sets the language of the page for dialogs and notifications, and for the menu at the next start.
func (b *Bridge) SetLanguage(language string) {
	if language != "" {
		b.w.setLanguage(language)
	}
}

// SetTitle sets the title of the window, which is that of the page.
func (b *Bridge) SetTitle(title string) {
	runtime.WindowSetTitle(b.w.view(), b.w.texts.Load().title(title, b.w.running))
}

// SetZoom sets the size of the page, 1 for its own, and reports whether the web view can: elsewhere the page scales itself.
func (b *Bridge) SetZoom(factor float64) bool {
	const smallest, largest = 0.5, 3
	return factor >= smallest && factor <= largest && b.w.zoom(factor)
}

// SaveAudio saves a generation to a file that the user chooses. format is wav, flac, mp3, opus, m4a, srt or vtt, "" for
// its own; an extension that the user types sets the format. exportID names the export for its progress, empty for none. It
// returns the path, "" when the user chose none.
// Errors: generation_not_found, audio_missing, runtime_missing, insufficient_disk, not_permitted.
func (b *Bridge) SaveAudio(id, format, exportID string) (string, error) {
	ctx := b.w.view()
	g, err := b.w.api.Generation(ctx, id)
	if err != nil {
		return "", err
	}
	format = cmp.Or(format, g.Format, "wav")
	path, err := choose(b.w, func(labels *texts) (string, error) {
		return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{
			Title: labels.saveAudio, DefaultFilename: exportName(g.Title, format), CanCreateDirectories: true,
			Filters: filter(labels.audioFiles, "*.wav;*.flac;*.mp3;*.opus;*.m4a;*.srt;*.vtt"),
		})
	})
	if err != nil || path == "" {
		return "", err
	}
	target, format := exportTarget(path, format)
	if target != path {
		target = unused(target) // the dialog only asked whether to replace path
	}
	return target, b.w.api.Export(ctx, []string{id}, format, target, exportID)
}

// SaveAnswer saves the response of the local API to a request, such as an export, to a file that the user chooses. name is
// the suggested one, path begins with a slash, body is JSON or empty. It returns the path, "" when the user chose none.
// Errors: those of the request, insufficient_disk, not_permitted.
func (b *Bridge) SaveAnswer(name, method, path, body string) (string, error) {
	if !strings.HasPrefix(path, "/") { // the token must not be sent elsewhere
		return "", backend.E(backend.CodeNotFound, "The local API has no such address.", "Reload the page.").With("path", path)
	}
	out, err := b.chooseTarget(name)
	if err != nil || out == "" {
		return "", err
	}
	var request any
	if body != "" {
		request = json.RawMessage(body)
	}
	return out, b.w.api.Save(b.w.view(), method, path, request, out)
}

// SaveText saves a text to a file that the user chooses. It returns the path, "" when the user chose none.
// Errors: insufficient_disk, not_permitted.
func (b *Bridge) SaveText(name, text string) (string, error) {
	out, err := b.chooseTarget(name)
	if err != nil || out == "" {
		return "", err
	}
	return out, client.WriteFile(out, strings.NewReader(text))
}

// chooseTarget returns where the user wants to save a file of this name, "" for nowhere. The extension does not change.
func (b *Bridge) chooseTarget(name string) (string, error) {
	extension := filepath.Ext(name)
	name = strings.TrimSuffix(exportName(strings.TrimSuffix(name, extension), strings.TrimPrefix(extension, ".")), ".")
	path, err := choose(b.w, func(labels *texts) (string, error) {
		return runtime.SaveFileDialog(b.w.view(), runtime.SaveDialogOptions{
			Title: labels.saveFile, DefaultFilename: name, CanCreateDirectories: true,
		})
	})
	if err != nil || path == "" || extension == "" || strings.EqualFold(filepath.Ext(path), extension) {
		return path, err
	}
	return unused(path + extension), nil
}

// OpenText lets the user choose a text file, which the page opens like every file that is opened with the window.
func (b *Bridge) OpenText() error {
	path, err := choose(b.w, func(labels *texts) (string, error) {
		return runtime.OpenFileDialog(b.w.view(), runtime.OpenDialogOptions{
			Title: labels.openTextTitle, Filters: filter(labels.textFiles, "*"+strings.Join(extract.Endings(), ";*")),
		})
	})
	if err == nil && path != "" {
		b.w.openFiles([]string{path})
	}
	return err
}

// HandedFiles returns the files that the user opened with this program and that the page has not got yet. The page reads each at
// /handed/ID, once.
func (b *Bridge) HandedFiles() []HandedFile { return b.w.handed.take() }

// ChooseModelsFolder returns a folder that the user chooses for the models, "" for none. PUT it to the API to move them.
func (b *Bridge) ChooseModelsFolder() (string, error) {
	return choose(b.w, func(labels *texts) (string, error) {
		return runtime.OpenDirectoryDialog(b.w.view(), runtime.OpenDialogOptions{
			Title: labels.chooseModels, CanCreateDirectories: true,
		})
	})
}

// ChooseFiles returns the paths of files that the user chooses to import, an empty list for none.
func (b *Bridge) ChooseFiles() ([]string, error) {
	paths, err := choose(b.w, func(labels *texts) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(b.w.view(), runtime.OpenDialogOptions{Title: labels.chooseImport})
	})
	if paths == nil {
		paths = []string{}
	}
	return paths, err
}

// ShowFile shows a file in the file manager. The file must be in the data or the models directory.
// Errors: not_found, not_permitted.
func (b *Bridge) ShowFile(path string) error {
	found, err := b.resolve(path)
	if err != nil {
		return err
	}
	return reveal(b.w.view(), system.GOOS, found)
}

// CopyFile copies a file to the clipboard, for a file manager or an editor. The file must be in the data or the models
// directory.
// Errors: not_found, not_permitted.
func (b *Bridge) CopyFile(path string) error {
	found, err := b.resolve(path)
	if err != nil {
		return err
	}
	return b.w.copyFile(b.w.view(), found)
}

// copyError is the error of a file that could not be copied to the clipboard.
func copyError(path string) *backend.Error {
	return backend.E(backend.CodeNotPermitted, "The file could not be copied to the clipboard.",
		"Copy it in the file manager: "+path+".").With("path", path)
}

// resolve returns the path of a file in the data or the models directory without symbolic links. Errors: not_found.
func (b *Bridge) resolve(path string) (string, error) {
	folders := []string{b.w.data}
	var models backend.ModelsDirectory
	if err := b.w.api.Call(b.w.view(), http.MethodGet, "/models/directory", nil, &models); err == nil && models.Path != "" {
		folders = append(folders, models.Path)
	}
	return resolveIn(path, folders...)
}

// choose shows a file dialog. While one is open, a second one returns at once with no choice: it would get the result of the
// first.
func choose[T any](w *window, show func(*texts) (T, error)) (choice T, err error) {
	if !w.choosing.TryLock() {
		return choice, nil
	}
	defer w.choosing.Unlock()
	return show(w.texts.Load())
}

// filter returns a filter by extension. GTK distinguishes upper and lower case.
func filter(name, pattern string) []runtime.FileFilter {
	if system.GOOS == "linux" {
		pattern += ";" + strings.ToUpper(pattern)
	}
	return []runtime.FileFilter{{DisplayName: name, Pattern: pattern}}
}
