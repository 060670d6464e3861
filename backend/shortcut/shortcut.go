// Package shortcut has keys with modifiers, which work in every program.
package shortcut

import (
	"fmt"
	"slices"
	"strings"
)

// Shortcut is a key with modifiers, such as Ctrl+Alt+Space.
type Shortcut struct {
	Ctrl, Alt, Shift, Super bool   // Super is the Windows or Command key
	Key                     string // a letter A to Z, a digit, F1 to F24, or one of Keys
}

// Keys returns the named keys of shortcuts, beside letters, digits and F1 to F24.
func Keys() []string {
	return []string{
		"Space", "Tab", "Enter", "Backspace", "Insert", "Delete", "Home", "End", "PageUp", "PageDown", "Left", "Right", "Up",
		"Down", "Pause",
	}
}

// Parse reads a shortcut as Shortcut.String writes it; case and order do not matter, and Control, Option, Cmd, Command,
// Meta and Win are understood. Only F1 to F24 and Pause may be without Ctrl, Alt or Super, because other keys are needed for
// typing. The error is a sentence.
func Parse(text string) (Shortcut, error) {
	var s Shortcut
	parts := strings.Split(text, "+")
	for _, part := range parts[:len(parts)-1] {
		modifier := s.modifier(strings.ToLower(strings.TrimSpace(part)))
		if modifier == nil {
			return Shortcut{}, fmt.Errorf("%q is not a modifier: use Ctrl, Alt, Shift or Super", part)
		}
		*modifier = true
	}
	s.Key = canonicalKey(strings.TrimSpace(parts[len(parts)-1]))
	switch {
	case s.Key == "":
		return Shortcut{}, fmt.Errorf("%q does not end with a key such as D, 7, F9 or Space", text)
	case !s.Ctrl && !s.Alt && !s.Super && !s.isFunctionKey() && s.Key != "Pause":
		return Shortcut{}, fmt.Errorf("%s needs Ctrl, Alt or Super, because the key alone is used for typing", s)
	}
	return s, nil
}

func (s *Shortcut) modifier(name string) *bool {
	switch name {
	case "ctrl", "control":
		return &s.Ctrl
	case "alt", "option":
		return &s.Alt
	case "shift":
		return &s.Shift
	case "super", "cmd", "command", "meta", "win":
		return &s.Super
	}
	return nil
}

func (s Shortcut) isFunctionKey() bool { return len(s.Key) > 1 && s.Key[0] == 'F' }

// canonicalKey returns a key in the spelling of Shortcut.Key, empty if there is no such key.
func canonicalKey(name string) string {
	if len(name) == 1 {
		if c := strings.ToUpper(name)[0]; c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return string(c)
		}
		return ""
	}
	keys := Keys()
	for n := 1; n <= 24; n++ {
		keys = append(keys, fmt.Sprintf("F%d", n))
	}
	if i := slices.IndexFunc(keys, func(key string) bool { return strings.EqualFold(key, name) }); i >= 0 {
		return keys[i]
	}
	return ""
}

// String returns the shortcut in its usual spelling.
func (s Shortcut) String() string {
	var parts []string
	for _, m := range []struct {
		on   bool
		name string
	}{{s.Ctrl, "Ctrl"}, {s.Alt, "Alt"}, {s.Shift, "Shift"}, {s.Super, "Super"}} {
		if m.on {
			parts = append(parts, m.name)
		}
	}
	return strings.Join(append(parts, s.Key), "+")
}
