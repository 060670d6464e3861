package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/app/cli/batchfolder"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/batch"
	"github.com/voicewright/voicewright/backend/settings"
)

// batchRun speaks the rows of a list, each to a file in a folder.
type batchRun struct {
	p       *program
	c       *client.Client
	f       sayFlags
	changed func(flag string) bool
	rows    []batchfolder.Row
	state   *batchfolder.Folder
	voices  map[string]*batchVoice
	left    *int64         // credits of the account, nil where unknown
	common  map[string]any // fields of all requests
	list    fs.FileInfo
	guessed string // encoding of the list, empty where it is certain
}

// batchVoice is a resolved voice of the list, or why it cannot speak.
type batchVoice struct {
	profile   backend.Profile
	voice     string // MODEL:VOICE, where it is not the profile's own
	err       error
	languages map[string]error // why it cannot speak a language; nil where it can
}

// sayBatch speaks a list of texts.
func (p speechCommands) sayBatch(ctx context.Context, f sayFlags, changed func(flag string) bool) error {
	if err := checkBatch(f, changed); err != nil {
		return err
	}
	info, err := os.Stat(f.batch)
	if err != nil {
		return usage.InputError(f.batch, err)
	}
	if !info.Mode().IsRegular() { // it is read several times
		return usage.Errorf("%s is not a file", f.batch)
	}
	return p.with(ctx, func(c *client.Client) error {
		b := &batchRun{p: p.program, c: c, f: f, changed: changed, list: info, voices: map[string]*batchVoice{}}
		return b.run(ctx)
	})
}

// checkBatch checks the flags of a list.
func checkBatch(f sayFlags, changed func(flag string) bool) error {
	for _, flag := range []string{"output", "file", "play"} {
		if changed(flag) {
			return usage.Errorf("--batch writes a file for each row; --%s does not go with it", flag)
		}
	}
	if f.dir == "" {
		return usage.Errorf("--batch needs --out DIR, the folder of the audio files")
	}
	for _, format := range backend.AudioFormats() {
		if f.format == format {
			return nil
		}
	}
	return usage.Errorf("the format %q must be one of %s", f.format, strings.Join(backend.AudioFormats(), ", "))
}

// run plans the rows, writes the report of what is known, and speaks what is missing.
func (b *batchRun) run(ctx context.Context) (err error) {
	if b.f.dir, err = usage.AbsoluteOutput(b.f.dir); err != nil {
		return err
	}
	names, err := b.readList(ctx)
	if err != nil {
		return err
	}
	if b.guessed != "" {
		b.p.notef("Note: The list does not name its character encoding; it was read as %s. --encoding sets another one.", b.guessed)
	}
	if b.state, err = batchfolder.Open(b.f.dir); err != nil {
		return err
	}
	defer b.state.Unlock()
	if err := b.plan(ctx, names); err != nil {
		return err
	}
	if err := b.acceptPrices(ctx); err != nil {
		return err
	}
	if err := b.state.Begin(b.rows); err != nil {
		return err
	}
	err = b.speakRows(ctx)
	return errors.Join(err, b.state.End(b.rows))
}

// each calls f with each row of the list, which is read anew.
func (b *batchRun) each(ctx context.Context, f func(batch.Row) error) error {
	file, err := os.Open(b.f.batch)
	if err != nil {
		return usage.InputError(b.f.batch, err)
	}
	defer func() { _ = file.Close() }()
	if info, err := file.Stat(); err != nil || info.Size() != b.list.Size() || !info.ModTime().Equal(b.list.ModTime()) {
		return errListChanged.WithCause(err)
	}
	r, err := batch.NewReader(b.f.batch, b.f.text.encoding, file)
	if err != nil {
		return listError(err)
	}
	b.guessed = ""
	if r.Guessed {
		b.guessed = r.Encoding
	}
	for ctx.Err() == nil {
		row, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return listError(err)
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return backend.ErrCancelled.WithCause(ctx.Err())
}

// listError returns the error of a file that is read as a list: one that is none is a wrong use.
func listError(err error) error {
	if backend.CodeOf(err) == backend.CodeUnsupportedMedia {
		return usage.Misuse(err)
	}
	return err
}

// readList reads the rows before anything is written, and returns the names of their files. Wrong use: a list without rows, an
// unknown placeholder.
func (b *batchRun) readList(ctx context.Context) (*batch.Names, error) {
	same := map[string]int{} // so that rows with the same words have a hash each
	err := b.each(ctx, func(row batch.Row) error {
		hash := b.hash(row, 0)
		if same[hash]++; same[hash] > 1 {
			hash = b.hash(row, same[hash])
		}
		b.rows = append(b.rows, batchfolder.Row{
			Number: row.Number, Hash: hash, Chars: utf8.RuneCountInString(row.Text),
			Name: strings.Clone(backend.FirstWords(row.Name, maxJournalName)), // a part of the row's memory would keep all of it
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(b.rows) == 0 {
		return nil, usage.Errorf("the list %s has no rows", b.f.batch)
	}
	names, err := batch.NewNames(b.f.pattern, len(b.rows))
	if err != nil {
		return nil, usage.Errorf("--name-pattern: %s", err)
	}
	return names, nil
}

const maxJournalName = 200 // characters of a row's name that tell it from others

// plan fills in what is known of each row before the first one is spoken: which are made already, which cannot be spoken, the
// names of the files, and the prices of hosted voices.
func (b *batchRun) plan(ctx context.Context, names *batch.Names) error {
	for i := range b.rows {
		r := &b.rows[i]
		r.File, r.Done = b.state.Made(r.Hash)
	}
	b.state.FindFormer(b.rows)
	if err := b.state.Reserve(b.rows, names); err != nil {
		return err
	}
	return b.each(ctx, func(row batch.Row) error {
		r := &b.rows[row.Number-1]
		if r.Done {
			return nil
		}
		err := b.planRow(ctx, row, r)
		if err == nil {
			r.File = names.Next(row, b.format(row))
			return nil
		}
		if ctx.Err() != nil || fatalForBatch(err) {
			return err
		}
		return b.fail(ctx, row, r, err)
	})
}

// planRow checks that a row can be spoken, downloads the model of its voice, and finds its price.
func (b *batchRun) planRow(ctx context.Context, row batch.Row, r *batchfolder.Row) error {
	if row.Problem != "" {
		return errors.New(row.Problem)
	}
	v := b.voice(ctx, row.Voice)
	if err := b.prepare(ctx, v, row.Language); err != nil {
		return err
	}
	if r.Hosted = isHosted(v.profile, v.voice); !r.Hosted {
		return nil
	}
	quote, err := getQuote(ctx, b.c, b.body(row, v))
	r.Price, b.left = quote.Credits, quote.Left
	return err
}

// voice returns the voice that a row names, empty for that of the flags.
func (b *batchRun) voice(ctx context.Context, name string) *batchVoice {
	if v, ok := b.voices[name]; ok {
		return v
	}
	v := &batchVoice{voice: b.f.voice, languages: map[string]error{}}
	profile := b.f.profile
	switch {
	case strings.Contains(name, ":"):
		profile, v.voice = "", name
	case name != "":
		profile, v.voice = name, ""
	}
	v.profile, v.voice, v.err = findVoice(ctx, b.c, profile, v.voice)
	b.voices[name] = v
	return v
}

// prepare checks that a voice speaks a language, and downloads its model. What failed is not tried again.
func (b *batchRun) prepare(ctx context.Context, v *batchVoice, language string) error {
	if v.err != nil {
		return v.err
	}
	if err, ok := v.languages[language]; ok {
		return err
	}
	flags := b.f
	flags.voice, flags.language = v.voice, cmp.Or(language, b.f.language)
	if !isHosted(v.profile, v.voice) {
		if err := checkVoice(ctx, b.c, v.profile, flags); err != nil {
			v.languages[language] = err
			return err
		}
	}
	v.languages[language] = nil
	v.err = b.p.downloadFor(ctx, b.c, v.profile, flags)
	return v.err
}

// body returns the request that speaks a row.
func (b *batchRun) body(row batch.Row, v *batchVoice) map[string]any {
	body := map[string]any{"profile_id": v.profile.ID, "text": row.Text, "format": b.format(row)}
	for name, value := range map[string]any{"language": b.f.language, "speed": b.f.speed, "seed": b.f.seed} {
		if b.changed(name) {
			body[name] = value
		}
	}
	for name, value := range map[string]string{"voice": v.voice, "language": row.Language, "title": backend.FirstWords(row.Name, 200)} {
		if value != "" {
			body[name] = value
		}
	}
	if row.Speed != nil {
		body["speed"] = *row.Speed
	}
	return body
}

func (b *batchRun) format(row batch.Row) string {
	if row.Format != "" {
		return row.Format
	}
	return b.f.format
}

// hash returns the hash of all that decides on the audio of a row and on its name; copies counts the rows that say the same.
func (b *batchRun) hash(row batch.Row, copies int) string {
	row.Number, row.Line = 0, 0 // a row that moved is the same
	raw, err := json.Marshal(map[string]any{
		"row": row, "copies": copies, "format": b.f.format, "profile": b.f.profile, "voice": b.f.voice, "language": b.f.language,
		"speed": b.f.speed, "seed": b.f.seed, "seeded": b.changed("seed"), "pattern": b.f.pattern,
	})
	if err != nil { // strings and numbers can be encoded
		panic(err)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// fail records why a row could not be spoken.
func (b *batchRun) fail(ctx context.Context, row batch.Row, r *batchfolder.Row, err error) error {
	sentence, remedy, _ := describeError(ctx, err)
	r.Problem, r.File = strings.TrimSpace(sentence+" "+remedy), ""
	b.p.notef("Row %d, line %d: %s", row.Number, row.Line, r.Problem)
	return b.printRow(row.Number, *r)
}

// printRow prints the result of a row with --json.
func (b *batchRun) printRow(number int, r batchfolder.Row) error {
	if !b.p.json {
		return nil
	}
	return b.p.printJSON(r.Result(number))
}

// acceptPrices shows the price of all hosted rows, and asks the user to accept it where say would ask for a text of that price.
func (b *batchRun) acceptPrices(ctx context.Context) error {
	var total int64
	hosted, known := false, true
	for _, r := range b.rows {
		if r.Hosted && r.Problem == "" {
			hosted, known = true, known && r.Price != nil
			total += orZero(r.Price)
		}
	}
	if !hosted {
		return nil
	}
	var all map[string]any
	if err := b.c.Call(ctx, http.MethodGet, "/settings", nil, &all); err != nil {
		return err
	}
	limit, _ := all[settings.HostedAsk].(float64)
	quote := backend.HostedQuote{Left: b.left, Ask: limit > 0 && (!known || float64(total) >= limit)}
	if known {
		quote.Credits = &total
	}
	if b.changed(priceFlag) && (!known || b.f.accept >= total) {
		quote.Ask = false
	}
	return b.p.confirmPrice(ctx, quote)
}

var errListChanged = backend.E(backend.CodeInterrupted, "The list was changed while it was read.", "Run the same command again.")
