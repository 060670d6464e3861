package book

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// Spoken are the flags that say how a book is spoken, or one of its chapters.
type Spoken struct {
	Profile, Voice string

	language   string
	speed      float64
	read, skip []string
	pauses     map[string]*float64
}

// allClasses is the name of all classes of words in --read.
const allClasses = "all"

// add adds the flags to a command.
func (f *Spoken) add(cmd *cobra.Command) {
	classes := make([]string, 0, len(backend.TextClasses()))
	for _, class := range backend.TextClasses() {
		classes = append(classes, string(class))
	}
	flags := cmd.Flags()
	flags.StringVar(&f.Profile, "profile", "", "voice profile, by name or ID (default: Built-in voice)")
	flags.StringVar(&f.Voice, "voice", "", "voice as MODEL:VOICE, such as espeak:en-us; hosted:VOICE for a hosted voice, by name or ID")
	flags.Float64Var(&f.speed, "speed", 1, "speaking rate, 0.25 to 4")
	flags.StringVar(&f.language, "language", "", "language tag, such as de or en-GB (default: that of the file)")
	flags.StringSliceVar(&f.read, "read", nil, "read these aloud, which are left out otherwise: "+allClasses+", "+strings.Join(classes, ", "))
	flags.StringSliceVar(&f.skip, "skip", nil, "leave these out, of the names of --read; for what --read "+allClasses+" includes")
}

// addPauses adds the flags for pauses, which a book that is there already can have.
func (f *Spoken) addPauses(cmd *cobra.Command) {
	f.pauses = map[string]*float64{}
	for _, pause := range pauses(&backend.BookOptions{}) {
		f.pauses[pause.flag] = cmd.Flags().Float64(pause.flag, 0, "seconds "+pause.where+", 0 to 10 (default: as in the settings)")
	}
	cmd.Flags().Lookup("chapter-pause").Usage = "seconds after a chapter in an exported book, 0 to 10 (default: 2)"
}

// pause is a pause of the options of a book, with its flag.
type pause struct {
	flag, where string
	seconds     **float64
}

// pauses returns the pauses of options.
func pauses(o *backend.BookOptions) []pause {
	return []pause{
		{"sentence-pause", "between sentences", &o.Pauses.Sentence},
		{"paragraph-pause", "between paragraphs", &o.Pauses.Paragraph},
		{"heading-pause", "before and after a heading", &o.Pauses.Heading},
		{"scene-pause", "at a break between scenes", &o.Pauses.Scene},
		{"chapter-pause", "after a chapter", &o.ChapterPause},
	}
}

// Check reports a wrong use: values that are none.
func (f *Spoken) Check() error {
	if f.speed < 0.25 || f.speed > 4 {
		return usage.Errorf("--speed must be between 0.25 and 4")
	}
	for _, flag := range slices.Sorted(maps.Keys(f.pauses)) {
		if *f.pauses[flag] < 0 || *f.pauses[flag] > 10 {
			return usage.Errorf("--%s must be between 0 and 10 seconds", flag)
		}
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
func (f *Spoken) classes(before []backend.TextClass) []backend.TextClass {
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

// apply changes options by the flags that were given, and reports whether there were any. read is what is read aloud before; profileID and
// voice count where one of their flags was given.
func (f *Spoken) apply(o *backend.BookOptions, read []backend.TextClass, profileID, voice string, changed func(flag string) bool) bool {
	o.ProfileName = ""
	any := false
	set := func(flags ...string) bool {
		given := slices.ContainsFunc(flags, changed)
		any = any || given
		return given
	}
	if set("profile", "voice") {
		o.ProfileID, o.Voice = profileID, voice
	}
	if set("speed") {
		o.Speed = &f.speed
	}
	if set("language") {
		o.Language = f.language
	}
	if set("read", "skip") {
		o.Read = f.classes(read)
	}
	for _, pause := range pauses(o) {
		if f.pauses != nil && set(pause.flag) {
			*pause.seconds = f.pauses[pause.flag]
		}
	}
	return any
}

// optionRows returns what is chosen of how a book or a chapter is spoken, each with its name.
func optionRows(o backend.BookOptions) [][]string {
	rows := [][]string{{"Voice", cmp.Or(o.Voice, o.ProfileName)}, {"Spoken as", o.Language}}
	if o.Speed != nil {
		rows = append(rows, []string{"Speed", fmt.Sprint(*o.Speed)})
	}
	var set []string
	for _, pause := range pauses(&o) {
		if *pause.seconds != nil {
			set = append(set, fmt.Sprintf("%v s %s", **pause.seconds, pause.where))
		}
	}
	rows = append(rows, []string{"Pauses", strings.Join(set, ", ")})
	return slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
}

// BookRows returns what a book says about itself, and how it is spoken, each with its name.
func BookRows(b client.Book) [][]string {
	done, all := b.Done()
	rows := [][]string{
		{"Title", b.Title},
		{"ID", b.ID},
		{"Author", cmp.Or(b.Author, "unknown")},
		{"Narrator", b.Narrator},
		{"Language", cmp.Or(b.Language, "unknown")},
		{"Series", strings.TrimSpace(b.Series + " " + b.SeriesPart)},
		{"Year", b.Year},
		{"Genre", b.Genre},
		{"Publisher", b.Publisher},
		{"ISBN", b.ISBN},
		{"About", oneLine(b.Description)},
	}
	spoken := b.Options
	if spoken.Language == b.Language {
		spoken.Language = ""
	}
	options := optionRows(spoken)
	if b.Options.Voice == "" && b.Options.ProfileName == "" {
		options = slices.Insert(options, 0, []string{"Voice", "none"})
	}
	rows = slices.Concat(rows, options, [][]string{
		{"File", b.Source.Name},
		{"Depth", levels(b)},
		{"Cover", map[bool]string{true: "yes", false: "none"}[b.HasCover]},
		{"State", State(b.Summary, done, all)},
		{"Length", length(b)},
		{"Words", WordSums(b.Words)},
	})
	return slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
}
