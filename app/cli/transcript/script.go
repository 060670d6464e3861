package transcript

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/folding"
	"github.com/voicewright/voicewright/backend/printable"
)

// Script is what the flags say of the script of a transcript.
type Script struct {
	Wanted bool

	given  []string // NAME=PROFILE
	voices []voice
}

// voice is the profile of a speaker.
type voice struct{ speaker, profile string }

// Add adds the flags.
func (s *Script) Add(flags *pflag.FlagSet) {
	flags.BoolVar(&s.Wanted, "script", false, "make a script of it, which the window opens: a turn for each change of the speaker")
	flags.StringArrayVar(&s.given, "voice", nil,
		"profile of a speaker of the script, as NAME=PROFILE; once for each (default: that of the same name)")
}

// Check returns an error of usage for flags that do not belong together. The speakers are found unless speakers says otherwise.
func (s *Script) Check(speakers *string, out, format string) error {
	switch {
	case !s.Wanted && len(s.given) > 0:
		return usage.Errorf("--voice is for a script: add --script")
	case !s.Wanted:
		return nil
	case strings.EqualFold(*speakers, string(backend.SpeakersOff)):
		return usage.Errorf("a script needs the speakers: leave out --speakers off")
	case out == "" && format != "":
		return usage.Errorf("with --script the text goes to a file: add -o FILE")
	case *speakers == "":
		*speakers = string(backend.SpeakersAuto)
	}
	for _, given := range s.given {
		name, profile, ok := strings.Cut(given, "=")
		if name, profile = strings.TrimSpace(name), strings.TrimSpace(profile); !ok || name == "" || profile == "" {
			return usage.Errorf("--voice %q must be NAME=PROFILE", given)
		}
		s.voices = append(s.voices, voice{name, profile})
	}
	return nil
}

// Find replaces the names of profiles by their ids, which find returns.
func (s *Script) Find(find func(key string) (backend.Profile, error)) error {
	for i := range s.voices {
		p, err := find(s.voices[i].profile)
		if err != nil {
			return err
		}
		s.voices[i].profile = p.ID
	}
	return nil
}

// Make makes the drafts of the script of a transcript. unused are the names of --voice that no speaker has.
func (s *Script) Make(ctx context.Context, c *client.Client, t backend.Transcript) (drafts []backend.Draft, unused []string, err error) {
	voices := map[string]string{}
	for _, v := range s.voices {
		if name, ok := speaker(t, v.speaker); ok {
			voices[name] = v.profile
		} else {
			unused = append(unused, v.speaker)
		}
	}
	var made struct{ Items []backend.Draft }
	err = c.Call(ctx, http.MethodPost, "/transcriptions/"+t.ID+"/script", map[string]any{"voices": voices}, &made)
	return made.Items, unused, err
}

// speaker returns the speaker of a transcript with a name, without regard to case and accents.
func speaker(t backend.Transcript, name string) (string, bool) {
	for _, s := range t.Speakers {
		if folding.Key(s.Name) == folding.Key(name) {
			return s.Name, true
		}
	}
	return "", false
}

// Describe returns a line about a draft of a script: its name, turns, speakers and id.
func Describe(d backend.Draft) string {
	var speakers []struct{ Name string }
	var turns []json.RawMessage
	if json.Unmarshal(d.Content["speakers"], &speakers) != nil || json.Unmarshal(d.Content["turns"], &turns) != nil {
		return d.Name
	}
	names := make([]string, len(speakers))
	for i, s := range speakers {
		names[i] = s.Name
	}
	count := "1 turn"
	if len(turns) != 1 {
		count = fmt.Sprintf("%d turns", len(turns))
	}
	return fmt.Sprintf("%s: %s of %s. ID: %s", printable.OneLine(d.Name), count, printable.OneLine(strings.Join(names, ", ")), d.ID)
}
