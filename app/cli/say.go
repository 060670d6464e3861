package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/speech"
)

// sayFlags are what `say` can be told.
type sayFlags struct {
	out, profile, voice, language, file string
	speed                               float64
	seed                                int64
	play                                bool
}

func (p *program) say() *cobra.Command {
	var f sayFlags
	cmd := &cobra.Command{
		Use: "say TEXT", Short: "Speak a text into a file",
		Long: "Speak a text into a file. TEXT may be - to read standard input.",
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := p.text(cmd.Context(), args, f.file)
			if err != nil {
				return err
			}
			return p.speak(cmd.Context(), text, f, cmd.Flags().Changed)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "speech.wav", "file to write; the extension picks wav, flac, mp3, opus or m4a")
	flags.StringVar(&f.file, "file", "", "read the text from this file")
	flags.StringVar(&f.profile, "profile", "", "voice profile, by name or id (default: Built-in voice)")
	flags.StringVar(&f.voice, "voice", "", "MODEL:VOICE, such as espeak:en-us")
	flags.StringVar(&f.language, "language", "", "BCP 47 language, such as de")
	flags.Float64Var(&f.speed, "speed", 1, "pace, 0.25 to 4")
	flags.Int64Var(&f.seed, "seed", 0, "0 to 2147483647; the same seed gives the same take")
	flags.BoolVar(&f.play, "play", false, "play it when it is done")
	return cmd
}

// text takes the text from the argument, standard input or a file.
func (p *program) text(ctx context.Context, args []string, file string) (string, error) {
	var text string
	switch {
	case file != "" && len(args) > 0:
		return "", Usagef("give TEXT or --file, not both")
	case file == "" && len(args) != 1:
		return "", Usagef("say needs one TEXT, or - for standard input, or --file; put the text in quotes")
	case file == "" && args[0] != "-":
		text = args[0]
	default:
		raw, err := p.readText(ctx, file)
		if err != nil {
			return "", err
		}
		text = string(raw)
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) // the mark that some editors begin a file with
	switch {
	case text == "":
		return "", Usagef("there is no text to speak")
	case !utf8.ValidString(text):
		return "", Usagef("the text is not UTF-8; convert it first")
	case utf8.RuneCountInString(text) > speech.MaxTextChars:
		return "", Usagef("the text has more than %d characters; split it into parts", speech.MaxTextChars)
	}
	return text, nil
}

// maxInput is how many bytes are read for a text: more than the longest one can have with much white space around it.
const maxInput = 4 << 20

func (p *program) readText(ctx context.Context, file string) ([]byte, error) {
	in := p.io.In
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, backend.FileError("read the text", file, missingFile(file, err))
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	var raw []byte
	read := make(chan error, 1)
	go func() { // a terminal that nobody types into must not hold up Ctrl-C
		var err error
		raw, err = io.ReadAll(io.LimitReader(in, maxInput+1))
		read <- err
	}()
	select {
	case err := <-read:
		if err != nil {
			return nil, fmt.Errorf("read the text: %w", err)
		}
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	if len(raw) > maxInput {
		return nil, Usagef("the text has more than %d bytes; split it into parts", maxInput)
	}
	return raw, nil
}

func missingFile(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return backend.E(backend.CodeNotFound, "There is no file "+path+".", "Check the name.").WithCause(err)
	}
	return err
}

// speak makes the audio and writes it to the wanted file.
func (p *program) speak(ctx context.Context, text string, f sayFlags, given func(string) bool) error {
	format, ok := audio.FormatOf(f.out)
	if !ok {
		return Usagef("the output file %q must end in .wav, .flac, .mp3, .opus or .m4a", f.out)
	}
	out, err := filepath.Abs(f.out)
	if err != nil {
		return fmt.Errorf("find the output file: %w", err)
	}
	if err := checkFolder(out); err != nil {
		return err
	}
	return p.with(ctx, func(c *client.Client) error {
		profile, err := findProfile(ctx, c, f.profile, f.voice)
		if err != nil {
			return err
		}
		body := map[string]any{"profile_id": profile.ID, "text": text, "format": format}
		for name, value := range map[string]any{
			"voice": f.voice, "language": f.language, "speed": f.speed, "seed": f.seed,
		} {
			if given(name) {
				body[name] = value
			}
		}
		if err := p.have(ctx, c, profile, f); err != nil {
			return err
		}
		start := time.Now()
		g, err := p.generate(ctx, c, body)
		if err != nil {
			return err
		}
		if err := c.Fetch(ctx, g.AudioURL, out); err != nil {
			return err
		}
		if err := p.report(g, out, time.Since(start)); err != nil || !f.play {
			return err
		}
		return play(ctx, out)
	})
}

// report prints what was said, how long it is, how fast it was made, where it is, and what of the text is missing in it.
func (p *program) report(g client.Generation, out string, took time.Duration) error {
	if p.json {
		g.Output = out
		return p.printJSON(g)
	}
	err := p.printf("Said:  %s\nVoice: %s (%s)\nAudio: %.2f s, made in %.2f s (%.1f x real time)\nFile:  %s\n",
		oneLine(g.Text, 100), g.ProfileName, strings.TrimSuffix(g.ModelName+":"+g.Voice, ":"), g.Duration, took.Seconds(),
		g.Duration/took.Seconds(), out)
	if g.Receipt == nil {
		return err
	}
	return errors.Join(err, p.printList("Skipped", g.Receipt.DroppedTags), p.printList("Shortened to 60 s", g.Receipt.Shortened))
}

// printList prints a line with what the text asked for and the audio does not have; none where that is nothing.
func (p *program) printList(label string, parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	return p.printf("%s: %s\n", label, oneLine(strings.Join(parts, " "), 100))
}

// generate speaks with a progress bar. When ctx ends it cancels the generation and waits for its end.
func (p *program) generate(ctx context.Context, c *client.Client, body map[string]any) (client.Generation, error) {
	var g client.Generation
	err := c.CallWith(ctx, http.MethodPost, "/generate", body, &g, map[string]string{"Prefer": "respond-async"})
	if err != nil {
		return g, err
	}
	bar := p.progress("Speaking")
	defer bar.end()
	err = c.Follow(ctx, "/generate/"+g.ID+"/events", func(data []byte) error {
		var now struct { // only the last message has the whole generation
			Status   backend.Status `json:"status"`
			Progress float64        `json:"progress"`
		}
		err := json.Unmarshal(data, &now)
		if err == nil && now.Status.Ended() {
			err = json.Unmarshal(data, &g)
		}
		if err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		bar.set(now.Progress, string(now.Status))
		return nil
	})
	if ctx.Err() != nil {
		// The generation must not go on by itself when its command was stopped.
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
		defer cancel()
		return g, errors.Join(ctx.Err(), c.Call(stop, http.MethodPost, "/generate/"+g.ID+"/cancel", nil, nil))
	}
	switch {
	case err != nil:
		return g, err
	case g.Error != nil:
		return g, backend.E(g.Error.Code, g.Error.Detail, g.Error.Remedy).With("generation_id", g.ID)
	case g.Status != backend.StatusComplete:
		return g, backend.E(backend.CodeInterrupted, "The server ended before the speech was done.", "Try again.")
	}
	return g, nil
}

// players are the programs that can play a file, per system, in the order of choice.
func players(path string) [][]string {
	switch runtime.GOOS {
	case "darwin":
		return [][]string{{"afplay", path}}
	case "windows":
		return [][]string{{"powershell", "-NoProfile", "-Command", "(New-Object Media.SoundPlayer $args[0]).PlaySync()", path}}
	default:
		return [][]string{
			{"pw-play", path}, {"paplay", path}, {"ffplay", "-nodisp", "-autoexit", "-loglevel", "error", path}, {"aplay", "-q", path},
		}
	}
}

func play(ctx context.Context, path string) error {
	for _, args := range players(path) {
		if program, err := exec.LookPath(args[0]); err == nil {
			if err := backend.DesktopCommand(ctx, program, args[1:]...).Run(); err == nil {
				return nil
			}
		}
	}
	return backend.E(backend.CodeNoAudioDevice, "The file is written, but no program here could play it.",
		"Open the file yourself, or install PulseAudio's paplay or ffplay.")
}
