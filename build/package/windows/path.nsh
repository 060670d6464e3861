; Changes the user's PATH through the functions of Windows: strings of NSIS are too short for those of some users.

!define keyCurrentUser -2147483647 ; a handle with its sign
!define keyReadWrite 0x2001F
!define typeExpandString 2
!define fileNotFound 2

; pathFunctions defines addToPath and removeFromPath, or with "un." the latter for the uninstaller. The folder is in $R0.
!macro pathFunctions un

; readPath opens the key $0 and reads the PATH into the memory at $4, between two semicolons: type $1, and characters $2 with both. $3 is
; 0, or an error, after which nothing is open. There is space for another $R0 with semicolons.
Function ${un}readPath
  System::Call 'advapi32::RegOpenKeyExW(p ${keyCurrentUser}, w "Environment", i 0, i ${keyReadWrite}, *p .r0) i .r3'
  ${If} $3 <> 0
    Return
  ${EndIf}
  StrCpy $1 ${typeExpandString}
  StrCpy $2 0
  System::Call 'advapi32::RegQueryValueExW(p r0, w "Path", p 0, *i r1r1, p 0, *i .r2) i .r3'
  ${If} $3 = ${fileNotFound}
    StrCpy $1 ${typeExpandString}
    StrCpy $2 0
    StrCpy $3 0
  ${ElseIf} $3 <> 0
    System::Call 'advapi32::RegCloseKey(p r0)'
    Return
  ${EndIf}
  StrLen $5 $R0
  IntOp $5 $5 + 8
  IntOp $5 $5 * 2
  IntOp $5 $5 + $2
  System::Alloc $5 ; zeroes
  Pop $4
  System::Call 'kernel32::lstrcpyW(p r4, w ";")'
  ${If} $2 > 0
    IntPtrOp $5 $4 + 2
    System::Call 'advapi32::RegQueryValueExW(p r0, w "Path", p 0, p 0, p r5, *i r2r2) i .r3'
  ${EndIf}
  ${If} $3 <> 0
    System::Free $4
    System::Call 'advapi32::RegCloseKey(p r0)'
    Return
  ${EndIf}
  System::Call 'kernel32::lstrcatW(p r4, w ";")'
  System::Call 'kernel32::lstrlenW(p r4) i .r2'
FunctionEnd

; findInPath sets $5 to where ;$R0; is in the memory at $4, or 0.
Function ${un}findInPath
  System::Call 'shlwapi::StrStrIW(p r4, w ";$R0;") p .r5'
FunctionEnd

; writePath stores the string at $5, tells the system and other programs, and frees and closes what readPath has opened.
Function ${un}writePath
  System::Call 'kernel32::lstrlenW(p r5) i .r6'
  IntOp $6 $6 + 1
  IntOp $6 $6 * 2
  System::Call 'advapi32::RegSetValueExW(p r0, w "Path", i 0, i r1, p r5, i r6)'
  SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
FunctionEnd

Function ${un}closePath
  System::Free $4
  System::Call 'advapi32::RegCloseKey(p r0)'
FunctionEnd

!if "${un}" == ""
Function addToPath
  Call readPath
  ${If} $3 <> 0
    Return
  ${EndIf}
  Call findInPath
  ${If} $5 P= 0
    System::Call 'kernel32::lstrcatW(p r4, w R0)'
    IntPtrOp $5 $4 + 2
    ${If} $2 = 2 ; there was none: without its semicolon
      IntPtrOp $5 $5 + 2
    ${EndIf}
    Call writePath
  ${EndIf}
  Call closePath
FunctionEnd
!endif

Function ${un}removeFromPath
  Call ${un}readPath
  ${If} $3 <> 0
    Return
  ${EndIf}
  Call ${un}findInPath
  ${If} $5 P<> 0
    StrLen $6 $R0
    IntOp $6 $6 + 1
    IntOp $6 $6 * 2
    IntPtrOp $6 $6 + $5 ; the semicolon after it
    System::Call 'kernel32::lstrlenW(p r6) i .r7'
    IntOp $7 $7 + 1
    IntOp $7 $7 * 2
    System::Call 'ntdll::memmove(p r5, p r6, p r7)?c'
    System::Call 'kernel32::lstrlenW(p r4) i .r2'
    IntOp $5 $2 - 1
    IntOp $5 $5 * 2
    IntPtrOp $5 $5 + $4
    System::Call '*$5(&i2 0)' ; without the semicolon at the end
    IntPtrOp $5 $4 + 2
    ${If} $2 = 1
      System::Call 'advapi32::RegDeleteValueW(p r0, w "Path")'
    ${Else}
      Call ${un}writePath
    ${EndIf}
  ${EndIf}
  Call ${un}closePath
FunctionEnd
!macroend
