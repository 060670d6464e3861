//go:build !nomicrophone

package microphone

import (
	"bytes"
	"strings"

	"github.com/gen2brain/malgo"
)

// isALSAPlugin reports whether an id of ALSA is a converter or a server that its libraries bring, rather than a card: the ids
// of cards have a colon.
func isALSAPlugin(id string) bool { return !strings.Contains(id, ":") && id != "default" }

// deviceID returns the id of a device as text: the name that PulseAudio, ALSA and CoreAudio give it, which stays the same, and
// hexadecimal digits for the wide characters of WASAPI.
func deviceID(id malgo.DeviceID) string {
	text := bytes.TrimRight(id[:], "\x00")
	for _, b := range text {
		if b < ' ' || b > '~' {
			return id.String()
		}
	}
	return string(text)
}
