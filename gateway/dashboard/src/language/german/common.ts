import type { Catalogue } from '../catalogue.ts';

/** Texts of components, of what the page Ask shows after its first view, and of the palette. */
export const common: Catalogue = {
  'The team only': 'Nur das Team',
  'The team and its guests': 'Das Team und seine Gäste',
  'Members of the team, and what they ask with a team key. Guests get no sign of it.':
    'Mitglieder des Teams und ihre Programme mit Teamschlüssel. Gäste erfahren nichts davon.',
  'Also everybody from outside who has a guest key of this team. They see the text and its tasks.':
    'Auch alle Externen, die einen Gastschlüssel dieses Teams haben. Sie sehen den Text und seine Aufgaben.',
  'Who will see it': 'Wer es sehen wird',
  'Show it to guests?': 'Gästen zeigen?',
  'Show it to guests': 'Gästen zeigen',
  Differences: 'Unterschiede',
  Comparing: 'Wird verglichen',
  'The two texts have too little in common to compare them line by line.':
    'Die beiden Texte haben zu wenig gemeinsam, um sie Zeile für Zeile zu vergleichen.',
  'The text is the same.': 'Der Text ist gleich.',
  'Line {line}': 'Zeile {line}',
  'There are more lines than are shown here.': 'Es gibt mehr Zeilen, als hier gezeigt werden.',
  Discard: 'Verwerfen',
  You: 'Du',
  '{author} saved another version {when}, while you were writing. Nothing is lost: choose what stays of each difference, then look at the result and save it.':
    '{author} hat {when} eine andere Version gespeichert, während du geschrieben hast. Nichts ist verloren: Wähle bei jedem Unterschied, was bleibt, sieh dir dann das Ergebnis an und speichere es.',
  'Take all of theirs': 'Alles aus der anderen Version übernehmen',
  'Keep all of mine': 'Alles aus deiner Version behalten',
  Details: 'Angaben',
  Text: 'Text',
  'Here the texts differ': 'Hier unterscheiden sich die Texte',
  'Go on with this': 'Damit weitermachen',
  nothing: 'nichts',
  'Keep both, one below the other': 'Beides behalten, untereinander',
  Image: 'Bild',
  done: 'erledigt',
  open: 'offen',
  'This text is shown as it is, because it is too long, too deeply nested or too slow to be laid out.':
    'Dieser Text wird unformatiert angezeigt, weil er zu lang oder zu tief verschachtelt ist oder das Formatieren zu lange dauert.',
  'First steps': 'Erste Schritte',
  'Your system': 'Dein System',
  'Get a folder of notes in': 'Einen Ordner mit Notizen hinzufügen',
  '<link>Drop the files on the page Memory</link>, or keep a folder in step with the command line. It needs Node.js 20 or newer, and a file that whoever runs this service gives you:':
    '<link>Zieh die Dateien auf die Seite Wissen</link>, oder synchronisiere einen Ordner über die Kommandozeile. Dafür brauchst du Node.js 20 oder neuer und eine Datei, die du von den Betreibern dieses Dienstes bekommst:',
  'The first of these commands asks for your key; put your own folder in the place of “notes”.':
    'Der erste dieser Befehle fragt nach deinem Schlüssel; ersetze „notes“ durch deinen eigenen Ordner.',
  'Connect an agent': 'Einen Agenten verbinden',
  '<link>Make a key for it on the page Connect</link>, which shows what to paste. It searches, reads and asks what the team knows.':
    '<link>Erstelle auf der Seite Verbinden einen Schlüssel für ihn</link>; dort steht auch, was du einfügen musst. Er durchsucht und liest das Wissen des Teams und stellt Fragen dazu.',
  'Invite somebody': 'Jemanden einladen',
  '<link>Make a link on the page Team</link>. Whoever opens it chooses a name and gets a key.':
    '<link>Erstelle auf der Seite Team einen Link</link>. Wer ihn öffnet, wählt einen Namen und bekommt einen Schlüssel.',
  'Type a question above. The answer says where it comes from.':
    'Stelle oben eine Frage. Die Antwort sagt, woher sie kommt.',
  'Since you were here': 'Seit du hier warst',
  'In the last 7 days': 'In den letzten 7 Tagen',
  'Nobody else has changed anything since you were here.':
    'Niemand sonst hat etwas geändert, seit du hier warst.',
  'Nobody else has changed anything in the last 7 days.':
    'Niemand sonst hat in den letzten 7 Tagen etwas geändert.',
  'Your open tasks': 'Deine offenen Aufgaben',
  'All your tasks': 'Alle deine Aufgaben',
  'No open task has the owner @{member}.': 'Für keine offene Aufgabe ist @{member} zuständig.',
  'Waiting for a decision': 'Wartet auf eine Entscheidung',
  'All that are proposed': 'Alle vorgeschlagenen',
  '{label} (more than {count})': '{label} (mehr als {count})',
  'To be checked': 'Zu prüfen',
  'All your notes to check': 'Alle deine zu prüfenden Notizen',
  'since {day}': 'seit {day}',
  'Ask “{words}”': 'Frage stellen: „{words}“',
  'Search for “{words}”': 'Nach „{words}“ suchen',
  'Write a new note': 'Eine neue Notiz schreiben',
  'Write a new decision': 'Eine neue Entscheidung schreiben',
  'Show my tasks': 'Meine Aufgaben anzeigen',
  'open tasks': 'offene Aufgaben',
  'Words of a title, a path, a text, or a page':
    'Wörter aus einem Titel, einem Pfad oder einem Text, oder der Name einer Seite',
  'Notes, decisions, tasks, projects, people, pages':
    'Notizen, Entscheidungen, Aufgaben, Projekte, Personen, Seiten',
  '{count} found': '{count} gefunden',
  'In the text': 'Im Text',
  'What fits': 'Treffer',
  'The note cannot be put together. Edit its text.':
    'Kopfdaten und Text der Notiz lassen sich nicht zusammenfügen. Bearbeite ihren Text.',
  'It says that it is private, and stays in this browser. Correct its audience.':
    'Laut ihren Kopfdaten ist sie privat; deshalb bleibt sie in diesem Browser. Korrigiere ihre Sichtbarkeit.',
};
