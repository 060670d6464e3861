package main

import "golang.org/x/sys/windows"

// hold opens a file as a program does that lets no other one use it, until the returned function is called.
func hold(path string) (release func(), err error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const shared = 0
	file, err := windows.CreateFile(name, windows.GENERIC_READ, shared, nil, windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
	return func() { _ = windows.CloseHandle(file) }, err
}
