// Package frontend carries the web page inside the program.
package frontend

import (
	"embed"
	"io/fs"
)

// dist holds the built page, or only placeholder.txt while `make ui` has not run.
//
//go:embed all:dist
var dist embed.FS

// Assets returns the files of the page. index.html is at the top if the page was built.
func Assets() fs.FS { return assets(dist) }

func assets(files fs.FS) fs.FS {
	sub, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // only a name that is not a valid path fails, and "dist" is one
	}
	return sub
}
