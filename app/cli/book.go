package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/book"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/printable"
)

func (p bookCommands) all() *cobra.Command {
	cmd := group("book", "Make audiobooks of manuscripts",
		p.bookNew(), p.bookList(), p.bookShow(), p.bookChange(), p.bookGenerate(), p.bookCheck(), p.bookUpdate(), p.bookExport(),
		p.bookRemove(), p.bookMake(), book.CoverCommand(p),
	)
	cmd.AddCommand(book.Edits(p)...)
	return cmd
}

var _ book.Program = bookCommands{}

// BookCommand implements book.Program.
func (p bookCommands) BookCommand(use, short string, args cobra.PositionalArgs, run book.Run) *cobra.Command {
	cmd := p.command(use, short, args, func(ctx context.Context, c *client.Client, args []string) error {
		b, err := findBook(ctx, c, args[0])
		if err != nil {
			return err
		}
		return run(ctx, c, b, args[1:])
	})
	cmd.Long = short + ". NAME is the title of the book, its beginning or words in it, or its ID."
	return cmd
}

// findBook returns the book with this id, else the one that its title names best, see book.Named. A name of several books is a wrong use.
func findBook(ctx context.Context, c *client.Client, key string) (client.Book, error) {
	if b, ok, err := byID[client.Book](ctx, c, "/books/", key, backend.CodeNotFound); ok || err != nil {
		return b, err
	}
	var all []client.BookRow
	err := eachItem(ctx, c, "/books", url.Values{}, func(b client.BookRow) bool {
		all = append(all, b)
		return true
	})
	same := book.Named(all, key)
	switch {
	case err != nil:
		return client.Book{}, err
	case len(same) == 0:
		return client.Book{}, backend.E(backend.CodeNotFound, fmt.Sprintf("There is no book %q.", key),
			"List the books with voicewright book list.")
	case len(same) > 1:
		names := make([]string, len(same))
		for i, b := range same {
			names[i] = fmt.Sprintf("%s (%s)", b.ID, oneLine(b.Title, 40))
		}
		return client.Book{}, usage.Errorf("%q names %d books; use the ID of one: %s", key, len(same), strings.Join(names, ", "))
	}
	var b client.Book
	err = c.Call(ctx, http.MethodGet, book.Path(same[0].ID, ""), nil, &b)
	return b, err
}

func (p bookCommands) bookList() *cobra.Command {
	const short, header = "List the books, last changed first", "TITLE AUTHOR CHAPTERS WORDS STATE LENGTH ID"
	return p.command("list", short, usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		return printAll(ctx, p.program, c, "/books", url.Values{}, header, func(b client.BookRow) []string {
			return []string{
				oneLine(b.Title, 48), oneLine(b.Author, 24), strconv.Itoa(b.Chapters.Total), strconv.Itoa(b.Words.Kept),
				book.State(b.Summary, b.Chapters.Done, b.Chapters.Total), printable.Clock(b.Seconds), b.ID,
			}
		})
	})
}

func (p bookCommands) bookShow() *cobra.Command {
	return p.BookCommand("show "+book.NameArg, "Show the chapters of a book, and what is left out", usage.ExactArgs(book.NameArg),
		func(_ context.Context, _ *client.Client, b client.Book, _ []string) error { return p.ShowBook(b) })
}

// ShowBook implements book.Program: it prints a book with its chapters and what is left out of it.
func (p bookCommands) ShowBook(b client.Book) error {
	if p.json {
		return p.printJSON(b)
	}
	for _, row := range book.BookRows(b) {
		if err := p.printf("%-10s %s\n", row[0]+":", row[1]); err != nil {
			return err
		}
	}
	if err := p.printf("\n"); err != nil {
		return err
	}
	if err := p.table(book.ChapterHeader, book.ChapterRows(b)); err != nil {
		return err
	}
	return p.printLeftOut(b.Words)
}

// ShowResult implements book.Program and speakers.Program.
func (p *program) ShowResult(v any, header string, rows [][]string, text string) error {
	if p.json {
		return p.printJSON(v)
	}
	if header != "" {
		if err := p.table(header, rows); err != nil {
			return err
		}
	}
	if text == "" {
		return nil
	}
	return p.printf("%s\n", text)
}

// FindVoice implements book.Program.
func (p bookCommands) FindVoice(ctx context.Context, c *client.Client, profile, voice string) (profileID, voiceID string, err error) {
	found, voiceID, err := findVoice(ctx, c, profile, voice)
	return found.ID, voiceID, err
}

// printLeftOut prints what is left out of a book, and what is read aloud that is left out otherwise.
func (p bookCommands) printLeftOut(w books.Words) error {
	for _, part := range []struct {
		header, flag string
		classes      []books.LeftOut
	}{
		{"LEFT-OUT WORDS SWITCH SAMPLE", "--read ", w.LeftOut}, {"READ-ALOUD WORDS SWITCH SAMPLE", "--skip ", w.Read},
	} {
		if len(part.classes) == 0 {
			continue
		}
		if err := p.printf("\n"); err != nil {
			return err
		}
		if err := p.table(part.header, book.LeftOutRows(part.classes, part.flag)); err != nil {
			return err
		}
	}
	return nil
}

func (p bookCommands) bookCheck() *cobra.Command {
	const short = "List words that may be read wrongly: capitals, Roman numerals, rare names"
	return p.BookCommand("check "+book.NameArg, short, usage.ExactArgs(book.NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			return printAll(ctx, p.program, c, book.Path(b.ID, "/check"), url.Values{}, "WORD KIND COUNT SAMPLE", func(w client.BookWord) []string {
				return []string{w.Word, w.Kind, strconv.Itoa(w.Count), oneLine(w.Sample, 80)}
			})
		})
}

func (p bookCommands) bookRemove() *cobra.Command {
	var yes bool
	cmd := p.BookCommand("rm "+book.NameArg, "Delete a book and its audio", usage.ExactArgs(book.NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			if !yes && isTerminal(p.io.In) && isTerminal(p.io.Err) {
				agreed, err := p.confirm(ctx, fmt.Sprintf("Delete %s and its audio (%s)?", oneLine(b.Title, 60), printable.Clock(b.Seconds)))
				if err != nil {
					return err
				}
				if !agreed {
					return usage.Errorf("nothing was deleted")
				}
			}
			if err := c.Call(ctx, http.MethodDelete, book.Path(b.ID, ""), nil, nil); err != nil {
				return err
			}
			return p.print(map[string]any{"deleted": b.ID}, "Deleted %s", b.Title)
		})
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "delete it without a question")
	return cmd
}
