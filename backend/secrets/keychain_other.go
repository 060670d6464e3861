//go:build !linux

package secrets

// systemKeychain returns the keychain of macOS or Windows.
func systemKeychain() itemStore { return newLibrary() }
