package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pageCommands returns the arguments of the commands in the given number of blocks that a page of docs has, in their order.
func pageCommands(t *testing.T, name string, blocks int) (commands [][]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", name))
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(page, -1)
	require.Len(t, found, blocks)
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	for _, block := range found {
		for line := range strings.Lines(string(block[1])) {
			command, _, _ := strings.Cut(line, " #")
			var args []string
			for _, arg := range word.FindAllString(command, -1)[1:] {
				args = append(args, strings.Trim(arg, `"`))
			}
			commands = append(commands, args)
		}
	}
	return commands
}
