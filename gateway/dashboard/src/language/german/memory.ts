import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Memory. */
export const memory: Catalogue = {
  'Folders and search': 'Ordner und Suche',
  '{items}, not live': '{items}, nicht live',
  Upload: 'Hochladen',
  'New note': 'Neue Notiz',
  'Search the memory': 'Das Wissen durchsuchen',
  'Search words, titles and paths': 'Text, Titel und Pfade durchsuchen',
  'There is nothing in this folder.': 'In diesem Ordner ist nichts.',
  'Folders above': 'Übergeordnete Ordner',
  'All folders': 'Alle Ordner',
  'Outermost folder': 'Oberster Ordner',
  'Nothing is shared with you yet': 'Noch wird nichts mit dir geteilt',
  'What the team shares with guests shows here as soon as there is something.':
    'Was das Team mit Gästen teilt, erscheint hier, sobald es etwas gibt.',
  'The memory is empty': 'Hier ist noch nichts',
  'Put a folder of Markdown files in step with the team. Everybody with a key can read and ask about them a moment later:':
    'Synchronisiere einen Ordner mit Markdown-Dateien mit dem Team. Alle mit einem Schlüssel können sie kurz darauf lesen und Fragen dazu stellen:',
  'It has no text outside its front matter.': 'Außer seinen Kopfdaten enthält er keinen Text.',
  'Its text could not be read within the limits of the service. It is tried again when it changes.':
    'Sein Text ließ sich innerhalb der Limits des Dienstes nicht lesen. Der Dienst versucht es wieder, wenn sich der Eintrag ändert.',
  'The search index has no room left. An operator can raise INDEX_DISK_MB.':
    'Der Suchindex hat keinen Platz mehr. Die Betreiber können INDEX_DISK_MB erhöhen.',
  Searchable: 'Durchsuchbar',
  'Answers and search use all of it: {count} passages.': [
    'Antworten und Suche nutzen den ganzen Eintrag: 1 Textstelle.',
    'Antworten und Suche nutzen den ganzen Eintrag: {count} Textstellen.',
  ],
  'Not searchable': 'Nicht durchsuchbar',
  'Answers and search do not find it.': 'Antworten und Suche finden ihn nicht.',
  '{found} of {count} passages are found.': [
    '{found} von 1 Textstelle ist durchsuchbar.',
    '{found} von {count} Textstellen sind durchsuchbar.',
  ],
  'Searchable in part': 'Teilweise durchsuchbar',
  '{count} items': ['1 Eintrag', '{count} Einträge'],
  '{count}+ items': '{count}+ Einträge',
  'No tasks are made of it: reading its lists takes too long.':
    'Daraus entstehen keine Aufgaben: Seine Listen zu lesen dauert zu lange.',
  'Only its first 2,000 tasks are in the list of tasks.':
    'Nur seine ersten 2.000 Aufgaben stehen in der Liste der Aufgaben.',
  'Tasks in more than ten nested lists are not in the list of tasks.':
    'Aufgaben in mehr als zehn verschachtelten Listen stehen nicht in der Liste der Aufgaben.',
  'Tasks after the first 256 Ki characters are not in the list of tasks.':
    'Aufgaben nach den ersten 262.144 Zeichen stehen nicht in der Liste der Aufgaben.',
  'Search is catching up': 'Die Suche holt noch auf',
  'This item was removed, and no version of it is left.':
    'Dieser Eintrag wurde entfernt, und keine Version davon ist übrig.',
  'This item was removed. Its earlier versions are kept and can be restored.':
    'Dieser Eintrag wurde entfernt. Seine früheren Versionen sind erhalten und können wiederhergestellt werden.',
  'Versions, newest first': 'Versionen, die neueste zuerst',
  Erased: 'Gelöscht',
  Removed: 'Entfernt',
  'Shown to guests': 'Gästen gezeigt',
  'Hidden from guests': 'Vor Gästen verborgen',
  'The change': 'Die Änderung',
  'Restore this version': 'Diese Version wiederherstellen',
  'Restore this version?': 'Diese Version wiederherstellen?',
  Restore: 'Wiederherstellen',
  'The text of {when} by {author} becomes the newest version of {path}. The present text stays in the history.':
    'Der Text, den {author} {when} geschrieben hat, wird zur neuesten Version von {path}. Der jetzige Text bleibt im Verlauf.',
  'Who sees the item stays as it is: the team alone.':
    'An der Sichtbarkeit des Eintrags ändert sich nichts: Nur das Team sieht ihn.',
  'Who sees the item stays as it is.': 'An der Sichtbarkeit des Eintrags ändert sich nichts.',
  'Somebody has changed this item since you opened it, so nothing was overwritten. Close this, look at the newest version, and restore again if you still want to.':
    'Jemand hat diesen Eintrag geändert, seit du ihn geöffnet hast; deshalb wurde nichts überschrieben. Schließ dieses Fenster, sieh dir die neueste Version an und stell die alte dann wieder her, wenn du es noch willst.',
  '{who} erased it, with its versions.': '{who} hat ihn mit allen Versionen gelöscht.',
  '{who} removed it. This was its text:': '{who} hat ihn entfernt. Das war sein Text:',
  '{who} wrote it:': '{who} hat ihn geschrieben:',
  'What {who} changed:': 'Was {who} geändert hat:',
  'It was proposed by {member}.': 'Vorgeschlagen hat ihn {member}.',
  'With the key {key}.': 'Mit dem Schlüssel {key}.',
  'With the key {key}, in the browser.': 'Mit dem Schlüssel {key}, im Browser.',
  'With the key {key}, by a program that calls itself {program}.':
    'Mit dem Schlüssel {key}, durch ein Programm, das sich {program} nennt.',
  'To be checked since {day}': 'Zu prüfen seit {day}',
  'Copy path': 'Pfad kopieren',
  'What to see of the item': 'Was von dem Eintrag zu sehen ist',
  Source: 'Quelltext',
  'This item has no text.': 'Dieser Eintrag hat keinen Text.',
  'There is no such item': 'Diesen Eintrag gibt es nicht',
  'It may have been moved or removed, or your key does not open it.':
    'Er wurde vielleicht verschoben oder entfernt, oder du hast mit deinem Schlüssel keinen Zugriff darauf.',
  Files: 'Dateien',
  'Your last push of this file was refused, {when}: {detail} ({code})':
    'Deine letzte Änderung an dieser Datei wurde {when} abgelehnt: {detail} ({code})',
  'Another of these files has the same path.': 'Eine andere dieser Dateien hat denselben Pfad.',
  'It is not a Markdown file.': 'Das ist keine Markdown-Datei.',
  'It is larger than 1 MiB.': 'Sie ist größer als 1 MiB.',
  'Its path {fault}.': 'Der Pfad ist nicht erlaubt: {fault}.',
  'It is not text in UTF-8, or cannot be read.':
    'Das ist kein UTF-8-Text, oder die Datei lässt sich nicht lesen.',
  'Your key does not change this note.': 'Mit deinem Schlüssel kannst du diese Notiz nicht ändern.',
  'Its audience is the team, and your key writes only what guests see.':
    'Sie ist nur für das Team sichtbar; mit deinem Schlüssel kannst du nur schreiben, was auch Gäste sehen.',
  'It {message}.': 'Die Datei wird nicht angenommen: {message}.',
  Remove: 'Entfernen',
  'Remove this item?': 'Diesen Eintrag entfernen?',
  'Erase every version': 'Alle Versionen löschen',
  'Everybody loses sight of {row_key}, and so do lists, answers and searches.':
    'Niemand sieht {row_key} mehr, auch nicht in Listen, Antworten und Suchen.',
  'Its earlier versions': 'Seine früheren Versionen',
  'Nobody can read or restore any version again. This cannot be undone. Backups, and copies that people have pulled, keep it.':
    'Niemand kann mehr eine Version lesen oder wiederherstellen. Das lässt sich nicht rückgängig machen. In Backups und in heruntergeladenen Kopien bleibt der Eintrag erhalten.',
  'Members of the team can still read every version in the history, and restore it.':
    'Mitglieder des Teams können jede Version weiterhin im Verlauf lesen und wiederherstellen.',
  'Keep them': 'Behalten',
  'Erase every version?': 'Alle Versionen löschen?',
  Erase: 'Löschen',
  'Nobody can read or restore any version of {rowKey} again. This cannot be undone. Backups, and copies that people have pulled, keep it.':
    'Niemand kann mehr eine Version von {rowKey} lesen oder wiederherstellen. Das lässt sich nicht rückgängig machen. In Backups und in heruntergeladenen Kopien bleibt der Eintrag erhalten.',
  Searching: 'Suche läuft',
  '{names} names and {passages} passages found': '{names} Namen und {passages} Textstellen gefunden',
  'In this folder': 'In diesem Ordner',
  Passages: 'Textstellen',
  'Nothing fits these words.': 'Nichts passt zu diesen Wörtern.',
  Refused: 'Abgelehnt',
  Stored: 'Gespeichert',
  New: 'Neu',
  Changed: 'Geändert',
  Unchanged: 'Unverändert',
  'Upload notes': 'Notizen hochladen',
  'Go on': 'Weiter',
  'Upload {count} files': ['1 Datei hochladen', '{count} Dateien hochladen'],
  'Reading the files': 'Die Dateien werden gelesen',
  'Only the first {maxChosenFiles} files are looked at.':
    'Nur die ersten {maxChosenFiles} Dateien werden berücksichtigt.',
  'There is no file to upload. Hidden files are left out.':
    'Es gibt keine Datei zum Hochladen. Versteckte Dateien werden übergangen.',
  'Stored files': 'Gespeicherte Dateien',
  'Markdown files go into the outermost folder.': 'Markdown-Dateien kommen in den obersten Ordner.',
  'Markdown files go into {folder}.': 'Markdown-Dateien kommen in {folder}.',
  'You can also drop files or a folder onto the page. Nothing is sent before you have seen the list.':
    'Du kannst Dateien oder einen Ordner auch auf die Seite ziehen. Nichts wird gesendet, bevor du die Liste gesehen hast.',
  'A folder': 'Ein Ordner',
  'and {count} more': 'und {count} weitere',
  '{stored} stored. The limit of your key is reached; it goes on in {waitSeconds} s.':
    '{stored} gespeichert. Das Limit deines Schlüssels ist erreicht; in {waitSeconds} s geht es weiter.',
  'Nothing to upload.': 'Nichts hochzuladen.',
  '{stored} stored.': '{stored} gespeichert.',
  '{stored} stored, {waiting} to go.': '{stored} gespeichert, {waiting} fehlen noch.',
};
