; Behind the -- nothing in a link is taken for a flag.
; s3:// links open Cooper, for the account that installs it; taken back when it is removed, unless another program has them by then.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\s3" "" "URL:S3"
  WriteRegStr SHELL_CONTEXT "Software\Classes\s3" "URL Protocol" ""
  WriteRegStr SHELL_CONTEXT "Software\Classes\s3\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  ReadRegStr $R9 SHELL_CONTEXT "Software\Classes\s3\shell\open\command" ""
  StrCmp $R9 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"' 0 +2
    DeleteRegKey SHELL_CONTEXT "Software\Classes\s3"
  ; The entry of "open at login"; not when a newer version takes its place, since the person's choice stays.
  ${IfNot} ${isUpdated}
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "Cooper"
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run" "Cooper"
  ${EndIf}
!macroend
