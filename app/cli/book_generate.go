package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/book"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

func (p bookCommands) bookGenerate() *cobra.Command {
	var chapters string
	var again bool
	var cmd *cobra.Command
	cmd = p.BookCommand("generate "+book.NameArg, "Speak what has no audio yet, or has changed", usage.ExactArgs(book.NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			body := map[string]any{"again": again}
			addAccepted(cmd, body)
			b, err := p.generateBook(ctx, c, b, chapters, body)
			if err != nil {
				return err
			}
			done, all := b.Done()
			return p.print(b, "Chapters: %d of %d done\nPassages: %d generated, %d kept\nAudio:    %s", done, all, b.Passages.Generated,
				b.Passages.Reused, printable.Clock(b.Seconds))
		})
	cmd.Long += "\nCtrl-C keeps what is finished; the same command goes on from there."
	flags := cmd.Flags()
	flags.StringVar(&chapters, "chapters", "", "only these chapters, such as 3-5,8")
	flags.BoolVar(&again, "again", false, "speak passages that have audio anew")
	bookPriceFlag(cmd)
	return cmd
}

// errBookDone ends the events of a book that is no longer generated.
var errBookDone = errors.New("the book is no longer generated")

// generateBook generates chapters of a book by a request with a progress bar, and returns the book when all of them have ended. When ctx
// ends it stops them.
func (p bookCommands) generateBook(
	ctx context.Context, c *client.Client, b client.Book, chapters string, body map[string]any,
) (client.Book, error) {
	ids, err := book.ChapterIDs(b, chapters)
	if err != nil {
		return b, err
	}
	if len(ids) > 0 {
		body["chapters"] = ids
	}
	if err := p.prepareBook(ctx, c, b); err != nil {
		return b, err
	}
	if err := p.acceptBookPrice(ctx, c, b.ID, body); err != nil {
		return b, err
	}
	bar := &bookBar{progressBar: p.progress("Generating")}
	watched, stop := context.WithCancel(ctx)
	defer stop()
	id := b.ID
	read := func() error {
		var now client.Book
		if err := c.Call(watched, http.MethodGet, book.Path(id, ""), nil, &now); err != nil {
			return err
		}
		b = now
		return bar.show(now)
	}
	err = c.FollowFrom(watched, "/events", func() error {
		if err := c.Call(ctx, http.MethodPost, book.Path(id, "/generate"), body, nil); err != nil {
			return err
		}
		return read()
	}, func(data []byte) error {
		var e struct{ ID string }
		if json.Unmarshal(data, &e) == nil && (e.ID == id || bar.due()) {
			return read()
		}
		return nil
	})
	bar.end()
	switch {
	case endsProgram(ctx, c): // it goes on when the library is next opened
		return b, errors.Join(ctx.Err(), book.StoppedAt(b))
	case ctx.Err() != nil:
		return b, stopBook(ctx, c, id)
	case err == nil:
		return b, backend.E(backend.CodeInterrupted, "The server stopped before the book was done.", book.Continue(id))
	case !errors.Is(err, errBookDone):
		return b, err
	}
	return b, book.Failure(b, ids)
}

// bookPriceFlag adds the flag for the price of a book to a command.
func bookPriceFlag(cmd *cobra.Command) {
	cmd.Flags().Int64(priceFlag, 0, "accept a price of hosted voices up to this many credits for the whole run, without being asked")
}

// acceptBookPrice shows the price of what a request would have spoken with hosted voices, and adds the price that the user accepts to it.
// Errors: those of confirmPrice.
func (p bookCommands) acceptBookPrice(ctx context.Context, c *client.Client, id string, body map[string]any) error {
	var quote backend.HostedQuote
	if err := c.Call(ctx, http.MethodPost, book.Path(id, "/quote"), body, &quote); err != nil || quote.Calls == 0 {
		return err
	}
	if err := p.confirmPrice(ctx, quote); err != nil || !quote.Ask {
		return err
	}
	body["accept_credits"] = orZero(quote.Credits)
	return nil
}

// prepareBook downloads the model of the voice of a book.
func (p bookCommands) prepareBook(ctx context.Context, c *client.Client, b client.Book) error {
	profile, ok, err := byID[backend.Profile](ctx, c, "/profiles/", b.Options.ProfileID, backend.CodeProfileNotFound)
	if err != nil || !ok { // the answer to the request says what is missing
		return err
	}
	return p.downloadFor(ctx, c, profile, sayFlags{voice: b.Options.Voice, language: b.Options.Language})
}

// bookBar shows how far a book is.
type bookBar struct {
	*progressBar
	book.Progress
	read time.Time
}

// bookRefresh is how often a book is read while it is spoken.
const bookRefresh = time.Second

// due reports whether the book is to be read again.
func (b *bookBar) due() bool { return time.Since(b.read) >= bookRefresh }

// show shows how far a book is. It returns errBookDone when it is no longer generated.
func (b *bookBar) show(now client.Book) error {
	b.read = time.Now()
	at, generating := b.Update(now, b.read)
	if !generating {
		return errBookDone
	}
	step := fmt.Sprintf("chapter %d of %d", at.Chapter, len(now.Chapters))
	note := step + " (" + oneLine(now.Chapters[at.Chapter-1].Title, 32) + ")"
	if at.Left > 0 {
		note += ", " + leftInWords(at.Left)
	}
	b.note.Store(&note)
	b.set(at.Fraction, step)
	return nil
}

// stopBook stops generating a book. It returns the error of ctx, with a book.Stopped.
func stopBook(ctx context.Context, c *client.Client, id string) error {
	request, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
	defer cancel()
	var b client.Book
	if err := c.Call(request, http.MethodPost, book.Path(id, "/stop"), nil, &b); err != nil {
		return errors.Join(ctx.Err(), err)
	}
	return errors.Join(ctx.Err(), book.StoppedAt(b))
}
