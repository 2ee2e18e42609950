import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Tasks. */
export const tasks: Catalogue = {
  'An owner is a name of letters, digits and . _ -, without blanks.':
    'Wer zuständig ist, steht als Name aus Buchstaben, Ziffern und . _ - da, ohne Leerzeichen.',
  'There is no such day.': 'Diesen Tag gibt es nicht.',
  'A project is named by its slug: small letters, digits and hyphens.':
    'Ein Projekt wird mit seinem Kurznamen genannt: Kleinbuchstaben, Ziffern und Bindestriche.',
  'The project comes from the file that the task stands in.':
    'Das Projekt ergibt sich aus der Datei, in der die Aufgabe steht.',
  'This task is not written on one line. Change it in its text.':
    'Diese Aufgabe steht nicht auf einer Zeile. Ändere sie in ihrem Text.',
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
  any: 'beliebige',
  Overdue: 'Überfällig',
  'Due today': 'Heute fällig',
  'Due within a week': 'Innerhalb einer Woche fällig',
  'Due later': 'Später fällig',
  'Without a day': 'Ohne Tag',
  Past: 'Vergangen',
  'Every checkbox in the team’s task lists, in the words of the file it stands in.':
    'Jedes Kästchen in den Aufgabenlisten des Teams, in den Worten der Datei, in der es steht.',
  '{count} tasks': ['1 Aufgabe', '{count} Aufgaben'],
  'Loading more tasks': 'Weitere Aufgaben werden geladen',
  'No task fits': 'Keine Aufgabe passt',
  'Show all open tasks': 'Alle offenen Aufgaben zeigen',
  'No task has these words, status, owner, project and day together.':
    'Keine Aufgabe hat zugleich diese Wörter, diesen Status, diese Zuständigkeit, dieses Projekt und diesen Tag.',
  'No open tasks': 'Keine offenen Aufgaben',
  'The team has no open task that it shares with you.': 'Das Team teilt keine offene Aufgabe mit dir.',
  'No open tasks yet': 'Noch keine offenen Aufgaben',
  'A task is a checkbox in a file called tasks.md, or in a decision. Write one in a folder that is in step with the team:':
    'Eine Aufgabe ist ein Kästchen in einer Datei namens tasks.md oder in einer Entscheidung. Schreib eine in einem Ordner, der mit dem Team abgeglichen wird:',
};
