package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/template"
)

// project is what Info.plist takes from wails.json.
type project struct {
	Name string `json:"outputfilename"`
	Info struct {
		Product      string        `json:"productName"`
		Copyright    string        `json:"copyright"`
		Associations []association `json:"fileAssociations"`
	} `json:"info"`
}

// association is a file type that the window opens.
type association struct {
	Ext         string `json:"ext"`
	Description string `json:"description"`
	Role        string `json:"role"`
}

// infoPlist is the template of Info.plist. Without the sentence on the microphone macOS ends a program that opens it.
var infoPlist = template.Must(template.New("Info.plist").Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>CFBundleName</key><string>{{.Info.Product | html}}</string>
	<key>CFBundleIdentifier</key><string>io.github.voicewright.voicewright</string>
	<key>CFBundleExecutable</key><string>{{.Name | html}}</string>
	<key>CFBundleIconFile</key><string>icon</string>
	<key>CFBundlePackageType</key><string>APPL</string>
	<key>CFBundleInfoDictionaryVersion</key><string>6.0</string>
	<key>CFBundleShortVersionString</key><string>{{.Version | html}}</string>
	<key>CFBundleVersion</key><string>{{.Version | html}}</string>
	<key>CFBundleDevelopmentRegion</key><string>en</string>
	<key>CFBundleLocalizations</key><array><string>en</string><string>de</string></array>
	<key>LSMinimumSystemVersion</key><string>14.0</string>
	<key>LSApplicationCategoryType</key><string>public.app-category.productivity</string>
	<key>NSHighResolutionCapable</key><true/>
	<key>NSHumanReadableCopyright</key><string>{{.Info.Copyright | html}}</string>
	<key>NSMicrophoneUsageDescription</key><string>Voicewright records what you say when you record or dictate. It stays on this Mac.</string>
	<key>CFBundleDocumentTypes</key>
	<array>
	{{- range .Info.Associations}}
		<dict>
			<key>CFBundleTypeName</key><string>{{.Description | html}}</string>
			<key>CFBundleTypeExtensions</key><array><string>{{.Ext | html}}</string></array>
			<key>CFBundleTypeRole</key><string>{{.Role | html}}</string>
			<key>LSHandlerRank</key><string>Alternate</string>
		</dict>
	{{- end}}
	</array>
</dict>
</plist>
`))

// writePlist writes Info.plist of the app for macOS: names and file types out of wails.json, and a version of numbers.
func writePlist(wails, version, file string) error {
	text, err := os.ReadFile(wails) //nolint:gosec // the path is an argument
	if err != nil {
		return fmt.Errorf("read the project: %w", err)
	}
	data := struct {
		project
		Version string
	}{Version: version}
	if err := json.Unmarshal(text, &data.project); err != nil {
		return fmt.Errorf("read the project: %w", err)
	}
	out, err := os.Create(file) //nolint:gosec // the path is an argument
	if err != nil {
		return fmt.Errorf("write Info.plist: %w", err)
	}
	if err := infoPlist.Execute(out, data); err != nil {
		return fmt.Errorf("write Info.plist: %w", err)
	}
	return out.Close() //nolint:wrapcheck // it names the file
}
