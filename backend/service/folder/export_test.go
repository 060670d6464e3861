package folder

import (
	"os"
	"time"
)

// SetSync replaces what writes files, and the names in the folder, to the disk.
func (f *Folder) SetSync(file func(*os.File) error, dir func(string) error) {
	f.sync, f.syncDir = file, dir
}

// ForgetReady lets the next Ready check the folder, as some seconds later.
func (f *Folder) ForgetReady() { f.checked.until = time.Time{} }
