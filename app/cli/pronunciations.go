package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p pronunciationCommands) pronunciations() *cobra.Command {
	return group("words", "Manage the pronunciation dictionary",
		p.pronunciationsList(), p.pronunciationsAdd(), p.pronunciationsRemove(), p.pronunciationsImport(), p.pronunciationsExport())
}

func (p pronunciationCommands) pronunciationsList() *cobra.Command {
	var search, language string
	cmd := p.command("list", "List the words, A to Z", usage.NoArgs, func(ctx context.Context, c *client.Client, _ []string) error {
		query := url.Values{"search": {search}, "language": {language}}
		return printAll(ctx, p.program, c, "/pronunciations", query, "WORD RESPELLING LANGUAGE ID", func(w backend.Pronunciation) []string {
			return []string{oneLine(w.Word, 40), oneLine(w.Respelling, 60), w.Language, w.ID}
		})
	})
	cmd.Flags().StringVar(&search, "search", "", "text in the word or its respelling")
	cmd.Flags().StringVar(&language, "language", "", "language tag, such as en")
	return cmd
}

func (p pronunciationCommands) pronunciationsAdd() *cobra.Command {
	var language string
	var replace bool
	cmd := p.command("add WORD RESPELLING", "Set a word's pronunciation: a respelling, or phonemes as /ipa/",
		usage.ExactArgs("WORD", "RESPELLING"),
		func(ctx context.Context, c *client.Client, args []string) error {
			body := map[string]string{"word": args[0], "respelling": args[1], "language": language}
			added, err := addPronunciation(ctx, c, body, replace)
			if err != nil {
				return err
			}
			if err := p.print(added, "%s will be read as “%s”", added.Word, added.Respelling); err != nil {
				return err
			}
			if strings.HasPrefix(added.Respelling, "/") && !p.json {
				p.notef("Note: Supertonic voices do not support phonemes; they read this word as it is written.")
			}
			return nil
		})
	cmd.Flags().StringVar(&language, "language", "", "language tag, such as en (default: all languages)")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace an existing entry")
	return cmd
}

// addPronunciation adds an entry. One for the same word and language is replaced, or an error.
func addPronunciation(ctx context.Context, c *client.Client, body map[string]string, replace bool) (backend.Pronunciation, error) {
	var added backend.Pronunciation
	err := c.Call(ctx, http.MethodPost, "/pronunciations", body, &added)
	switch {
	case backend.CodeOf(err) != backend.CodeNameTaken:
		return added, err
	case !replace:
		taken := *backend.AsError(err)
		taken.Remedy = "Use --replace to change it, or --language for another language."
		return added, &taken
	}
	language := body["language"]
	old, err := pronunciationByKey(ctx, c, body["word"], &language)
	if err == nil {
		err = c.Call(ctx, http.MethodPut, "/pronunciations/"+old.ID, body, &added)
	}
	return added, err
}

func (p pronunciationCommands) pronunciationsRemove() *cobra.Command {
	var language string
	cmd := &cobra.Command{Use: "rm WORD-or-ID", Short: "Delete a word", Args: usage.ExactArgs("WORD-or-ID")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var only *string
		if cmd.Flags().Changed("language") {
			only = &language
		}
		return p.with(cmd.Context(), func(c *client.Client) error {
			w, err := pronunciationByKey(cmd.Context(), c, args[0], only)
			if err != nil {
				return err
			}
			if err := c.Call(cmd.Context(), http.MethodDelete, "/pronunciations/"+w.ID, nil, nil); err != nil {
				return err
			}
			return p.print(map[string]any{"deleted": w.ID}, "Deleted %s", w.Word)
		})
	}
	cmd.Flags().StringVar(&language, "language", "", `language of the entry ("" = all languages), when the word has several`)
	return cmd
}

// pronunciationByKey returns the entry with this id, else the one for this word, ignoring case. A nil language matches all.
func pronunciationByKey(ctx context.Context, c *client.Client, key string, language *string) (backend.Pronunciation, error) {
	w, ok, err := byID[backend.Pronunciation](ctx, c, "/pronunciations/", key, backend.CodeWordNotFound)
	if ok || err != nil {
		return w, err
	}
	var matches []backend.Pronunciation
	word := strings.Join(strings.Fields(key), " ")
	err = eachItem(ctx, c, "/pronunciations", url.Values{"search": {word}}, func(w backend.Pronunciation) bool {
		if strings.EqualFold(w.Word, word) && (language == nil || backend.LanguageKey(w.Language) == backend.LanguageKey(*language)) {
			matches = append(matches, w)
		}
		return true
	})
	switch {
	case err != nil:
		return backend.Pronunciation{}, err
	case len(matches) == 0:
		return backend.Pronunciation{}, backend.E(backend.CodeWordNotFound, fmt.Sprintf("The dictionary has no word %q.", key),
			"List the words with voicewright words list.")
	case len(matches) > 1:
		return backend.Pronunciation{}, usage.Errorf("%q exists in several languages; choose one with --language, or use its ID", word)
	}
	return matches[0], nil
}

func (p pronunciationCommands) pronunciationsImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import the words of a .csv or .json file, replacing existing entries", Args: usage.ExactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			contentType, err := dictionaryType(args[0])
			if err != nil {
				return err
			}
			raw, err := p.readFile(cmd.Context(), args[0], maxDictionary)
			if err != nil {
				return err
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				var result backend.PronunciationImport
				header := map[string]string{"Content-Type": contentType}
				err := c.CallWith(cmd.Context(), http.MethodPost, "/pronunciations/import", io.Reader(bytes.NewReader(raw)), &result, header)
				if err != nil {
					return err
				}
				return p.printImport(result)
			})
		},
	}
}

// maxDictionary is how many bytes of a file of words are read: more than the API takes.
const maxDictionary = 32 << 20

var errNothingImported = errors.New("the file has no valid entry")

// printImport prints the result of an import. It fails when every entry was skipped.
func (p pronunciationCommands) printImport(result backend.PronunciationImport) error {
	if !p.json {
		for _, s := range result.Skipped {
			p.notef("Line %d was skipped: %s.", s.Line, s.Reason)
		}
		if more := result.SkippedTotal - len(result.Skipped); more > 0 {
			p.notef("%d more lines were skipped.", more)
		}
	}
	err := p.print(result, "Added %d, replaced %d, skipped %d", result.Added, result.Replaced, result.SkippedTotal)
	if err == nil && result.Added+result.Replaced == 0 && result.SkippedTotal > 0 {
		err = errNothingImported
	}
	return err
}

// dictionaryType returns the content type of a dictionary file by its extension.
func dictionaryType(path string) (string, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "text/csv", nil
	case ".json":
		return "application/json", nil
	}
	return "", usage.Errorf("the file %q must end in .csv or .json", path)
}

func (p pronunciationCommands) pronunciationsExport() *cobra.Command {
	return &cobra.Command{
		Use: "export [FILE]", Short: "Export all words to a .csv or .json file, or print them",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage.TooManyArgs(cmd, "FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.printDictionary(cmd.Context())
			}
			contentType, err := dictionaryType(args[0])
			if err != nil {
				return err
			}
			_, format, _ := strings.Cut(contentType, "/")
			return p.with(cmd.Context(), func(c *client.Client) error {
				if err := fetchTo(cmd.Context(), c, "/pronunciations/export?format="+format, args[0]); err != nil {
					return err
				}
				return p.print(map[string]any{"output": args[0]}, "Wrote %s", args[0])
			})
		},
	}
}

// fetchTo writes a response of the API to a file that the user named.
func fetchTo(ctx context.Context, c *client.Client, path, out string) error {
	if err := usage.CheckFolder(out); err != nil {
		return err
	}
	return c.Fetch(ctx, path, out)
}

// printDictionary prints all words in the format of an exported file.
func (p pronunciationCommands) printDictionary(ctx context.Context) error {
	format := "csv"
	if p.json {
		format = "json"
	}
	return p.with(ctx, func(c *client.Client) error {
		resp, err := c.Do(ctx, http.MethodGet, "/pronunciations/export?format="+format, nil, nil)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		_, err = io.Copy(p.io.Out, resp.Body)
		return err
	})
}
