//go:build !unix

package hub

// noFollow is nothing where the system has no such flag: links are found before a file is opened.
const noFollow = 0
