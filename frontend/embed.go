// Package frontend carries the web page inside the program.
package frontend

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Assets gives the files of the web page; index.html lies at the top.
func Assets() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // only a name that is not a valid path fails, and "dist" is one
	}
	return files
}
