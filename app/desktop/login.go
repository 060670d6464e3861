package desktop

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend/files"
)

// loginEntry is the file by which a desktop starts the window at login. Windows has a value in its registry instead.
type loginEntry struct {
	path    string
	content []byte
}

// newLoginEntry returns the entry of a system ("linux", "darwin") for a command: a file of the XDG autostart specification in
// the folder of configurations, or a launch agent in the home directory.
func newLoginEntry(system, folder string, command []string) loginEntry {
	if system == "darwin" {
		return loginEntry{filepath.Join(folder, "Library", "LaunchAgents", "app.voicewright.plist"), launchAgent(command)}
	}
	return loginEntry{filepath.Join(folder, "autostart", "voicewright.desktop"), autostartFile(command)}
}

// set writes the entry, or removes it where it is the same. One of another data directory stays. It touches no file that is
// as it should be.
func (e loginEntry) set(enabled bool) error {
	now, err := os.ReadFile(e.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the entry of the login: %w", err)
	}
	same := err == nil && bytes.Equal(now, e.content)
	if !enabled && same {
		return os.Remove(e.path)
	}
	if !enabled || same {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(e.path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the login: %w", err)
	}
	return files.Write(e.path, e.content, 0o644)
}

// autostartFile returns a desktop entry (Desktop Entry Specification 1.5, "The Exec key").
func autostartFile(command []string) []byte {
	quote := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`, "\n", `\n`)
	words := make([]string, len(command))
	for i, word := range command {
		words[i] = `"` + quote.Replace(word) + `"`
	}
	return []byte("[Desktop Entry]\nType=Application\nName=Voicewright\nExec=" + strings.Join(words, " ") +
		"\nTerminal=false\nX-GNOME-Autostart-enabled=true\n")
}

// launchAgent returns the property list of a launch agent (launchd.plist(5)).
func launchAgent(command []string) []byte {
	var out bytes.Buffer
	out.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>Label</key><string>app.voicewright</string>
<key>RunAtLoad</key><true/>
<key>ProgramArguments</key><array>
`)
	for _, word := range command {
		out.WriteString("<string>")
		_ = xml.EscapeText(&out, []byte(word)) // into memory
		out.WriteString("</string>\n")
	}
	out.WriteString("</array>\n</dict></plist>\n")
	return out.Bytes()
}
