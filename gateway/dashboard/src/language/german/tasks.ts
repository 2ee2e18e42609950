import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Tasks. */
export const tasks: Catalogue = {
  'An owner is a name of letters, digits and . _ -, without blanks.':
    'Ein Name aus Buchstaben, Ziffern und . _ -, ohne Leerzeichen.',
  'There is no such day.': 'Diesen Tag gibt es nicht.',
  'A project is named by its slug: small letters, digits and hyphens.':
    'Gib den Kurznamen des Projekts an: Kleinbuchstaben, Ziffern und Bindestriche.',
  'The project comes from the file that the task stands in.':
    'Das Projekt ergibt sich aus der Datei, in der die Aufgabe steht.',
  'This task is not written on one line. Change it in its text.':
    'Diese Aufgabe steht nicht in einer einzigen Zeile. Ändere sie im Text der Datei.',
  'Edit {title}': '{title} bearbeiten',
  'Edit task': 'Aufgabe bearbeiten',
  'New task': 'Neue Aufgabe',
  'Add task': 'Aufgabe hinzufügen',
  Task: 'Aufgabe',
  List: 'Liste',
  'It is added at the end of this file.': 'Sie wird ans Ende dieser Datei angefügt.',
  '{newLog} (new)': '{newLog} (neu)',
  Owner: 'Zuständig',
  nobody: 'niemand',
  'Due on': 'Fällig am',
  'Somebody has changed this task since it was shown. Look at it again.':
    'Jemand hat diese Aufgabe geändert, seit sie gezeigt wurde. Sieh sie dir noch einmal an.',
  'Which tasks': 'Welche Aufgaben',
  Open: 'Offen',
  Done: 'Erledigt',
  Cancelled: 'Abgebrochen',
  Anybody: 'Alle',
  Any: 'Alle',
  'Due on or before': 'Fällig bis',
  'Everybody’s': 'Die von allen',
  'Only mine': 'Nur meine',
  Words: 'Wörter',
  any: 'beliebig',
  Overdue: 'Überfällig',
  'Due today': 'Heute fällig',
  'Due within a week': 'Fällig innerhalb einer Woche',
  'Due later': 'Später fällig',
  'Without a day': 'Ohne Termin',
  Past: 'Vergangen',
  'Every checkbox in the team’s task lists, in the words of the file it stands in.':
    'Alle Kästchen aus den Aufgabenlisten des Teams, im Wortlaut ihrer Dateien.',
  '{count} tasks': ['1 Aufgabe', '{count} Aufgaben'],
  'Loading more tasks': 'Weitere Aufgaben werden geladen',
  'No task fits': 'Keine Aufgabe passt',
  'Show all open tasks': 'Alle offenen Aufgaben anzeigen',
  'No task has these words, status, owner, project and day together.':
    'Keine Aufgabe passt zugleich zu Wörtern, Status, Zuständigkeit, Projekt und Termin.',
  'No open tasks': 'Keine offenen Aufgaben',
  'The team has no open task that it shares with you.':
    'Das Team teilt zurzeit keine offene Aufgabe mit dir.',
  'No open tasks yet': 'Noch keine offenen Aufgaben',
  'A task is a checkbox in a file called tasks.md, or in a decision. Write one in a folder that is in step with the team:':
    'Eine Aufgabe ist ein Kästchen in einer Datei namens tasks.md oder in einer Entscheidung. Schreib eine in einem Ordner, der mit dem Team synchronisiert wird:',
};
