package cli

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/book"
	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/extract"
)

func (p bookCommands) bookNew() *cobra.Command {
	var f book.Flags
	cmd := &cobra.Command{
		Use: "new FILE...", Short: "Make books of manuscripts, without audio yet",
		Long: "Make a book of each file: " + extract.EndingList() + ". Of a folder all such files are\n" +
			"taken, also in folders in it. It prints the chapters, and what is left out with the flag that has it read aloud.\n" +
			"One that fails does not stop the others.",
		Args: usage.SomeArgs("a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.Check(cmd.Flags().Changed); err != nil {
				return err
			}
			files, err := book.Files(args)
			if err != nil {
				return err
			}
			for _, flag := range []string{"title", "cover"} {
				if len(files) > 1 && cmd.Flags().Changed(flag) {
					return usage.Errorf("--%s is for one file, and these are %d", flag, len(files))
				}
			}
			cover, err := f.Cover()
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			return p.with(ctx, func(c *client.Client) error {
				profile, voice, err := findVoice(ctx, c, f.Profile, f.Voice)
				if err != nil {
					return err
				}
				return p.newBooks(ctx, c, files, f.Fields(profile.ID, voice, cmd.Flags().Changed), cover)
			})
		},
	}
	f.Add(cmd)
	return cmd
}

// newBooks makes a book of each file. One that fails does not stop the others, except where they would fail too.
func (p bookCommands) newBooks(ctx context.Context, c *client.Client, files []string, fields map[string]string, cover book.Cover) error {
	var failed []string
	for _, file := range files {
		b, err := p.newBook(ctx, c, file, fields, cover)
		switch {
		case err == nil && (p.json || len(files) == 1):
			err = p.ShowBook(b)
		case err == nil:
			err = p.printf("%s: %s, %s, %d words; left out: %d. ID: %s\n", file, oneLine(b.Title, 80), book.Chapters(len(b.Chapters)), b.Words.Kept,
				b.Words.Body-b.Words.Kept, b.ID)
		case len(files) == 1, ctx.Err() != nil, fatalForBatch(err):
			return err
		default:
			failed = append(failed, file)
			err = p.printFailedFile(ctx, file, err)
		}
		if err != nil {
			return err
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d of %d files failed: %s", len(failed), len(files), strings.Join(failed, ", "))
	}
	return nil
}

// printFailedFile says why a file failed while others go on.
func (p *program) printFailedFile(ctx context.Context, file string, err error) error {
	sentence, remedy, _ := describeError(ctx, err)
	p.notef("%s: %s", file, strings.TrimSpace(sentence+" "+remedy))
	if !p.json {
		return nil
	}
	return p.printJSON(map[string]any{"file": file, "error": errorJSON(err)})
}

// newBook makes a book of a file.
func (p bookCommands) newBook(
	ctx context.Context, c *client.Client, file string, fields map[string]string, cover book.Cover,
) (client.Book, error) {
	var b struct {
		client.Book
		Notes []extract.Note `json:"notes"`
	}
	bar := p.progress("Reading")
	bar.set(0, file)
	err := sendFile(ctx, c, "/books", file, fields, &b)
	bar.end()
	p.printNotes("Note on "+filepath.Base(file), b.Notes)
	if err != nil {
		return b.Book, misusedFile(err)
	}
	return cover.Set(ctx, c, b.Book)
}

// printNotes prints what was changed in a file, or could not be read of it. label begins the lines.
func (p *program) printNotes(label string, notes []extract.Note) {
	for _, n := range notes {
		p.notef("%s: %s", label, n.Detail)
	}
}

// misusedFile returns the error of reading a file as a book: one that is none is a wrong use.
func misusedFile(err error) error {
	if code := backend.CodeOf(err); code == backend.CodeUnsupportedMedia || code == backend.CodeBodyTooLarge {
		return usage.Misuse(err)
	}
	return err
}

func (p bookCommands) bookChange() *cobra.Command {
	var f book.Flags
	var cmd *cobra.Command
	const short = "Change the voice, the pauses, the details, or what is left out"
	cmd = p.BookCommand("change "+book.NameArg, short, usage.ExactArgs(book.NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			changed := cmd.Flags().Changed
			if err := f.CheckFor(b, changed); err != nil {
				return err
			}
			profile, voice, err := findVoice(ctx, c, f.Profile, f.Voice)
			if err != nil && (changed("profile") || changed("voice")) {
				return err
			}
			body := f.Patch(b, profile.ID, voice, changed)
			if len(body) == 0 {
				return usage.Errorf("name what to change with a flag")
			}
			var now client.Book
			if err := c.Call(ctx, http.MethodPatch, book.Path(b.ID, ""), body, &now); err != nil {
				return err
			}
			return p.ShowBook(now)
		})
	cmd.Long += "\nWhat is not named stays. Passages whose words and voice stay keep their audio."
	cmd.Example = `  voicewright book change walden --read notes
  voicewright book change walden --profile Narrator --narrator "Ann Example"`
	f.AddChanges(cmd)
	return cmd
}

func (p bookCommands) bookUpdate() *cobra.Command {
	var encoding string
	const short = "Read a changed file again; only what changed is spoken again"
	cmd := p.BookCommand("update "+book.NameArg+" FILE", short, usage.ExactArgs(book.NameArg, "FILE"),
		func(ctx context.Context, c *client.Client, b client.Book, args []string) error {
			var updated struct {
				client.Book
				Report books.UpdateReport `json:"report"`
				Notes  []extract.Note     `json:"notes"`
			}
			err := sendFile(ctx, c, book.Path(b.ID, "/update"), args[0], map[string]string{"encoding": encoding}, &updated)
			if err != nil {
				return misusedFile(err)
			}
			p.printNotes("Note", updated.Notes)
			r := updated.Report
			return p.print(updated, "Chapters: %d same, %d changed, %d new, %d removed\nWords:    %s\n%s",
				r.Same, r.Changed, r.New, r.Removed, book.WordSums(updated.Words), book.UndoHint(updated.ID))
		})
	cmd.Long += "\nChapters are found again by their content, wherever they are now; what you changed of the text in the book is replaced."
	book.EncodingFlag(cmd, &encoding)
	return cmd
}

func (p bookCommands) bookMake() *cobra.Command {
	var f book.Flags
	var to book.Output
	cmd := &cobra.Command{
		Use: "make FILE", Short: "Make a finished audiobook of a manuscript at once",
		Long: "Make a finished audiobook of a file: new, generate and export in one command. The book stays in the library.\n" +
			"Ctrl-C keeps what is finished, and says how to go on.",
		Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			changed := cmd.Flags().Changed
			if err := f.Check(changed); err != nil {
				return err
			}
			if err := to.Check(); err != nil {
				return err
			}
			cover, err := f.Cover()
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			return p.with(ctx, func(c *client.Client) error {
				profile, voice, err := findVoice(ctx, c, f.Profile, f.Voice)
				if err != nil {
					return err
				}
				if err := checkEncoder(ctx, c, to); err != nil { // before hours of work
					return err
				}
				b, err := p.newBook(ctx, c, args[0], f.Fields(profile.ID, voice, changed), cover)
				if err != nil {
					return err
				}
				body := map[string]any{"again": false}
				addAccepted(cmd, body)
				return p.makeBook(ctx, c, b, body, to)
			})
		},
	}
	f.Add(cmd)
	to.Add(cmd)
	bookPriceFlag(cmd)
	return cmd
}

// makeBook generates a new book and exports it.
func (p bookCommands) makeBook(ctx context.Context, c *client.Client, b client.Book, body map[string]any, to book.Output) error {
	p.notef("%s: %s, %s", oneLine(b.Title, 80), book.Chapters(len(b.Chapters)), book.WordSums(b.Words))
	b, err := p.generateBook(ctx, c, b, "", body)
	if backend.CodeOf(err) == backend.CodeHostedConfirm {
		p.notef("The book is in the library. %s", book.Continue(b.ID))
	}
	if err != nil {
		return err
	}
	return p.exportBook(ctx, c, b, to)
}
