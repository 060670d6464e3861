# Sourced by build/window-test.sh: what the installed window must do in each system; make window-test does the rest.
# shellcheck shell=bash
# shellcheck source=build/window-steps.sh
. build/window-steps.sh

steps() {
	step "generates with the keyboard"
	generate || return 1
	step "opens a file of a second start in the open window"
	opens_files || return 1
	pause 1000 # for the picture
}
