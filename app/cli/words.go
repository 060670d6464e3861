package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func (p *program) dictionary() *cobra.Command {
	group := &cobra.Command{Use: "words", Short: "The pronunciation dictionary", RunE: needsSubcommand}
	group.AddCommand(p.wordsList(), p.wordsAdd(), p.wordsRemove(), p.wordsImport(), p.wordsExport())
	return group
}

func (p *program) wordsList() *cobra.Command {
	var search, language string
	cmd := &cobra.Command{
		Use: "list", Short: "List the words, A to Z", Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				list := backend.List[backend.Pronunciation]{Items: []backend.Pronunciation{}}
				query := url.Values{"search": {search}, "language": {language}}
				err := eachItem(cmd.Context(), c, "/pronunciations", query, func(w backend.Pronunciation) bool {
					list.Items = append(list.Items, w)
					return true
				})
				if err != nil {
					return err
				}
				list.Total = len(list.Items)
				if p.json {
					return p.printJSON(list)
				}
				rows := make([][]string, len(list.Items))
				for i, w := range list.Items {
					rows[i] = []string{oneLine(w.Word, 40), oneLine(w.Respelling, 60), w.Language, w.ID}
				}
				return p.table("WORD RESPELLING LANGUAGE ID", rows)
			})
		},
	}
	cmd.Flags().StringVar(&search, "search", "", "part of the word or the respelling")
	cmd.Flags().StringVar(&language, "language", "", "BCP 47 language, such as en")
	return cmd
}

func (p *program) wordsAdd() *cobra.Command {
	var language string
	var replace bool
	cmd := &cobra.Command{
		Use: "add WORD RESPELLING", Short: "Set a word's pronunciation: plain, or phonemes as /ipa/",
		Args: exactArgs("WORD", "RESPELLING"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				var made backend.Pronunciation
				body := map[string]string{"word": args[0], "respelling": args[1], "language": language}
				err := c.Call(cmd.Context(), http.MethodPost, "/pronunciations", body, &made)
				if backend.CodeOf(err) == backend.CodeNameTaken {
					if !replace {
						taken := *backend.AsError(err)
						taken.Remedy = "Use --replace to change it, or --language for another language."
						return &taken
					}
					made, err = replaceWord(cmd.Context(), c, body)
				}
				if err != nil {
					return err
				}
				if p.json {
					return p.printJSON(made)
				}
				if strings.HasPrefix(made.Respelling, "/") {
					p.complain(phonemesNote)
				}
				return p.printf("%s is spoken %s\n", made.Word, made.Respelling)
			})
		},
	}
	cmd.Flags().StringVar(&language, "language", "", "BCP 47 language, such as en (default: all)")
	cmd.Flags().BoolVar(&replace, "replace", false, "change the word where the dictionary has it")
	return cmd
}

// phonemesNote says which voices cannot follow a pronunciation in IPA.
const phonemesNote = "Supertonic voices read no phonemes: they say this word as it is written."

// replaceWord changes the entry of a word in its language.
func replaceWord(ctx context.Context, c *client.Client, body map[string]string) (changed backend.Pronunciation, err error) {
	old, err := wordByKey(ctx, c, body["word"], body["language"], true)
	if err == nil {
		err = c.Call(ctx, http.MethodPut, "/pronunciations/"+old.ID, body, &changed)
	}
	return changed, err
}

func (p *program) wordsRemove() *cobra.Command {
	var language string
	cmd := &cobra.Command{
		Use: "rm WORD-or-ID", Short: "Delete a word", Args: exactArgs("WORD-or-ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.with(cmd.Context(), func(c *client.Client) error {
				w, err := wordByKey(cmd.Context(), c, args[0], language, cmd.Flags().Changed("language"))
				if err != nil {
					return err
				}
				if err := c.Call(cmd.Context(), http.MethodDelete, "/pronunciations/"+w.ID, nil, nil); err != nil {
					return err
				}
				return p.done("Deleted "+w.Word, map[string]any{"deleted": w.ID})
			})
		},
	}
	cmd.Flags().StringVar(&language, "language", "", `the one of this language, "" for all, where there are several`)
	return cmd
}

// wordByKey finds an entry by its id, else by its word without case, in one language where that is given.
func wordByKey(ctx context.Context, c *client.Client, key, language string, given bool) (backend.Pronunciation, error) {
	var found []backend.Pronunciation
	if id, err := uuid.Parse(key); err == nil {
		var w backend.Pronunciation
		err := c.Call(ctx, http.MethodGet, "/pronunciations/"+id.String(), nil, &w)
		if backend.CodeOf(err) != backend.CodeWordNotFound {
			return w, err
		}
	}
	word := strings.Join(strings.Fields(key), " ")
	err := eachItem(ctx, c, "/pronunciations", url.Values{"search": {word}}, func(w backend.Pronunciation) bool {
		if strings.EqualFold(w.Word, word) && (!given || backend.LanguageKey(w.Language) == backend.LanguageKey(language)) {
			found = append(found, w)
		}
		return true
	})
	switch {
	case err != nil:
		return backend.Pronunciation{}, err
	case len(found) == 0:
		return backend.Pronunciation{}, backend.E(backend.CodeWordNotFound, fmt.Sprintf("The dictionary has no word %q.", key),
			"See voicewright words list.")
	case len(found) > 1:
		return backend.Pronunciation{}, Usagef("%q is there for several languages; name one with --language, or give the id", word)
	}
	return found[0], nil
}

func (p *program) wordsImport() *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Add the words of a .csv or .json file, in place of equal ones", Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			kind, err := dictionaryKind(args[0])
			if err != nil {
				return err
			}
			raw, err := os.ReadFile(args[0])
			if err != nil {
				return backend.FileError("read the file", args[0], missingFile(args[0], err))
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				var result backend.PronunciationImport
				header := map[string]string{"Content-Type": kind}
				err := c.CallWith(cmd.Context(), http.MethodPost, "/pronunciations/import", io.Reader(bytes.NewReader(raw)), &result, header)
				if err != nil {
					return err
				}
				if err := p.imported(result); err != nil {
					return err
				}
				if result.Added+result.Replaced == 0 && len(result.Skipped) > 0 {
					return errNothingImported
				}
				return nil
			})
		},
	}
}

var errNothingImported = errors.New("no line of the file was acceptable")

// imported says what became of a file.
func (p *program) imported(result backend.PronunciationImport) error {
	if p.json {
		return p.printJSON(result)
	}
	for _, s := range result.Skipped {
		p.complain(fmt.Sprintf("Line %d was left out: %s.", s.Line, s.Reason))
	}
	return p.printf("Added %d, replaced %d, left out %d\n", result.Added, result.Replaced, len(result.Skipped))
}

// dictionaryKind gives the content type of a file by its name.
func dictionaryKind(path string) (string, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "text/csv", nil
	case ".json":
		return "application/json", nil
	}
	return "", Usagef("the file %q must end in .csv or .json", path)
}

func (p *program) wordsExport() *cobra.Command {
	return &cobra.Command{
		Use: "export [FILE]", Short: "Write all words to a .csv or .json file, or print them",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return Usagef("%s takes one FILE", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.printWords(cmd.Context())
			}
			kind, err := dictionaryKind(args[0])
			if err != nil {
				return err
			}
			return p.with(cmd.Context(), func(c *client.Client) error {
				_, format, _ := strings.Cut(kind, "/")
				if err := checkFolder(args[0]); err != nil {
					return err
				}
				if err := c.Fetch(cmd.Context(), "/pronunciations/export?format="+format, args[0]); err != nil {
					return err
				}
				return p.done("Wrote "+args[0], map[string]any{"output": args[0]})
			})
		},
	}
}

// printWords prints the dictionary as a file has it.
func (p *program) printWords(ctx context.Context) error {
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
