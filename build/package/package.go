// Command package writes what the packages contain beside the programs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/voicewright/voicewright/app/tray/icon"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "package:", err)
		os.Exit(1)
	}
}

// run does what the first argument names, with the others.
func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 2 && args[0] == "icons":
		return writeIcons(args[1])
	case len(args) == 2 && args[0] == "ico":
		return os.WriteFile(args[1], icon.ICO(16, 24, 32, 48, 64, 128, 256), 0o644) //nolint:gosec // for everybody
	case len(args) > 3 && args[0] == "sbom":
		return writeBill(args[1], args[2], args[3:])
	case len(args) == 5 && args[0] == "notices":
		return writeNotices(ctx, args[1], args[2], args[3], args[4])
	case len(args) == 4 && args[0] == "plist":
		return writePlist(args[1], args[2], args[3])
	case len(args) == 1 && args[0] == "types":
		return writeTypes(os.Stdout)
	}
	return errors.New("usage: icons FOLDER | ico FILE | types | sbom VERSION TO FROM... | notices TARGET SBOM LICENCES COPYRIGHT |" +
		" plist WAILS_JSON VERSION FILE")
}

// writeIcons writes the sign in the sizes that desktops look for, as SIZE.png.
func writeIcons(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of icons: %w", err)
	}
	for _, size := range []int{16, 22, 24, 32, 48, 64, 128, 256, 512} {
		file := filepath.Join(dir, strconv.Itoa(size)+".png")
		if err := os.WriteFile(file, icon.PNG(size), 0o644); err != nil { //nolint:gosec // for everybody
			return fmt.Errorf("write an icon: %w", err)
		}
	}
	return nil
}
