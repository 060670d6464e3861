package book

import (
	"context"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
)

// Run is what a command does with a book and the arguments behind its name.
type Run func(ctx context.Context, c *client.Client, b client.Book, args []string) error

// Program is what the commands of this package need of the command line.
type Program interface {
	// BookCommand returns a command for the book that its first argument names.
	BookCommand(use, short string, args cobra.PositionalArgs, run Run) *cobra.Command
	// FindVoice returns the id of a voice profile and a voice, as the API takes them, by the values of the flags for them.
	FindVoice(ctx context.Context, c *client.Client, profile, voice string) (profileID, voiceID string, err error)
	// ShowBook prints a book: as JSON with --json.
	ShowBook(b client.Book) error
	// ShowResult prints v with --json, else a table, where there is one, and text below it.
	ShowResult(v any, header string, rows [][]string, text string) error
}

// NameArg is how help names the argument of a command for a book.
const NameArg = "NAME-or-ID"

// Path returns the path of a book in the API with what follows.
func Path(id, end string) string { return "/books/" + url.PathEscape(id) + end }

// chapterPath returns the path of a chapter, by its number from 1, with what follows.
func chapterPath(b client.Book, number int, end string) string {
	return Path(b.ID, "/chapters/"+url.PathEscape(b.Chapters[number-1].ID)+end)
}

// ChapterHeader is the header of a table of chapters.
const ChapterHeader = "CHAPTER TITLE WORDS LEFT-OUT STATE LENGTH"
