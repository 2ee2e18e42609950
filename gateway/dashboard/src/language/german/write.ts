import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Write. */
export const write: Catalogue = {
  'Front matter': 'Kopfdaten',
  'It cannot be read, and the note cannot be saved until it can: {problem}. Correct it in the text.':
    'Die Kopfdaten sind nicht lesbar: {problem}. Korrigiere sie im Text; vorher lässt sich die Notiz nicht speichern.',
  'Another field': 'Weiteres Feld',
  'such as tags or status': 'zum Beispiel tags oder status',
  'There is a field of this name.': 'Ein Feld mit diesem Namen gibt es schon.',
  'Add field': 'Feld hinzufügen',
  'With commas between the entries.': 'Mehrere Werte mit Kommas trennen.',
  'Change it in the text.': 'Ändere es im Text.',
  'Remove {name}': '{name} entfernen',
  'it is longer than 32 KiB': 'sie sind länger als 32 KiB',
  'it is nested too deeply': 'sie sind zu tief verschachtelt',
  'Everybody from outside with a guest key of this team will see all of this, and can search it and ask about it. Their tools may keep a copy. You can take it back to the team later, but what was read cannot be unread. Earlier versions stay with the team.':
    'Alle Externen mit einem Gastschlüssel dieses Teams sehen dann all das und können es durchsuchen und Fragen dazu stellen. Ihre Programme behalten vielleicht eine Kopie. Du kannst es später wieder auf das Team beschränken, aber was gelesen wurde, bleibt gelesen. Frühere Versionen bleiben beim Team.',
  'What guests will see': 'Was Gäste sehen werden',
  '{path}, by {member}': '{path}, von {member}',
  'others wrote it last': 'andere haben sie zuletzt geschrieben',
  'Its text cannot be read for links. Change them by hand.':
    'Ihr Text lässt sich nicht nach Links durchsuchen. Ändere sie von Hand.',
  'Some links still lead to the old path': 'Einige Links führen noch zum alten Pfad',
  'Open the note': 'Notiz öffnen',
  '{count} notes were changed. These were not:': [
    'Eine Notiz wurde geändert, diese nicht:',
    '{count} Notizen wurden geändert, diese nicht:',
  ],
  'Links to the note that you moved': 'Links zu der Notiz, die du verschoben hast',
  'Leave them': 'So lassen',
  'Change their links': 'Links anpassen',
  'It is saved as {to}. Looking for links to it: {count} notes read.':
    'Sie ist als {to} gespeichert. Links zu ihr werden gesucht: {count} Notizen gelesen.',
  '{count} notes link here.': ['Eine Notiz verweist hierher.', '{count} Notizen verweisen hierher.'],
  '{count} links': ['1 Link', '{count} Links'],
  'The links in these notes stay as they are:': 'Die Links in diesen Notizen bleiben, wie sie sind:',
  'A new note': 'Eine neue Notiz',
  'The note': 'Die Notiz',
  Path: 'Pfad',
  'Saving moves it here from {path}. Then you choose whether links in other notes follow.':
    'Beim Speichern wird sie von {path} hierher verschoben. Danach entscheidest du, ob Links in anderen Notizen angepasst werden.',
  'Markdown. {code} links to another note. Ctrl-S saves.':
    'Markdown. {code} verweist auf eine andere Notiz. Strg+S speichert.',
  'Create note': 'Notiz anlegen',
  'Loading the editor': 'Editor wird geladen',
  'A note needs a name, such as notes/harbour.md.':
    'Eine Notiz braucht einen Namen, zum Beispiel notes/harbour.md.',
  'Somebody removed this note meanwhile. Save again to make it anew.':
    'Jemand hat diese Notiz inzwischen entfernt. Speichere noch einmal, um sie neu anzulegen.',
  'Saved.': 'Gespeichert.',
  'Saved, together with what somebody else wrote meanwhile.':
    'Gespeichert, zusammen mit dem, was inzwischen jemand anderes geschrieben hat.',
  'Guests lose sight of it as soon as you save.': 'Gäste sehen es nicht mehr, sobald du speicherst.',
  'The team and its guests see it as soon as you save. Kept in this browser until then.':
    'Das Team und seine Gäste sehen es, sobald du speicherst. Bis dahin bleibt es nur in diesem Browser.',
  'The team sees it as soon as you save. Kept in this browser until then.':
    'Das Team sieht es, sobald du speicherst. Bis dahin bleibt es nur in diesem Browser.',
  'Others change this note again and again. Try again in a moment.':
    'Andere ändern diese Notiz immer wieder. Versuch es gleich noch einmal.',
  'It is saved as {to}, and {path} is still there: {message}':
    'Sie ist als {to} gespeichert, aber {path} ist noch da: {message}',
  'There is another note with this path. Choose a path that is free.':
    'Es gibt eine andere Notiz mit diesem Pfad. Wähle einen freien Pfad.',
  'Edit note': 'Notiz bearbeiten',
  'Your key does not write this note': 'Mit deinem Schlüssel kannst du diese Notiz nicht schreiben',
  'Notes are written by those whose key may write.':
    'Notizen schreiben alle, deren Schlüssel schreiben darf.',
};
