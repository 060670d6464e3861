; The installer for Windows: for one user, without an administrator. build/package/windows.sh makes it.
;
;   /S            without questions. Exit code 2: the program is open, and nothing was changed; 1: cancelled
;   /NOPATH       without the choice that makes commands find voicewright
;   /NOOPENWITH   without the entries in "Open with". Later installations keep to both choices
;   /D=FOLDER     another folder, as the last argument and without quotes
Unicode true
Target amd64-unicode ; as the program: a Windows, or wine, without the parts for 32 bits runs it too
!include MUI2.nsh
!include nsDialogs.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include WinVer.nsh
!include path.nsh
!include texts.nsh

!define id Voicewright
!define window voicewright-desktop.exe
!define console voicewright.exe
!define library onnxruntime.dll
!define uninstallKey "Software\Microsoft\Windows\CurrentVersion\Uninstall\${id}"
!define applicationKey "Software\Classes\Applications\${window}"
!define fileClass Voicewright.File
!define choicesKey "Software\${id}\Setup" ; what the user chose, for upgrades
!define webView "{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define webViewPage "https://developer.microsoft.com/microsoft-edge/webview2/"
!define visualC "https://aka.ms/vs/17/release/vc_redist.x64.exe"

Name Voicewright
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Voicewright"
InstallDirRegKey HKCU "${uninstallKey}" InstallLocation
RequestExecutionLevel user
ManifestDPIAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
SetCompressorDictSize 64 ; MB to look back, so that what both programs have in common is compressed once
AllowSkipFiles off
BrandingText "Voicewright ${VERSION}"

VIProductVersion "${NUMBERS}"
VIFileVersion "${NUMBERS}"
!macro versions language
  VIAddVersionKey /LANG=${language} CompanyName "The Voicewright authors"
  VIAddVersionKey /LANG=${language} FileDescription "Voicewright Setup"
  VIAddVersionKey /LANG=${language} FileVersion "${VERSION}"
  VIAddVersionKey /LANG=${language} LegalCopyright "The Voicewright authors, Apache License 2.0"
  VIAddVersionKey /LANG=${language} ProductName Voicewright
  VIAddVersionKey /LANG=${language} ProductVersion "${VERSION}"
!macroend

!define MUI_ICON "${STAGE}/program.ico"
!define MUI_UNICON "${STAGE}/program.ico"
!define MUI_ABORTWARNING
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
Page custom needs
!define MUI_FINISHPAGE_RUN "$INSTDIR\${window}"
!define MUI_FINISHPAGE_NOREBOOTSUPPORT
!insertmacro MUI_PAGE_FINISH

!define MUI_UNCONFIRMPAGE_TEXT_TOP $(textKept)
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!define MUI_FINISHPAGE_TEXT $(textKept)
!insertmacro MUI_UNPAGE_FINISH

!insertmacro MUI_LANGUAGE English
!insertmacro MUI_LANGUAGE German
!insertmacro versions ${LANG_ENGLISH}
!insertmacro versions ${LANG_GERMAN}
!insertmacro texts

!insertmacro pathFunctions ""
!insertmacro pathFunctions "un."

; stopWhileOpen ends the installer while a file of the program is in use: Windows opens none of those for writing.
!macro stopWhileOpen
  ${Do}
    StrCpy $R0 ""
    !insertmacro noteInUse ${window}
    !insertmacro noteInUse ${console}
    !insertmacro noteInUse ${library}
    ${If} $R0 == ""
      ${ExitDo}
    ${EndIf}
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION $(textOpen) /SD IDCANCEL IDRETRY +3
    SetErrorLevel 2
    Quit
  ${Loop}
!macroend

; noteInUse sets $R0 to a file that exists and cannot be opened for writing.
!macro noteInUse file
  ${If} ${FileExists} "$INSTDIR\${file}"
    ClearErrors
    FileOpen $R1 "$INSTDIR\${file}" a
    ${If} ${Errors}
      StrCpy $R0 ${file}
    ${Else}
      FileClose $R1
    ${EndIf}
  ${EndIf}
!macroend

Section Voicewright sectionProgram
  SectionIn RO
  !insertmacro stopWhileOpen
  SetOutPath $INSTDIR
  File "${STAGE}/Voicewright/${console}"
  File "${STAGE}/Voicewright/${window}"
  File "${STAGE}/Voicewright/${library}"
  File "${STAGE}/Voicewright/README.txt"
  File "${STAGE}/Voicewright/LICENSE.txt"
  File "${STAGE}/Voicewright/LICENCES.txt"
  File "${STAGE}/Voicewright/THIRD_PARTY.txt"
  File "${STAGE}/Voicewright/voicewright.cdx.json"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Voicewright.lnk" "$INSTDIR\${window}"
  WriteRegStr HKCU "${uninstallKey}" DisplayName Voicewright
  WriteRegStr HKCU "${uninstallKey}" DisplayVersion "${VERSION}"
  WriteRegStr HKCU "${uninstallKey}" DisplayIcon "$INSTDIR\${window}"
  WriteRegStr HKCU "${uninstallKey}" Publisher "The Voicewright authors"
  WriteRegStr HKCU "${uninstallKey}" URLInfoAbout "https://github.com/voicewright/voicewright"
  WriteRegStr HKCU "${uninstallKey}" InstallLocation $INSTDIR
  WriteRegStr HKCU "${uninstallKey}" UninstallString '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${uninstallKey}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${uninstallKey}" NoModify 1
  WriteRegDWORD HKCU "${uninstallKey}" NoRepair 1
  ${GetSize} $INSTDIR /S=0K $R0 $R1 $R2
  WriteRegDWORD HKCU "${uninstallKey}" EstimatedSize $R0
SectionEnd

!macro addType ending
  WriteRegStr HKCU "${applicationKey}\SupportedTypes" "${ending}" ""
  WriteRegStr HKCU "Software\${id}\Capabilities\FileAssociations" "${ending}" ${fileClass}
  WriteRegStr HKCU "Software\Classes\${ending}\OpenWithProgids" ${fileClass} ""
!macroend

; The program is offered for these files, and opens none by itself that another program opened.
Section $(textOpenWith) sectionOpenWith
  WriteRegStr HKCU "Software\Classes\${fileClass}" "" Voicewright
  WriteRegStr HKCU "Software\Classes\${fileClass}\DefaultIcon" "" "$INSTDIR\${window},0"
  WriteRegStr HKCU "Software\Classes\${fileClass}\shell\open\command" "" '"$INSTDIR\${window}" "%1"'
  WriteRegStr HKCU "${applicationKey}" FriendlyAppName Voicewright
  WriteRegStr HKCU "${applicationKey}\shell\open\command" "" '"$INSTDIR\${window}" "%1"'
  WriteRegStr HKCU "Software\${id}\Capabilities" ApplicationName Voicewright
  WriteRegStr HKCU "Software\${id}\Capabilities" ApplicationDescription $(textDescription)
  WriteRegStr HKCU Software\RegisteredApplications ${id} "Software\${id}\Capabilities"
  !define forType addType
  !include types.nsh
  !undef forType
  Call tellTypes
SectionEnd

Section $(textPath) sectionPath
  StrCpy $R0 $INSTDIR
  Call addToPath
SectionEnd

; keepChoice stores whether a section was chosen. If it was chosen before and is not now, it calls a function that undoes it.
!macro keepChoice section name undo
  ${If} ${SectionIsSelected} ${section}
    WriteRegDWORD HKCU "${choicesKey}" ${name} 1
  ${Else}
    ReadRegDWORD $R1 HKCU "${choicesKey}" ${name}
    ${If} $R1 = 1
      Call ${undo}
    ${EndIf}
    WriteRegDWORD HKCU "${choicesKey}" ${name} 0
  ${EndIf}
!macroend

Section -choices
  StrCpy $R0 $INSTDIR
  !insertmacro keepChoice ${sectionOpenWith} OpenWith removeOpenWith
  !insertmacro keepChoice ${sectionPath} Path removeFromPath
SectionEnd

; unselect leaves out a section that the user left out before.
!macro unselect section name
  ClearErrors
  ReadRegDWORD $R0 HKCU "${choicesKey}" ${name}
  ${IfNot} ${Errors}
  ${AndIf} $R0 = 0
    !insertmacro UnselectSection ${section}
  ${EndIf}
!macroend

; unselectBy leaves out a section if the arguments $R0 have an option.
!macro unselectBy option section
  ClearErrors
  ${GetOptions} $R0 ${option} $R1
  ${IfNot} ${Errors}
    !insertmacro UnselectSection ${section}
  ${EndIf}
!macroend

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_YESNO|MB_ICONEXCLAMATION|MB_DEFBUTTON2 $(textSystem) /SD IDYES IDYES +2
    Quit
  ${EndIf}
  !insertmacro unselect ${sectionOpenWith} OpenWith
  !insertmacro unselect ${sectionPath} Path
  ${GetParameters} $R0
  !insertmacro unselectBy /NOOPENWITH ${sectionOpenWith}
  !insertmacro unselectBy /NOPATH ${sectionPath}
FunctionEnd

!insertmacro MUI_FUNCTION_DESCRIPTION_BEGIN
  !insertmacro MUI_DESCRIPTION_TEXT ${sectionProgram} $(textDescription)
  !insertmacro MUI_DESCRIPTION_TEXT ${sectionOpenWith} $(textAboutOpenWith)
  !insertmacro MUI_DESCRIPTION_TEXT ${sectionPath} $(textAboutPath)
!insertmacro MUI_FUNCTION_DESCRIPTION_END

; tellTypes has the desktop read the kinds of files again.
!macro tellTypes un
Function ${un}tellTypes
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
FunctionEnd
!macroend
!insertmacro tellTypes ""
!insertmacro tellTypes "un."

; needs is the page about what else the program needs from Microsoft. It is left out where nothing is missing. Nothing is downloaded: the
; buttons open the browser.
Function needs
  StrCpy $R8 "" ; WebView2
  SetRegView 32
  ReadRegStr $R0 HKLM "SOFTWARE\Microsoft\EdgeUpdate\Clients\${webView}" pv
  ReadRegStr $R1 HKCU "SOFTWARE\Microsoft\EdgeUpdate\Clients\${webView}" pv
  SetRegView default
  ${If} "$R0$R1" == ""
    StrCpy $R8 missing
  ${EndIf}
  StrCpy $R9 "" ; the runtime of Visual C++
  ${IfNot} ${FileExists} "$SYSDIR\msvcp140_1.dll"
  ${OrIfNot} ${FileExists} "$SYSDIR\vcruntime140_1.dll"
    StrCpy $R9 missing
  ${EndIf}
  ${If} "$R8$R9" == ""
    Abort
  ${EndIf}

  !insertmacro MUI_HEADER_TEXT $(textNeeds) $(textAboutNeeds)
  nsDialogs::Create 1018
  Pop $R0
  ${If} $R0 == error
    Abort
  ${EndIf}
  StrCpy $R7 0 ; from the top, in units of dialogs
  ${If} $R8 != ""
    ${NSD_CreateLabel} 0 0 100% 24u $(textWebView)
    Pop $R0
    ${NSD_CreateButton} 0 27u 60% 15u $(textOpenWebView)
    Pop $R0
    ${NSD_OnClick} $R0 openWebView
    StrCpy $R7 55
  ${EndIf}
  ${If} $R9 != ""
    ${NSD_CreateLabel} 0 $R7u 100% 24u $(textVisualC)
    Pop $R0
    IntOp $R7 $R7 + 27
    ${NSD_CreateButton} 0 $R7u 60% 15u $(textOpenVisualC)
    Pop $R0
    ${NSD_OnClick} $R0 openVisualC
  ${EndIf}
  nsDialogs::Show
FunctionEnd

Function openWebView
  Pop $R0
  ExecShell open ${webViewPage}
FunctionEnd

Function openVisualC
  Pop $R0
  ExecShell open ${visualC}
FunctionEnd

!macro removeType ending
  DeleteRegValue HKCU "Software\Classes\${ending}\OpenWithProgids" ${fileClass}
  DeleteRegKey /ifempty HKCU "Software\Classes\${ending}\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\${ending}"
!macroend

; removeOpenWith removes what "Open with" of the desktop has of this program.
!macro removeOpenWith un
Function ${un}removeOpenWith
  !define forType removeType
  !include types.nsh
  !undef forType
  DeleteRegKey HKCU "Software\Classes\${fileClass}"
  DeleteRegKey HKCU "${applicationKey}"
  DeleteRegKey HKCU "Software\${id}\Capabilities"
  DeleteRegValue HKCU Software\RegisteredApplications ${id}
  Call ${un}tellTypes
FunctionEnd
!macroend
!insertmacro removeOpenWith ""
!insertmacro removeOpenWith "un."

; What the user made stays: only the files that were installed are removed, one by one.
Section Uninstall
  !insertmacro stopWhileOpen
  Delete "$INSTDIR\${console}"
  Delete "$INSTDIR\${window}"
  Delete "$INSTDIR\${library}"
  Delete "$INSTDIR\README.txt"
  Delete "$INSTDIR\LICENSE.txt"
  Delete "$INSTDIR\LICENCES.txt"
  Delete "$INSTDIR\THIRD_PARTY.txt"
  Delete "$INSTDIR\voicewright.cdx.json"
  Delete "$INSTDIR\uninstall.exe"
  SetOutPath $TEMP ; a folder in use is not removed
  RMDir $INSTDIR
  Delete "$SMPROGRAMS\Voicewright.lnk"
  Call un.removeOpenWith
  DeleteRegKey HKCU "Software\${id}"
  DeleteRegKey HKCU "${uninstallKey}"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" ${id} ; the setting desktop.start_at_login
  StrCpy $R0 $INSTDIR
  Call un.removeFromPath
  DetailPrint $(textKept)
SectionEnd
