// Package book has the flags of the commands for audiobooks, and places an exported book in the file or the folder that the user names.
package book

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// Flags are the flags of commands that make a book of a file.
type Flags struct {
	Profile, Voice string
	Title          string

	language, author, chapters, encoding string
	speed                                float64
	depth                                int
	read, skip                           []string
}

// allClasses is the name of all classes of words in --read.
const allClasses = "all"

// Add adds the flags to a command.
func (f *Flags) Add(cmd *cobra.Command) {
	f.AddOptions(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.chapters, "chapters", "", "only these chapters, such as 3-5,8; the others are skipped")
	EncodingFlag(cmd, &f.encoding)
}

// EncodingFlag adds the flag for the encoding of a file.
func EncodingFlag(cmd *cobra.Command, encoding *string) {
	cmd.Flags().StringVar(encoding, "encoding", "",
		"character encoding of a file of text, such as windows-1251 (default: the one that is found)")
}

// AddOptions adds the flags that can be changed later, too.
func (f *Flags) AddOptions(cmd *cobra.Command) {
	classes := make([]string, 0, len(backend.TextClasses()))
	for _, class := range backend.TextClasses() {
		classes = append(classes, string(class))
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Profile, "profile", "", "voice profile, by name or ID (default: Built-in voice)")
	flags.StringVar(&f.Voice, "voice", "", "voice as MODEL:VOICE, such as espeak:en-us; hosted:VOICE for a hosted voice, by name or ID")
	flags.Float64Var(&f.speed, "speed", 1, "speaking rate, 0.25 to 4")
	flags.StringVar(&f.language, "language", "", "language tag, such as de or en-GB (default: that of the file)")
	flags.StringVar(&f.Title, "title", "", "title (default: that of the file)")
	flags.StringVar(&f.author, "author", "", "author (default: that of the file)")
	flags.StringSliceVar(&f.read, "read", nil, "read these aloud, which are left out otherwise: "+allClasses+", "+strings.Join(classes, ", "))
	flags.StringSliceVar(&f.skip, "skip", nil, "leave these out, of the names of --read; for what --read "+allClasses+" includes")
	flags.IntVar(&f.depth, "depth", 0, "levels of the table of contents that begin chapters (default: the best ones for listening)")
}

// Check reports a wrong use: values that are none.
func (f Flags) Check(changed func(flag string) bool) error {
	if _, err := chapterRanges(f.chapters); err != nil {
		return err
	}
	switch {
	case changed("depth") && f.depth < 1:
		return usage.Errorf("--depth must be at least 1")
	case f.speed < 0.25 || f.speed > 4:
		return usage.Errorf("--speed must be between 0.25 and 4")
	}
	known := backend.TextClasses()
	for _, name := range slices.Concat(f.read, f.skip) {
		if name != allClasses && !slices.Contains(known, backend.TextClass(name)) {
			return usage.Errorf("%q is not a name of words that can be left out; --help lists them at --read", name)
		}
		if slices.Contains(f.read, name) && slices.Contains(f.skip, name) {
			return usage.Errorf("%q is in --read and in --skip", name)
		}
	}
	return nil
}

// classes returns the classes of words that are read aloud, where those of before were: those that --read adds, without those of --skip.
func (f Flags) classes(before []backend.TextClass) []backend.TextClass {
	read := []backend.TextClass{}
	for _, class := range backend.TextClasses() {
		name := string(class)
		wanted := slices.Contains(f.read, allClasses) || slices.Contains(before, class) && !slices.Contains(f.skip, allClasses)
		if slices.Contains(f.read, name) || wanted && !slices.Contains(f.skip, name) {
			read = append(read, class)
		}
	}
	return read
}

// Fields returns the fields of the form that makes a book with a voice. changed reports whether a flag was given.
func (f Flags) Fields(profileID, voice string, changed func(flag string) bool) map[string]string {
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
func (f Flags) Patch(b client.Book, profileID, voice string, changed func(flag string) bool) map[string]any {
	body := map[string]any{}
	for flag, value := range map[string]any{"title": f.Title, "author": f.author, "language": f.language, "depth": f.depth} {
		if changed(flag) {
			body[flag] = value
		}
	}
	o := b.Options
	o.ProfileName = ""
	if changed("profile") || changed("voice") {
		o.ProfileID, o.Voice = profileID, voice
		body["options"] = &o
	}
	if changed("speed") {
		o.Speed = &f.speed
		body["options"] = &o
	}
	if changed("language") {
		o.Language = f.language
		body["options"] = &o
	}
	if changed("read") || changed("skip") {
		o.Read = f.classes(o.Read)
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

// chapterRanges reads a list of chapters, such as 3-5,8. Empty means all.
func chapterRanges(list string) ([]chapterRange, error) {
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
			return nil, usage.Errorf("--chapters %q is not a list of chapters such as 3-5,8", list)
		}
		all = append(all, chapterRange{from, to})
	}
	return all, nil
}

// ChapterIDs returns the ids of the chapters in a list, none for all.
func ChapterIDs(b client.Book, list string) ([]string, error) {
	ranges, err := chapterRanges(list)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, r := range ranges {
		if r.to > len(b.Chapters) {
			return nil, usage.Errorf("--chapters %q: the book has %d chapters", list, len(b.Chapters))
		}
		for _, ch := range b.Chapters[r.from-1 : r.to] {
			ids = append(ids, ch.ID)
		}
	}
	return ids, nil
}
