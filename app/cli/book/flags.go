// Package book has the flags of the commands for audiobooks and those that change chapters and cover, and places an exported book in the
// file or the folder that the user names.
package book

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend/extract"
)

// Flags are the flags of commands that make a book of a file, or change one.
type Flags struct {
	Spoken
	Title string

	author, chapters, encoding, cover string
	depth                             int
	details                           map[string]*string // those that only a book that is there already can have
}

// Add adds the flags of a command that makes a book.
func (f *Flags) Add(cmd *cobra.Command) {
	f.addBoth(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.chapters, "chapters", "", "only these chapters, such as 3-5,8; the others are skipped")
	flags.StringVar(&f.cover, "cover", "", "JPEG or PNG picture of the cover (default: that of the file)")
	EncodingFlag(cmd, &f.encoding)
}

// AddChanges adds the flags of a command that changes a book.
func (f *Flags) AddChanges(cmd *cobra.Command) {
	f.addBoth(cmd)
	f.addPauses(cmd)
	f.details = map[string]*string{}
	for _, d := range [][2]string{
		{"narrator", "narrator, as files name it"},
		{"description", "what the book is about"},
		{"publisher", "publisher"},
		{"year", "year of the book"},
		{"genre", "genre, as files name it"},
		{"isbn", "ISBN"},
		{"series", "series"},
		{"series-part", "number in the series"},
	} {
		f.details[d[0]] = cmd.Flags().String(d[0], "", d[1])
	}
}

// EncodingFlag adds the flag for the encoding of a file.
func EncodingFlag(cmd *cobra.Command, encoding *string) {
	cmd.Flags().StringVar(encoding, "encoding", "",
		"character encoding of a file of text, such as windows-1251 (default: the one that is found)")
}

// addBoth adds the flags that both have.
func (f *Flags) addBoth(cmd *cobra.Command) {
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.Title, "title", "", "title (default: that of the file)")
	flags.StringVar(&f.author, "author", "", "author (default: that of the file)")
	flags.IntVar(&f.depth, "depth", 0, "levels of the table of contents that begin chapters (default: the best ones for listening)")
}

// Check reports a wrong use: values that are none.
func (f *Flags) Check(changed func(flag string) bool) error {
	if _, err := chapterRanges("--chapters", f.chapters); err != nil {
		return err
	}
	if changed("depth") && f.depth < 1 {
		return usage.Errorf("--depth must be at least 1")
	}
	return f.Spoken.Check()
}

// CheckFor is Check for a book that is there already.
func (f *Flags) CheckFor(b client.Book, changed func(flag string) bool) error {
	if n := len(b.Depths); changed("depth") && f.depth > n && n > 0 {
		return usage.Errorf("--depth is %d, and the table of contents of the book has %d levels", f.depth, n)
	}
	return f.Check(changed)
}

// Cover reads the picture of --cover.
func (f *Flags) Cover() (Cover, error) { return ReadCover(f.cover) }

// Fields returns the fields of the form that makes a book with a voice. changed reports whether a flag was given.
func (f *Flags) Fields(profileID, voice string, changed func(flag string) bool) map[string]string {
	var read []string
	for _, class := range f.classes(nil) {
		read = append(read, string(class))
	}
	fields := map[string]string{
		"profile_id": profileID, "voice": voice, "language": f.language, "title": f.Title, "author": f.author, "chapters": f.chapters,
		"encoding": f.encoding, "read": strings.Join(read, ","),
	}
	if changed("speed") {
		fields["speed"] = strconv.FormatFloat(f.speed, 'g', -1, 64)
	}
	if changed("depth") {
		fields["depth"] = strconv.Itoa(f.depth)
	}
	return fields
}

// Patch returns the request that changes a book by the flags that were given; profileID and voice count where one of their flags was.
func (f *Flags) Patch(b client.Book, profileID, voice string, changed func(flag string) bool) map[string]any {
	body := map[string]any{}
	for flag, value := range map[string]any{"title": f.Title, "author": f.author, "language": f.language, "depth": f.depth} {
		if changed(flag) {
			body[flag] = value
		}
	}
	for flag, value := range f.details {
		if changed(flag) {
			body[strings.ReplaceAll(flag, "-", "_")] = *value
		}
	}
	if o := b.Options; f.apply(&o, o.Read, profileID, voice, changed) {
		body["options"] = &o
	}
	return body
}

// Files returns the files of the arguments in their order, those of a folder sorted; hidden ones of folders are left out.
func Files(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() { // a file that is missing is an error of its own
			files = append(files, arg)
			continue
		}
		found, err := usage.FilesBelow(arg, func(extension string) bool { return slices.Contains(extract.Endings(), "."+extension) })
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, usage.Errorf("there are no %s files in %s", extract.EndingList(), strings.Join(args, ", "))
	}
	return files, nil
}

// chapterRange is a range of chapters, counted from 1.
type chapterRange struct{ from, to int }

// chapterRanges reads a list of chapters, such as 3-5,8, of a flag or an argument of this name. Empty means all.
func chapterRanges(name, list string) ([]chapterRange, error) {
	var all []chapterRange
	if list == "" {
		return nil, nil
	}
	for _, part := range strings.Split(list, ",") {
		first, last, several := strings.Cut(strings.TrimSpace(part), "-")
		if !several {
			last = first
		}
		from, err := strconv.Atoi(strings.TrimSpace(first))
		to, err2 := strconv.Atoi(strings.TrimSpace(last))
		if err != nil || err2 != nil || from < 1 || to < from {
			return nil, usage.Errorf("%s is %q, which is not a list of chapters such as 3-5,8", name, list)
		}
		all = append(all, chapterRange{from, to})
	}
	return all, nil
}

// ChapterIDs returns the ids of the chapters in the list of --chapters that are not skipped, none for all. Wrong use: there are none.
func ChapterIDs(b client.Book, list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	numbers, err := chapterNumbers(b, "--chapters", list)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, n := range numbers {
		if !b.Chapters[n-1].Skipped {
			ids = append(ids, b.Chapters[n-1].ID)
		}
	}
	if len(ids) == 0 {
		return nil, usage.Errorf("--chapters %s is skipped; to make it part of the book: voicewright book chapter %s %s --include",
			list, b.ID, list)
	}
	return ids, nil
}
