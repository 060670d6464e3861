package book

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/folding"
)

// chapterText is a chapter with its text, as the API returns it.
type chapterText struct {
	books.Chapter
	Blocks []backend.Block `json:"blocks"`
}

// readText returns a chapter with its text, by its number from 1.
func readText(ctx context.Context, c *client.Client, b client.Book, number int) (t chapterText, err error) {
	err = c.Call(ctx, http.MethodGet, chapterPath(b, number, ""), nil, &t)
	return t, err
}

// showText prints the text of a chapter with the numbers of its blocks, and how it is spoken where that is not as the book.
func showText(ctx context.Context, p Program, c *client.Client, b client.Book, numbers []int) error {
	if len(numbers) > 1 {
		return usage.Errorf("these are %d chapters; name one to see its text, or what to change with a flag", len(numbers))
	}
	t, err := readText(ctx, c, b, numbers[0])
	if err != nil {
		return err
	}
	rows := make([][]string, len(t.Blocks))
	options := t.Options.Over(b.Options)
	for i, block := range t.Blocks {
		left := "-"
		if _, classes := backend.CountWords([]backend.Block{block}); len(classes) > 0 {
			left = leftOut(classes, options)
		}
		rows[i] = []string{strconv.Itoa(i + 1), string(block.Kind), left, oneLine(plainText(block))}
	}
	line := fmt.Sprintf("Chapter %d: %s, %d words, %s", numbers[0], oneLine(t.Title), t.Words, chapterState(t.Chapter))
	for _, row := range optionRows(t.Options) {
		line += fmt.Sprintf("\n%s: %s", row[0], row[1])
	}
	return p.ShowResult(t, "BLOCK KIND LEFT-OUT TEXT", rows, line)
}

// leftOut returns the names of the classes of words that are left out.
func leftOut(classes []backend.WordCount, o backend.BookOptions) string {
	var names []string
	for _, class := range classes {
		if !o.Reads(class.Class) {
			names = append(names, string(class.Class))
		}
	}
	if len(names) == 0 {
		return "-"
	}
	return strings.Join(names, ",")
}

// plainText returns the text of a block as it is in the file.
func plainText(b backend.Block) string {
	var text strings.Builder
	for _, span := range b.Spans {
		text.WriteString(span.Text)
		if span.Text == "" {
			text.WriteString(span.Say)
		}
	}
	return text.String()
}

func split(p Program) *cobra.Command {
	var at, title string
	var block int
	var cmd *cobra.Command
	cmd = p.BookCommand("split "+NameArg+" CHAPTER", "Make a chapter of the end of another one", usage.ExactArgs(NameArg, "CHAPTER"),
		func(ctx context.Context, c *client.Client, b client.Book, args []string) error {
			if changed := cmd.Flags().Changed; changed("at") == changed("block") {
				return usage.Errorf("say where the new chapter begins: --at with the first words of a paragraph, or --block with its number")
			}
			number, err := chapterNumber(b, "CHAPTER", args[0])
			if err != nil {
				return err
			}
			t, err := readText(ctx, c, b, number)
			if err != nil {
				return err
			}
			if at != "" {
				if block, err = findBlock(t, at, b.ID, number); err != nil {
					return err
				}
			}
			if block < 2 || block > len(t.Blocks) {
				return usage.Errorf("the new chapter must begin with one of the blocks 2 to %d; voicewright book chapter %s %d shows them",
					len(t.Blocks), b.ID, number)
			}
			b, err = post(ctx, c, chapterPath(b, number, "/split"), map[string]any{"block": block - 1, "title": title})
			if err != nil {
				return err
			}
			return showChapters(p, b, []int{number, number + 1})
		})
	cmd.Long += "\nThe new chapter begins with a paragraph or a heading. Sound that there is stays where its words stay."
	cmd.Example = `  voicewright book split walden 3 --at "The next morning" --title "The Pond in Winter"`
	flags := cmd.Flags()
	flags.StringVar(&at, "at", "", "first words of the paragraph with which the new chapter begins")
	flags.IntVar(&block, "block", 0, "number of that paragraph, as voicewright book chapter shows it")
	flags.StringVar(&title, "title", "", "title of the new chapter (default: its heading, else that of the chapter)")
	return cmd
}

// findBlock returns the number, from 1, of the block that begins with words, in any case.
func findBlock(t chapterText, words, id string, chapter int) (int, error) {
	show := fmt.Sprintf("voicewright book chapter %s %d shows them", id, chapter)
	wanted := comparable(words)
	var found []string
	number := 0
	for i, block := range t.Blocks {
		if wanted != "" && strings.HasPrefix(comparable(plainText(block)), wanted) {
			number = i + 1
			found = append(found, strconv.Itoa(number))
		}
	}
	switch len(found) {
	case 0:
		return 0, usage.Errorf("no paragraph of the chapter begins with %q; %s", words, show)
	case 1:
		return number, nil
	default:
		return 0, usage.Errorf("%d paragraphs of the chapter begin with %q; name one with --block: %s", len(found), words,
			strings.Join(found, ", "))
	}
}

// comparable returns the words of a text as they are compared.
func comparable(s string) string { return strings.Join(backend.Words(folding.Key(s)), " ") }
