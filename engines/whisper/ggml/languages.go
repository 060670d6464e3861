package ggml

import "strings"

// firstLanguages is the number of languages of the smallest multilingual vocabulary; larger ones have more of the list.
const firstLanguages = 99

// languages are the languages of Whisper as BCP 47 tags, in the order of their tokens. The models write jw for jv.
var languages = strings.Fields(`
	en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk
	te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo
	ht ps tk nn mt sa lb my bo tl mg as tt haw ln ha ba jv su yue`)
