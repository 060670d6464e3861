package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/batch"
	"github.com/voicewright/voicewright/backend/speech"
)

// sayFlags are the flags of say.
type sayFlags struct {
	out, profile, voice, language, file string
	speed                               float64
	seed, accept                        int64
	play                                bool

	batch, dir, format, pattern string // a list of texts
}

func (p *program) say() *cobra.Command {
	var f sayFlags
	cmd := &cobra.Command{
		Use: "say TEXT", Short: "Turn text into an audio file",
		Long: "Turn text into an audio file. Use - as TEXT to read standard input.\n" +
			"With --batch FILE --out DIR, turn a list of texts into an audio file for each: a .csv or .jsonl file with the columns text,\n" +
			"and if you like name, voice, language, speed and format, or a .txt file with a text in each line. The other flags are for\n" +
			"rows that leave a column empty. Run the same command again to continue, or after a change of the list.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if changed := cmd.Flags().Changed; changed("batch") {
				if len(args) > 0 {
					return Usagef("use TEXT or --batch, not both")
				}
				return p.sayBatch(cmd.Context(), f, changed)
			}
			for _, flag := range []string{"out", "format", "name-pattern"} {
				if cmd.Flags().Changed(flag) {
					return Usagef("--%s needs --batch FILE", flag)
				}
			}
			text, err := p.text(cmd.Context(), cmd.Name(), args, f.file)
			if err != nil {
				return err
			}
			return p.speak(cmd.Context(), text, f, cmd.Flags().Changed)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.out, "output", "o", "speech.wav", "output file; its extension sets the format: wav, flac, mp3, opus or m4a")
	flags.StringVar(&f.file, "file", "", "read the text from this file")
	flags.StringVar(&f.profile, "profile", "", "voice profile, by name or ID (default: Built-in voice)")
	flags.StringVar(&f.voice, "voice", "", "voice as MODEL:VOICE, such as espeak:en-us; hosted:ID for a hosted voice")
	flags.StringVar(&f.language, "language", "", "language tag, such as de or en-GB")
	flags.Float64Var(&f.speed, "speed", 1, "speaking rate, 0.25 to 4")
	flags.Int64Var(&f.seed, "seed", 0, "random seed, 0 to 2147483647; the same seed gives the same take")
	flags.Int64Var(&f.accept, priceFlag, 0, "accept a price of a hosted voice up to this many credits without being asked")
	flags.BoolVar(&f.play, "play", false, "play the audio when it is ready")
	flags.StringVar(&f.batch, "batch", "", "speak the texts of this .csv, .jsonl or .txt file, each to a file in --out")
	flags.StringVar(&f.dir, "out", "", "with --batch: folder of the audio files and of report.csv")
	flags.StringVar(&f.format, "format", backend.FormatWAV, "with --batch: format of rows without one: wav, flac, mp3, opus or m4a")
	flags.StringVar(&f.pattern, "name-pattern", batch.DefaultPattern, "with --batch: file name of rows without one, of {row}, {words}, {name}, {voice} and {language}")
	return cmd
}

// text returns the text of a command from its argument, from standard input or from a file.
func (p *program) text(ctx context.Context, command string, args []string, file string) (string, error) {
	var text string
	switch {
	case file != "" && len(args) > 0:
		return "", Usagef("use TEXT or --file, not both")
	case file == "" && len(args) != 1:
		return "", Usagef("%s needs one TEXT (in quotes), - for standard input, or --file", command)
	case file == "" && args[0] != "-":
		text = args[0]
	default:
		raw, err := p.readText(ctx, file)
		if err != nil {
			return "", err
		}
		text = string(raw)
	}
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff")) // the byte order mark that some editors write
	switch {
	case text == "":
		return "", Usagef("the text is empty")
	case !utf8.ValidString(text):
		return "", Usagef("the text is not UTF-8; convert it first")
	case utf8.RuneCountInString(text) > speech.MaxTextChars:
		return "", Usagef("the text has more than %d characters; split it into parts", speech.MaxTextChars)
	}
	return text, nil
}

// maxInput is how many bytes are read for a text: more than the longest one has, even with much white space around it.
const maxInput = 4 << 20

func (p *program) readText(ctx context.Context, file string) ([]byte, error) {
	in := p.io.In
	if file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, inputError(file, err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	raw, err := interruptible(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, maxInput+1)) })
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("read the text: %w", err)
	}
	if len(raw) > maxInput {
		return nil, Usagef("the text has more than %d bytes; split it into parts", maxInput)
	}
	return raw, err
}

// interruptible runs read, which may block on a terminal that nobody types into, until it returns or ctx ends.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.err = backend.Contain(func() (err error) {
			r.value, err = read()
			return err
		})
		done <- r
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, backend.ErrCancelled.WithCause(ctx.Err())
	}
}

// speak generates the audio and writes it to the output file. changed reports whether a flag was given.
func (p *program) speak(ctx context.Context, text string, f sayFlags, changed func(flag string) bool) error {
	format, ok := audio.FormatOf(f.out)
	if isFolder(f.out) {
		return checkFolder(f.out)
	}
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
			if changed(name) {
				body[name] = value
			}
		}
		if err := p.downloadFor(ctx, c, profile, f); err != nil {
			return err
		}
		if isHosted(profile, f.voice) {
			var accepted *int64
			if changed(priceFlag) {
				accepted = &f.accept
			}
			if err := p.acceptPrice(ctx, c, body, accepted); err != nil {
				return err
			}
		} else if err := p.prepareVerifier(ctx, c, cmp.Or(f.language, profile.Language), body); err != nil {
			return err
		}
		start := time.Now()
		g, err := p.generate(ctx, c, body)
		if err != nil {
			return withOutput(err, f.out)
		}
		elapsed := time.Since(start)
		if err := c.Fetch(ctx, g.AudioURL, out); err != nil {
			return err
		}
		if err := p.printSpeech(g, out, elapsed); err != nil || !f.play {
			return err
		}
		return play(ctx, out)
	})
}

// isHosted reports whether a voice as MODEL:VOICE, or without one that of a profile, is of the hosted service.
func isHosted(profile backend.Profile, voice string) bool {
	if voice != "" {
		return strings.HasPrefix(voice, backend.HostedEngine+":")
	}
	return profile.VoiceType == backend.VoiceHosted
}

// printSpeech prints the text, the length, the speed and the file of a generation, and the parts of the text that it lacks.
func (p *program) printSpeech(g client.Generation, out string, elapsed time.Duration) error {
	if p.json {
		g.Output = out
		return p.printJSON(g)
	}
	err := p.printf("Text:  %s\nVoice: %s (%s)\nAudio: %.2f s, generated in %.2f s (%.1fx real time)\nFile:  %s\n",
		oneLine(g.Text, 100), g.ProfileName, modelVoice(g), g.Duration, elapsed.Seconds(),
		g.Duration/elapsed.Seconds(), out)
	if g.Receipt == nil {
		return err
	}
	if g.Receipt.Hosted != nil {
		err = errors.Join(err, p.printf("Price: %s\n", paid(g)))
	}
	return errors.Join(err, p.printParts("Skipped", g.Receipt.DroppedTags), p.printParts("Shortened to 60 s", g.Receipt.Shortened))
}

// modelVoice returns the model of a generation and its voice, unless that is cloned and so is the profile's.
func modelVoice(g client.Generation) string {
	if g.Cloned() {
		return g.ModelName
	}
	return strings.TrimSuffix(g.ModelName+":"+g.Voice, ":")
}

// printParts prints a line with parts of a text, if there are any.
func (p *program) printParts(label string, parts []string) error {
	if len(parts) == 0 {
		return nil
	}
	return p.printf("%s: %s\n", label, oneLine(strings.Join(parts, " "), 100))
}
