; The installer for Windows: for one user, without an administrator.
;   makensis -DVERSION=0.1.0 -DNUMBERS=0.1.0.0 -DFILES=files.nsh -DICON=payoff.ico -DOUT=setup.exe payoff.nsi
; FILES names every file, in order (installer/windows/make.py writes it): "File /r" would take them
; as the disk lists them, and the same input would not give the same bytes.
; Silent: setup.exe /S [/D=C:\folder]; silent removal: uninstall.exe /S
Target amd64-unicode ; like the program: it runs on 64-bit Windows only, and Wine needs no second half
ManifestDPIAware true
!ifdef QUICK ; for the trial's newer version
  SetCompressor zlib
!else
  SetCompressor /SOLID lzma
  SetCompressorDictSize 64
!endif
RequestExecutionLevel user

!include "MUI2.nsh"
!include "FileFunc.nsh"
!include "LogicLib.nsh"

!define NAME "Payoff"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Payoff"
!define CLASSES "Software\Classes"

Name "${NAME} ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Payoff"
InstallDirRegKey HKCU "Software\Payoff" "Folder"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "What is this model worth, and what should we do with each case?"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\payoff.exe"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; A program that runs holds its files: say so before anything is changed. The engine runs by the
; same executables.
!macro EndIfHeld FILE
  ${If} ${FileExists} "$INSTDIR\${FILE}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${FILE}" a
    ${If} ${Errors}
      MessageBox MB_ICONEXCLAMATION "Payoff is running. Close it, then start again." /SD IDOK
      SetErrorLevel 3
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend
!macro EndIfRunning UN
Function ${UN}EndIfRunning
  !insertmacro EndIfHeld "payoff.exe"
  !insertmacro EndIfHeld "payoff-console.exe"
FunctionEnd
!macroend
!insertmacro EndIfRunning ""
!insertmacro EndIfRunning "un."

!macro Associate ENDING KIND WORDS
  WriteRegStr HKCU "${CLASSES}\.${ENDING}" "" "${KIND}"
  WriteRegStr HKCU "${CLASSES}\${KIND}" "" "${WORDS}"
  WriteRegStr HKCU "${CLASSES}\${KIND}\DefaultIcon" "" "$INSTDIR\payoff.exe,0"
  WriteRegStr HKCU "${CLASSES}\${KIND}\shell\open\command" "" '"$INSTDIR\payoff.exe" "%1"'
!macroend

!macro Dissociate ENDING KIND
  ReadRegStr $0 HKCU "${CLASSES}\.${ENDING}" ""
  StrCmp $0 "${KIND}" 0 +2
    DeleteRegKey HKCU "${CLASSES}\.${ENDING}"
  DeleteRegKey HKCU "${CLASSES}\${KIND}"
!macroend

Section "Payoff"
  Call EndIfRunning
  ; The folder holds the program only: settings and plugins stand elsewhere and stay.
  RMDir /r "$INSTDIR\_internal"
  !include "${FILES}"
  SetOutPath "$INSTDIR" ; where the shortcut starts
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Payoff.lnk" "$INSTDIR\payoff.exe"
  !insertmacro Associate "payoff" "Payoff.Project" "Payoff project"
  !insertmacro Associate "payoff-plugin" "Payoff.Plugin" "Payoff plugin"
  WriteRegStr HKCU "Software\Payoff" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\payoff.exe"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "The Payoff developers"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  IntFmt $0 "0x%08X" $0
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" "$0"
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section "Uninstall"
  Call un.EndIfRunning
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\payoff.exe"
  Delete "$INSTDIR\payoff-console.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; only if nothing of the user's is in it
  Delete "$SMPROGRAMS\Payoff.lnk"
  !insertmacro Dissociate "payoff" "Payoff.Project"
  !insertmacro Dissociate "payoff-plugin" "Payoff.Plugin"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  DeleteRegKey HKCU "Software\Payoff"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
