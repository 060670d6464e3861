//go:build !linux

package app_test

// unusablePlaces are paths at which this system lets nobody keep models.
var unusablePlaces []string
