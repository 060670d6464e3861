package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p hostedCommands) hostedDialogue() *cobra.Command {
	var f hostedSpeechFlags
	var voices []string
	cmd := &cobra.Command{
		Use: "dialogue FILE", Short: "Turn a dialogue into an audio file with hosted voices",
		Long: "Turn a dialogue into an audio file with hosted voices. FILE, or - for standard input, has lines such as\n\n" +
			"  Ann: Good morning.\n  Ben: [yawns] Is it?\n\nand --voice Ann=VOICE --voice Ben=VOICE say who has which voice. " +
			"Or it is JSON: {\"turns\":[{\"voice\":\"VOICE\",\"text\":\"Good morning.\"}]}.",
		Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			raw, err := p.readDialogue(ctx, args[0])
			if err != nil {
				return err
			}
			turns, err := parseDialogue(raw, voices)
			if err != nil {
				return err
			}
			return p.with(ctx, func(c *client.Client) error { return p.speakDialogue(ctx, c, turns, f) })
		},
	}
	f.add(cmd)
	cmd.Flags().StringArrayVar(&voices, "voice", nil, "hosted voice of a name in FILE, as NAME=VOICE; once for each name")
	return cmd
}

// maxDialogue is how many bytes are read for a dialogue: more than the longest one has, even with much white space around it.
const maxDialogue = 4 << 20

// readDialogue reads a file, or standard input for -.
func (p hostedCommands) readDialogue(ctx context.Context, file string) (raw []byte, err error) {
	if file == "-" {
		raw, err = p.readInput(ctx, maxDialogue)
	} else {
		raw, err = p.readFile(ctx, file, maxDialogue)
	}
	if len(raw) > maxDialogue {
		return nil, usage.Errorf("the dialogue has more than %d bytes; split it into parts", maxDialogue)
	}
	return raw, err
}

// turn is a line of a dialogue.
type turn struct {
	Voice string `json:"voice"` // name or id
	Text  string `json:"text"`
}

// parseDialogue returns the turns of a file in either form. voices are NAME=VOICE.
func parseDialogue(raw []byte, voices []string) ([]turn, error) {
	if !utf8.Valid(raw) {
		return nil, usage.Errorf("the dialogue is not UTF-8; convert it first")
	}
	named := map[string]string{}
	for _, v := range voices {
		name, voice, ok := strings.Cut(v, "=")
		if !ok || strings.TrimSpace(name) == "" || strings.TrimSpace(voice) == "" {
			return nil, usage.Errorf("--voice %q must be NAME=VOICE", v)
		}
		named[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(voice)
	}
	text := strings.TrimSpace(strings.TrimPrefix(string(raw), "\ufeff"))
	turns, err := parseLines(text, named)
	if strings.HasPrefix(text, "{") {
		turns, err = parseTurns(text, named)
	}
	if err == nil && len(turns) == 0 {
		err = usage.Errorf("the dialogue is empty")
	}
	return turns, err
}

func parseTurns(text string, named map[string]string) ([]turn, error) {
	var content struct {
		Turns []turn `json:"turns"`
	}
	if err := json.Unmarshal([]byte(text), &content); err != nil {
		return nil, usage.Errorf("the dialogue is not the JSON that --help shows: %s", err)
	}
	for i, t := range content.Turns {
		if strings.TrimSpace(t.Voice) == "" || strings.TrimSpace(t.Text) == "" {
			return nil, usage.Errorf("turn %d needs voice and text", i+1)
		}
		if voice, ok := named[strings.ToLower(strings.TrimSpace(t.Voice))]; ok {
			content.Turns[i].Voice = voice
		}
	}
	return content.Turns, nil
}

// speakerLine is NAME: words.
var speakerLine = regexp.MustCompile(`^([^:\[\]]{1,60}):\s*(.*)$`)

// lineForms are the forms of lines in which the page finds speakers: also in a list, a quotation, brackets or a voice tag, and with
// a dash or a tab. They count only for a name that has a voice, because prose has them too.
var lineForms = []*regexp.Regexp{
	speakerLine,
	regexp.MustCompile(`^(?:>\s*)*(?:\(?\d{1,4}[.)]\s*|[-–—•]\s*)?[*_]{0,3}([^:：\[\]<>]{1,60}?)[*_]{0,3}\s*[:：][*_]{0,3}\s*(.*)$`),
	regexp.MustCompile(`^(?:>\s*)*\[([^\[\]]{1,60})\]\s*[:：]?\s*(.*)$`),
	regexp.MustCompile(`^<v(?:\.[^\s<>]{1,100})?\s([^<>]{1,60})>(.*?)(?:</v>)?$`),
	regexp.MustCompile(`^(?:>\s*)*(?:\(?\d{1,4}[.)]\s*)?(.{1,60}?)(?:\s+(?:--|[-–—])\s+|\t+)(.*)$`),
}

// spokenLine returns the voice and the words of a line of a name that has a voice, in any form.
func spokenLine(line string, named map[string]string) (turn, bool) {
	for _, form := range lineForms {
		if names := form.FindStringSubmatch(line); names != nil {
			if voice, ok := named[strings.ToLower(strings.TrimSpace(names[1]))]; ok {
				return turn{voice, strings.TrimSpace(names[2])}, true
			}
		}
	}
	return turn{}, false
}

// parseLines reads lines of NAME: words. A line without a name belongs to the one before.
func parseLines(text string, named map[string]string) ([]turn, error) {
	var turns []turn
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		names := speakerLine.FindStringSubmatch(line)
		said, ok := spokenLine(line, named)
		switch {
		case ok:
			turns = append(turns, said)
		case len(turns) > 0 && (names == nil || strings.Contains(names[1], " ")):
			turns[len(turns)-1].Text = strings.TrimSpace(turns[len(turns)-1].Text + "\n" + line)
		case names != nil:
			return nil, usage.Errorf("line %d: %s has no voice; add --voice %q", n+1, names[1], names[1]+"=VOICE")
		default:
			return nil, usage.Errorf("line %d must begin with a name and a colon", n+1)
		}
	}
	for i, t := range turns {
		if t.Text == "" {
			return nil, usage.Errorf("turn %d has no words", i+1)
		}
	}
	return turns, nil
}

// speakDialogue speaks the turns as a script and writes its file.
func (p hostedCommands) speakDialogue(ctx context.Context, c *client.Client, turns []turn, f hostedSpeechFlags) error {
	out, format, err := f.output()
	if err != nil {
		return err
	}
	body, err := scriptBody(ctx, c, turns, f.title)
	if err != nil {
		return err
	}
	if err := p.acceptPrice(ctx, c, body, f.accepted); err != nil {
		return err
	}
	var script struct {
		ID    string              `json:"id"`
		Turns []client.Generation `json:"turns"`
	}
	if err := c.CallWith(ctx, http.MethodPost, "/script", body, &script, map[string]string{"Prefer": "respond-async"}); err != nil {
		return err
	}
	parts, err := p.followTurns(ctx, c, script.Turns)
	if err != nil {
		return err
	}
	d := dialogue{ID: script.ID, Output: out, Credits: totalCredits(parts), Turns: len(turns)}
	if d.Duration, err = fetchDialogue(ctx, c, script.ID, parts, format, out); err != nil {
		return err
	}
	price := "unknown"
	if d.Credits != nil {
		price = fmt.Sprintf("%d credits", *d.Credits)
	}
	return p.print(d, "Turns: %d\nAudio: %.2f s\nPrice: %s\nFile:  %s", d.Turns, d.Duration, price, out)
}

// dialogue is what is printed of one.
type dialogue struct {
	ID       string  `json:"id"` // of the script
	Duration float64 `json:"duration"`
	Output   string  `json:"output"`
	Credits  *int64  `json:"credits"`
	Turns    int     `json:"turns"`
}

// fetchDialogue writes the audio of a script: as the service sent it where that was one file of this format, else joined and
// encoded. It returns its length in seconds.
func fetchDialogue(ctx context.Context, c *client.Client, script string, parts []client.Generation, format, out string) (float64, error) {
	if len(parts) == 1 && parts[0].Format == format {
		return parts[0].Duration, c.Fetch(ctx, parts[0].AudioURL, out)
	}
	var joined struct {
		Duration float64 `json:"duration"`
	}
	if err := c.Call(ctx, http.MethodPost, "/scripts/"+script+"/join", nil, &joined); err != nil {
		return 0, err
	}
	return joined.Duration, c.Fetch(ctx, "/scripts/"+script+"/export?format="+format, out)
}

// scriptBody returns the request for a script with hosted voices.
func scriptBody(ctx context.Context, c *client.Client, turns []turn, title string) (map[string]any, error) {
	voices := map[string]map[string]any{}
	list := make([]map[string]any, len(turns))
	for i, t := range turns {
		if voices[t.Voice] == nil {
			v, err := findHostedVoice(ctx, c, t.Voice)
			if err != nil {
				return nil, err
			}
			profile, err := profileOf(ctx, c, v)
			if err != nil {
				return nil, err
			}
			voices[t.Voice] = map[string]any{"profile_id": profile, "voice": backend.HostedEngine + ":" + v.ID}
		}
		list[i] = maps.Clone(voices[t.Voice])
		list[i]["text"] = t.Text
	}
	return map[string]any{"turns": list, "title": title}, nil
}

// followTurns shows the progress of the generations of a script, which may share one, and returns them. When ctx ends it stops
// those that have not ended.
func (p hostedCommands) followTurns(ctx context.Context, c *client.Client, turns []client.Generation) ([]client.Generation, error) {
	turns = slices.CompactFunc(turns, func(a, b client.Generation) bool { return a.ID == b.ID })
	bar := p.progress("Generating")
	defer bar.end()
	for i := range turns {
		var err error
		turns[i], err = follow(ctx, c, bar.set, turns[i])
		if ctx.Err() != nil {
			for _, other := range turns[i+1:] {
				_ = stopWork(ctx, c, other.ID) // the first error is returned
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return turns, nil
}

// totalCredits returns what generations cost, nil where that is unknown of one.
func totalCredits(parts []client.Generation) *int64 {
	var sum int64
	for _, g := range parts {
		if g.Credits == nil {
			return nil
		}
		sum += *g.Credits
	}
	return &sum
}
