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

// Bridge is what the page can ask of the window, as window.go.desktop.Bridge: the address of the local API, and what only
// the desktop can do. A failed call is rejected with {code, detail, remedy, params}, as the API words it (greetPage).
type Bridge struct{ w *window }

// WindowAddress is how the page reaches the local API.
type WindowAddress struct {
	URL     string `json:"url"`
	Token   string `json:"token"`
	Running bool   `json:"running"` // the server was there before the window, and stays
}

// Address gives the URL and the token of the local API. It is the one way by which the page gets the token.
func (b *Bridge) Address() WindowAddress {
	return WindowAddress{URL: b.w.here.URL, Token: b.w.here.Token, Running: b.w.running}
}

// Focused tells whether the page has the focus; without it the end of a long job gives a notification.
func (b *Bridge) Focused(focused bool) { b.w.focused.Store(focused) }

// Speaks tells the language of the page, which dialogs and notifications then speak too, and the menu at the next start.
func (b *Bridge) Speaks(language string) {
	if language != "" {
		b.w.speak(language)
	}
}

// SaveAudio saves a generation to a file that the user chooses. format is wav, flac, mp3, opus, m4a, srt or vtt, "" for
// the one that it has; the ending that the user gives wins. It gives the path, "" when the user chose none.
// Errors: generation_not_found, audio_missing, runtime_missing, insufficient_disk, not_permitted.
func (b *Bridge) SaveAudio(id, format string) (string, error) {
	ctx := b.w.view()
	g, err := b.w.api.Generation(ctx, id)
	if err != nil {
		return "", err
	}
	format = cmp.Or(format, g.Format, "wav")
	path, err := chosen(b.w, func(words *phrases) (string, error) {
		return runtime.SaveFileDialog(ctx, runtime.SaveDialogOptions{
			Title: words.saveAudio, DefaultFilename: exportName(g.Title, format), CanCreateDirectories: true,
			Filters: filter(words.soundFiles, "*.wav;*.flac;*.mp3;*.opus;*.m4a;*.srt;*.vtt"),
		})
	})
	if err != nil || path == "" {
		return "", err
	}
	target, format := exportTarget(path, format)
	if target != path {
		target = unused(target) // the dialog asked only whether to replace path
	}
	return target, b.w.api.Export(ctx, []string{id}, format, target)
}

// SaveAnswer saves what the local API answers to a request, such as an export, to a file that the user chooses. name is the
// one offered, path begins with a slash, body is JSON or empty. It gives the path, "" when the user chose none.
// Errors: those of the request, insufficient_disk, not_permitted.
func (b *Bridge) SaveAnswer(name, method, path, body string) (string, error) {
	if !strings.HasPrefix(path, "/") { // the token goes to the local API only
		return "", backend.E(backend.CodeNotFound, "The local API has no such address.", "Reload the page.").With("path", path)
	}
	out, err := b.target(name)
	if err != nil || out == "" {
		return "", err
	}
	var asked any
	if body != "" {
		asked = json.RawMessage(body)
	}
	return out, b.w.api.Save(b.w.view(), method, path, asked, out)
}

// SaveText saves a text to a file that the user chooses. It gives the path, "" when the user chose none.
// Errors: insufficient_disk, not_permitted.
func (b *Bridge) SaveText(name, text string) (string, error) {
	out, err := b.target(name)
	if err != nil || out == "" {
		return "", err
	}
	return out, client.WriteFile(out, strings.NewReader(text))
}

// target asks where a file of this name is to be saved, "" for nowhere. The ending stays what it is.
func (b *Bridge) target(name string) (string, error) {
	ending := filepath.Ext(name)
	name = strings.TrimSuffix(exportName(strings.TrimSuffix(name, ending), strings.TrimPrefix(ending, ".")), ".")
	path, err := chosen(b.w, func(words *phrases) (string, error) {
		return runtime.SaveFileDialog(b.w.view(), runtime.SaveDialogOptions{
			Title: words.saveFile, DefaultFilename: name, CanCreateDirectories: true,
		})
	})
	if err != nil || path == "" || ending == "" || strings.EqualFold(filepath.Ext(path), ending) {
		return path, err
	}
	return unused(path + ending), nil
}

// OpenText gives the text of a file that the user chooses, null when the user chose none.
// Errors: those of POST /text/extract.
func (b *Bridge) OpenText() (*extract.Document, error) {
	ctx := b.w.view()
	path, err := chosen(b.w, func(words *phrases) (string, error) {
		return runtime.OpenFileDialog(ctx, runtime.OpenDialogOptions{
			Title: words.openTextTitle, Filters: filter(words.textFiles, "*.txt;*.md;*.markdown;*.srt;*.epub;*.pdf"),
		})
	})
	if err != nil || path == "" {
		return nil, err
	}
	raw, err := readChosen(path, extract.MaxFile)
	if err != nil {
		return nil, err
	}
	doc, err := (&extract.Extractor{}).Extract(ctx, filepath.Base(path), raw)
	if err != nil {
		return nil, err
	}
	return &doc, nil
}

// ChooseModelsFolder gives a folder that the user chooses for the models, "" for none. PUT it to the API to move them.
func (b *Bridge) ChooseModelsFolder() (string, error) {
	return chosen(b.w, func(words *phrases) (string, error) {
		return runtime.OpenDirectoryDialog(b.w.view(), runtime.OpenDialogOptions{
			Title: words.chooseModels, CanCreateDirectories: true,
		})
	})
}

// ChooseFiles gives the paths of files that the user chooses to import, an empty list for none.
func (b *Bridge) ChooseFiles() ([]string, error) {
	paths, err := chosen(b.w, func(words *phrases) ([]string, error) {
		return runtime.OpenMultipleFilesDialog(b.w.view(), runtime.OpenDialogOptions{Title: words.chooseImport})
	})
	if paths == nil {
		paths = []string{}
	}
	return paths, err
}

// ShowFile shows a file in the file manager. Only files below the data and the models directory are shown.
// Errors: not_found, not_permitted.
func (b *Bridge) ShowFile(path string) error {
	found, err := b.kept(path)
	if err != nil {
		return err
	}
	return reveal(b.w.view(), system.GOOS, found)
}

// CopyFile puts a file on the clipboard, to be pasted into a file manager or an editor; which files, see ShowFile.
// Errors: not_found, not_permitted.
func (b *Bridge) CopyFile(path string) error {
	found, err := b.kept(path)
	if err != nil {
		return err
	}
	return b.w.copyFile(b.w.view(), found)
}

// errNotCopied says that the clipboard took nothing.
func errNotCopied(path string) *backend.Error {
	return backend.E(backend.CodeNotPermitted, "The file could not be put on the clipboard.", "The file is "+path+".").With("path", path)
}

// kept gives the real place of a file below the data or the models directory. Errors: not_found.
func (b *Bridge) kept(path string) (string, error) {
	folders := []string{b.w.data}
	var models backend.ModelsDirectory
	if err := b.w.api.Call(b.w.view(), http.MethodGet, "/models/directory", nil, &models); err == nil && models.Path != "" {
		folders = append(folders, models.Path)
	}
	return below(path, folders...)
}

// chosen shows a dialog for files, one at a time: a second one would get the answer of the first. It chooses nothing.
func chosen[T any](w *window, ask func(*phrases) (T, error)) (choice T, err error) {
	if !w.choosing.TryLock() {
		return choice, nil
	}
	defer w.choosing.Unlock()
	return ask(w.words.Load())
}

// filter shows files by their endings; GTK tells large letters from small ones.
func filter(name, pattern string) []runtime.FileFilter {
	if system.GOOS == "linux" {
		pattern += ";" + strings.ToUpper(pattern)
	}
	return []runtime.FileFilter{{DisplayName: name, Pattern: pattern}}
}
