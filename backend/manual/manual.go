// Package manual has what every command line of ours says of itself: its manual page, written from its commands, and its version.
package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Page is what a manual page says beside the commands.
type Page struct {
	Version string // of the program
	Chapter int    // of the manual: 1 for users, 8 for administrators
	Home    string // the user's home directory, which defaults of flags are printed without; empty = none
	More    []Section
}

// Section is a section of the page, such as FILES: terms with what they are.
type Section struct {
	Title string
	Terms [][2]string
}

// Command returns the hidden command that prints the page of the program in roff, for those who make packages.
func Command(p Page) *cobra.Command {
	var date string
	cmd := &cobra.Command{
		Use: "manual", Short: "Print the manual page", Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := &writer{page: p}
			w.document(cmd.Root(), date)
			_, err := io.WriteString(cmd.OutOrStdout(), w.text.String())
			return err
		},
	}
	cmd.Flags().StringVar(&date, "date", "", "`DATE` of the page")
	return cmd
}

// writer collects the page.
type writer struct {
	page Page
	text strings.Builder
}

func (w *writer) document(root *cobra.Command, date string) {
	title := map[int]string{1: "User Commands", 8: "System Administration"}[w.page.Chapter]
	source := root.Name() + " " + w.page.Version
	w.line(`.TH %s %d %s %s %s`, quoted(strings.ToUpper(root.Name())), w.page.Chapter, quoted(date), quoted(source), quoted(title))
	w.line(".nh\n.ad l") // commands and paths are copied from the page
	w.section("NAME")
	w.line(`%s \- %s`, escape(root.Name()), escape(lowerFirst(root.Short)))
	w.section("SYNOPSIS")
	w.synopsis(root)
	w.section("DESCRIPTION")
	w.prose(root.Long)
	w.section("COMMANDS")
	for _, cmd := range root.Commands() {
		w.commands(cmd)
	}
	w.section("OPTIONS OF ALL COMMANDS")
	w.flags(root.PersistentFlags())
	if root.LocalNonPersistentFlags().HasAvailableFlags() {
		w.section("OPTIONS WITHOUT A COMMAND")
		w.flags(root.LocalNonPersistentFlags())
	}
	for _, section := range w.page.More {
		w.section(section.Title)
		for _, term := range section.Terms {
			w.line(".TP\n.B %s\n%s", escape(term[0]), escape(term[1]))
		}
	}
}

// commands describes a command and those below it.
func (w *writer) commands(cmd *cobra.Command) {
	if !cmd.IsAvailableCommand() || cmd.Name() == "help" {
		return
	}
	if !cmd.HasAvailableSubCommands() || cmd.Name() == "completion" {
		w.line(".SS %s", quoted(cmd.CommandPath()))
		w.synopsis(cmd)
		w.line(".PP")
		if cmd.Long != "" {
			w.prose(cmd.Long)
		} else {
			w.prose(cmd.Short + ".")
		}
		if cmd.Example != "" {
			w.verbatim(cmd.Example)
		}
		w.flags(cmd.LocalFlags())
	}
	for _, sub := range cmd.Commands() {
		w.commands(sub)
	}
}

// synopsis prints how the command is called: its name in bold, its arguments as they are.
func (w *writer) synopsis(cmd *cobra.Command) {
	arguments := strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())
	w.line(`.B %s`+"\n%s", escape(cmd.CommandPath()), escape(strings.TrimSpace(arguments)))
}

// flags lists flags with their texts, but --help, which every command has.
func (w *writer) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		names := `\fB` + escape("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			names = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + names
		}
		if value != "" {
			names += ` \fI` + escape(value) + `\fR`
		}
		w.line(".TP\n%s\n%s%s", names, escape(usage), w.otherwise(f))
	})
}

// otherwise returns the default of a flag in brackets, as --help has it, with ~ for the home directory.
func (w *writer) otherwise(f *pflag.Flag) string {
	value := f.DefValue
	switch value {
	case "", "0", "0s", "false", "[]", "<nil>":
		return ""
	}
	if w.page.Home != "" {
		value = strings.ReplaceAll(value, w.page.Home, "~")
	}
	return " (default " + escape(value) + ")"
}

// prose prints paragraphs. Lines that begin with a blank are printed as they are.
func (w *writer) prose(text string) {
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			w.line(".PP")
		}
		for j, line := range strings.Split(paragraph, "\n") {
			switch {
			case strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  "):
				w.verbatim(line)
			case j > 0:
				w.line(".br\n%s", escape(line))
			default:
				w.line("%s", escape(line))
			}
		}
	}
}

func (w *writer) verbatim(text string) {
	w.line(".nf\n.RS 4\n%s\n.RE\n.fi\n.PP", escape(strings.TrimSpace(text)))
}

func (w *writer) section(title string) { w.line(".SH %s", quoted(title)) }

// line adds lines without blank ones, which roff would print.
func (w *writer) line(format string, args ...any) {
	text := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	fmt.Fprintln(&w.text, text)
}

// escape returns text that roff prints as it is.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
		if strings.HasPrefix(lines[i], ".") {
			lines[i] = `\&` + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// quoted returns one argument of a roff request.
func quoted(text string) string { return `"` + strings.ReplaceAll(escape(text), `"`, `\(dq`) + `"` }

func lowerFirst(text string) string {
	if text == "" {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
