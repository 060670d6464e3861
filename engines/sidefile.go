package engines

import "strings"

// SideFile reports whether a file or folder of this name belongs to a file manager and not to a model: macOS puts a file ._NAME
// beside each NAME on disks of other systems, and into zip files in the folder __MACOSX.
func SideFile(name string) bool {
	if strings.HasPrefix(name, "._") {
		return true
	}
	switch strings.ToLower(name) {
	case ".ds_store", "__macosx", "thumbs.db", "desktop.ini":
		return true
	default:
		return false
	}
}
