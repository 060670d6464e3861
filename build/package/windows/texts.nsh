; The texts of the installer.
!macro text name english german
  LangString ${name} ${LANG_ENGLISH} "${english}"
  LangString ${name} ${LANG_GERMAN} "${german}"
!macroend

!macro texts
  !insertmacro text textDescription "Turns text into speech, and speech into text, on this computer." \
    "Macht aus Text Sprache und aus Sprache Text, auf diesem Rechner."
  !insertmacro text textOpenWith "Open with" "Öffnen mit"
  !insertmacro text textAboutOpenWith "Offers Voicewright in “Open with” for text files, books, subtitles, audio and video. Nothing else changes for them." \
    "Bietet Voicewright unter „Öffnen mit“ für Textdateien, Bücher, Untertitel, Audio und Video an. Sonst ändert sich nichts für sie."
  !insertmacro text textPath "Commands (PATH)" "Befehle (PATH)"
  !insertmacro text textAboutPath "New terminals find the command voicewright." "Neue Terminals finden den Befehl voicewright."
  !insertmacro text textOpen "Voicewright is open, so nothing has been changed. Quit it, also from its icon in the notification area, and stop “voicewright serve”; then click Retry." \
    "Voicewright ist geöffnet, deshalb wurde nichts geändert. Beende es, auch über sein Symbol im Infobereich, und stoppe „voicewright serve“; klicke dann auf „Wiederholen“."
  !insertmacro text textSystem "Voicewright needs Windows 10 or newer, and won't start on this one. Install it anyway?" \
    "Voicewright braucht Windows 10 oder neuer und startet auf diesem nicht. Trotzdem installieren?"
  !insertmacro text textKept "Voices, history and settings stay in $LOCALAPPDATA\voicewright. Delete this folder to remove them too." \
    "Stimmen, Verlauf und Einstellungen bleiben in $LOCALAPPDATA\voicewright. Lösche diesen Ordner, um auch sie zu entfernen."
  !insertmacro text textNeeds "From Microsoft" "Von Microsoft"
  !insertmacro text textAboutNeeds "Voicewright is installed. This is missing on the computer:" "Voicewright ist installiert. Das fehlt auf dem Rechner:"
  !insertmacro text textWebView "WebView2, which draws the window. Choose “Download” at “Evergreen Bootstrapper” on Microsoft's page, and open the file." \
    "WebView2, das das Fenster zeichnet. Wähle auf der Seite von Microsoft bei „Evergreen Bootstrapper“ den Download, und öffne die Datei."
  !insertmacro text textOpenWebView "Open the page of WebView2" "Seite von WebView2 öffnen"
  !insertmacro text textVisualC "The Visual C++ runtime, which neural voices need. Your browser downloads it from Microsoft; open the file." \
    "Die Laufzeit von Visual C++, die neuronale Stimmen brauchen. Dein Browser lädt sie von Microsoft herunter; öffne die Datei."
  !insertmacro text textOpenVisualC "Download it in the browser" "Im Browser herunterladen"
!macroend
