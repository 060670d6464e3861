//go:build !unix

package hub

// noFollow has no effect here: links are found before a file is opened.
const noFollow = 0
