package espeak

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// firstVoice is first in the list, because it speaks when no voice was chosen.
const firstVoice = "en-us"

// listed is one row of `espeak-ng --voices`.
type listed struct {
	engines.Voice
	arg     string   // of -v
	aliases []string // other languages that espeak-ng accepts for this voice, such as "en" for en-us
}

// row matches "Pty Language Age/Gender VoiceName File Other". Columns are padded, but long values push the next ones
// to the right, so only white space separates them; names hold underscores instead of spaces.
var row = regexp.MustCompile(`^\s*\d+\s+(\S+)\s+\S+/([MF-])\s+(\S+)\s+(\S+)\s*(.*)$`)

var other = regexp.MustCompile(`\(([^() ]+) \d+\)`)

// Voices returns the voices of the installed espeak-ng. A voice's ID is its language column, such as en-us or
// en-gb-x-rp; of several rows with one ID the first one is used, as by espeak-ng. The default voice is first,
// the others are in the order of espeak-ng. The list is read once.
// Errors: runtime_missing, engine_failed, cancelled.
func (in *installation) Voices(ctx context.Context) ([]engines.Voice, error) {
	rows, err := in.list(ctx)
	if err != nil {
		return nil, err
	}
	voices := make([]engines.Voice, len(rows))
	for i, r := range rows {
		voices[i] = r.Voice
	}
	return voices, nil
}

func (in *installation) list(ctx context.Context) ([]listed, error) {
	if _, err := locate(); err != nil {
		return nil, err
	}
	in.mu.Lock()
	voices := in.voices
	in.mu.Unlock()
	if voices != nil {
		return voices, nil
	}
	out, err := in.output(ctx, "--voices")
	if err != nil {
		return nil, err
	}
	voices = parseVoices(out)
	if len(voices) == 0 {
		return nil, errFailed(ctx, errors.New("the list of voices is empty"))
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.voices = voices
	return voices, nil
}

func parseVoices(out string) []listed {
	var voices []listed
	seen := make(map[string]bool)
	for line := range strings.Lines(out) {
		m := row.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil || seen[m[1]] {
			continue
		}
		seen[m[1]] = true
		v := listed{arg: m[1], Voice: engines.Voice{
			ID: m[1], Name: readable(m[3]), Language: canonical(m[1]), Gender: gender(m[2]),
		}}
		if strings.ToLower(m[1]) != m[1] {
			// espeak-ng lowers the case of -v and then does not find chr-US-Qaaa-x-west, whose file is called chr.
			v.arg = path.Base(m[4])
		}
		for _, o := range other.FindAllStringSubmatch(m[5], -1) {
			v.aliases = append(v.aliases, o[1])
		}
		voices = append(voices, v)
	}
	if i := slices.IndexFunc(voices, func(v listed) bool { return v.ID == firstVoice }); i > 0 {
		first := voices[i]
		voices = slices.Insert(slices.Delete(voices, i, i+1), 0, first)
	}
	return voices
}

func readable(name string) string {
	return strings.TrimSpace(strings.ReplaceAll(name, "_", " "))
}

func gender(column string) string {
	switch column {
	case "M":
		return "male"
	case "F":
		return "female"
	}
	return ""
}

// named returns the row with an ID, else with an alias.
func named(rows []listed, voice string) (listed, bool) {
	for _, r := range rows {
		if strings.EqualFold(r.ID, voice) {
			return r, true
		}
	}
	for _, r := range rows {
		for _, o := range r.aliases {
			if strings.EqualFold(o, voice) {
				r.arg = o // several voices may have it; espeak-ng chooses the best one
				return r, true
			}
		}
	}
	return listed{}, false
}

// find returns the listed voice with an ID or an alias, or a variant of it, with the argument of -v for it. espeak-ng silently uses
// a related voice for an unknown one, so the name is checked against the list.
func (in *installation) find(ctx context.Context, voice string) (listed, error) {
	rows, err := in.list(ctx)
	if err != nil {
		return listed{}, err
	}
	name, variant, isKnown := cutVariant(voice)
	if row, ok := named(rows, name); ok && isKnown {
		if variant != "" {
			row.arg += "+" + variant
			row.Voice = variantOf(row.Voice, variant)
		}
		return row, nil
	}
	return listed{}, backend.E(backend.CodeNotFound,
		"espeak-ng has no voice with this name.",
		"Choose a listed voice, such as en-us or de.",
	).With("voice", voice)
}
