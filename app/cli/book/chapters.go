package book

import (
	"context"
	"net/http"
	"slices"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// Edits returns the commands that change the chapters of a book.
func Edits(p Program) []*cobra.Command {
	return []*cobra.Command{chapter(p), split(p), merge(p), move(p), undo(p)}
}

// chapterFlags are the flags that change chapters.
type chapterFlags struct {
	Spoken
	title                   string
	exclude, include, reset bool
}

func chapter(p Program) *cobra.Command {
	var f chapterFlags
	var cmd *cobra.Command
	cmd = p.BookCommand("chapter "+NameArg+" CHAPTER", "Show the text of a chapter, or change its title and how it is spoken",
		usage.ExactArgs(NameArg, "CHAPTER"), func(ctx context.Context, c *client.Client, b client.Book, args []string) error {
			numbers, err := chapterNumbers(b, "CHAPTER", args[0])
			if err != nil {
				return err
			}
			changed := cmd.Flags().Changed
			if !f.given(changed) {
				return showText(ctx, p, c, b, numbers)
			}
			if err := f.check(numbers, changed); err != nil {
				return err
			}
			return f.change(ctx, p, c, b, numbers, changed)
		})
	cmd.Long += "\nCHAPTER is the number of a chapter; with flags that change it also several, such as 3-5,8. Without them the text is\n" +
		"shown, with the numbers of its blocks for split. What is not named stays; what a chapter has no own choice of is as in the book."
	cmd.Example = `  voicewright book chapter walden 3 --title "Reading" --speed 1.1
  voicewright book chapter walden 1-2,20 --exclude`
	f.add(cmd)
	f.addPauses(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.title, "title", "", "title, and the heading that the chapter begins with")
	flags.BoolVar(&f.exclude, "exclude", false, "skip the chapter: it is not part of the audiobook")
	flags.BoolVar(&f.include, "include", false, "make a chapter that is skipped part of the audiobook again")
	flags.BoolVar(&f.reset, "reset", false, "remove the voice, speed, language, pauses and classes of words that the chapter has of its own")
	return cmd
}

// check reports a wrong use.
func (f *chapterFlags) check(numbers []int, changed func(flag string) bool) error {
	switch {
	case f.exclude && f.include:
		return usage.Errorf("use --exclude or --include, not both")
	case changed("title") && len(numbers) > 1:
		return usage.Errorf("--title is for one chapter, and these are %d", len(numbers))
	}
	return f.Check()
}

// given reports whether there is something to change.
func (f *chapterFlags) given(changed func(flag string) bool) bool {
	return f.apply(&backend.BookOptions{}, nil, "", "", changed) || f.exclude || f.include || f.reset || changed("title")
}

// change changes chapters and prints them.
func (f *chapterFlags) change(
	ctx context.Context, p Program, c *client.Client, b client.Book, numbers []int, changed func(flag string) bool,
) (err error) {
	profileID, voice := "", ""
	if changed("profile") || changed("voice") {
		if profileID, voice, err = p.FindVoice(ctx, c, f.Profile, f.Voice); err != nil {
			return err
		}
	}
	for _, n := range numbers {
		body := map[string]any{}
		o := b.Chapters[n-1].Options
		if f.reset {
			o = backend.BookOptions{}
		}
		read := o.Over(b.Options).Read
		if f.apply(&o, read, profileID, voice, changed) || f.reset {
			body["options"] = o
		}
		if changed("title") {
			body["title"] = f.title
		}
		if f.exclude || f.include {
			body["skipped"] = f.exclude
		}
		path := chapterPath(b, n, "")
		b = client.Book{}
		if err := c.Call(ctx, http.MethodPatch, path, body, &b); err != nil {
			return err
		}
	}
	return showChapters(p, b, numbers)
}

func merge(p Program) *cobra.Command {
	cmd := p.BookCommand("merge "+NameArg+" CHAPTER", "Join a chapter with the next one, or several: 3-5", usage.ExactArgs(NameArg, "CHAPTER"),
		func(ctx context.Context, c *client.Client, b client.Book, args []string) error {
			numbers, err := chapterNumbers(b, "CHAPTER", args[0])
			if err != nil {
				return err
			}
			first, last := numbers[0], numbers[len(numbers)-1]
			switch {
			case last-first+1 != len(numbers):
				return usage.Errorf("only chapters that follow each other can be merged, such as 3-5")
			case first == len(b.Chapters):
				return usage.Errorf("chapter %d is the last one, and has no next one to be merged with", first)
			case first == last:
				last++
			}
			for range last - first {
				if b, err = post(ctx, c, chapterPath(b, first, "/merge"), nil); err != nil {
					return err
				}
			}
			return showChapters(p, b, []int{first})
		})
	cmd.Long += "\nThe chapter has the title of the first one; audio that there is stays."
	return cmd
}

func move(p Program) *cobra.Command {
	cmd := p.BookCommand("move "+NameArg+" CHAPTER PLACE", "Move a chapter to another place", usage.ExactArgs(NameArg, "CHAPTER", "PLACE"),
		func(ctx context.Context, c *client.Client, b client.Book, args []string) error {
			from, err := chapterNumber(b, "CHAPTER", args[0])
			if err != nil {
				return err
			}
			to, err := chapterNumber(b, "PLACE", args[1])
			if err != nil {
				return err
			}
			if b, err = post(ctx, c, chapterPath(b, from, "/move"), map[string]any{"to": to - 1}); err != nil {
				return err
			}
			return showChapters(p, b, []int{min(from, to), max(from, to)})
		})
	cmd.Long += "\nThe chapter has the number PLACE afterwards. Its audio stays."
	return cmd
}

func undo(p Program) *cobra.Command {
	cmd := p.BookCommand("undo "+NameArg, "Undo the last change of chapters, text or options", usage.ExactArgs(NameArg),
		func(ctx context.Context, c *client.Client, b client.Book, _ []string) error {
			b, err := post(ctx, c, Path(b.ID, "/undo"), nil)
			if err != nil {
				return err
			}
			return p.ShowBook(b)
		})
	cmd.Long += "\nAgain for the change before it, the last 20. Title, author and other details of the book, and its cover, stay."
	return cmd
}

// showChapters prints chapters of a changed book with how the change is undone, and the whole book with --json.
func showChapters(p Program, b client.Book, numbers []int) error {
	all := ChapterRows(b)
	rows := make([][]string, 0, len(numbers))
	for _, n := range slices.Compact(numbers) {
		rows = append(rows, all[n-1])
	}
	return p.ShowResult(b, ChapterHeader, rows, UndoHint(b.ID))
}

// chapterNumber returns the chapter that an argument of this name is, from 1.
func chapterNumber(b client.Book, name, arg string) (int, error) {
	numbers, err := chapterNumbers(b, name, arg)
	if err == nil && len(numbers) != 1 {
		return 0, usage.Errorf("%s is one chapter, and %q are %d", name, arg, len(numbers))
	}
	if err != nil {
		return 0, err
	}
	return numbers[0], nil
}

// chapterNumbers returns the chapters that an argument of this name lists, from 1, in order.
func chapterNumbers(b client.Book, name, arg string) ([]int, error) {
	ranges, err := chapterRanges(name, arg)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, r := range ranges {
		if r.to > len(b.Chapters) {
			return nil, usage.Errorf("%s is %q, and the book has %d chapters", name, arg, len(b.Chapters))
		}
		for n := r.from; n <= r.to; n++ {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		return nil, usage.Errorf("%s must be the number of a chapter", name)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// post makes a request that changes a book, and returns the book.
func post(ctx context.Context, c *client.Client, path string, body any) (b client.Book, err error) {
	err = c.Call(ctx, http.MethodPost, path, body, &b)
	return b, err
}
