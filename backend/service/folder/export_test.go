package folder

import "os"

// SetSync replaces what writes files, and the names in the folder, to the disk.
func (f *Folder) SetSync(file func(*os.File) error, dir func(string) error) {
	f.sync, f.syncDir = file, dir
}
