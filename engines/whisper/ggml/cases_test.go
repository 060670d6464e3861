//go:build !race

package ggml_test

const cases = 10_000 // of TestDamagedFiles
