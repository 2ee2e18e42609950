import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Maturity. */
export const maturity: Catalogue = {
  Verification: 'Überprüfung',
  'Context hygiene': 'Kontextpflege',
  Autonomy: 'Selbstständigkeit',
  Learning: 'Lernen',
  'Cost governance': 'Kostenkontrolle',
  'How your team works with agents. Only groups of at least three are shown, so nobody’s figures can be told.':
    'Wie dein Team mit Agenten arbeitet. Gezeigt werden nur Gruppen von mindestens drei Mitgliedern, damit sich keine Zahl einer Person zuordnen lässt.',
  'Members at each level': 'Mitglieder je Stufe',
  '{count} members sent snapshots. Each level counts groups of at least three neighbours, at their mean.':
    '{count} Mitglieder haben Momentaufnahmen geschickt. Gezählt werden Gruppen von mindestens drei Mitgliedern mit ähnlichen Werten, auf der Stufe ihres Mittelwerts.',
  'Median of each axis': 'Median je Achse',
  '{value} of {highest}': '{value} von {highest}',
  'In steps of half a point.': 'In Schritten von einem halben Punkt.',
  'Week by week': 'Woche für Woche',
  'The median of each axis in each week, 0 to 4. The table below has the same figures.':
    'Der Median je Achse und Woche, von 0 bis 4. Die Tabelle darunter enthält dieselben Zahlen.',
  'The median of each axis in each week': 'Der Median je Achse und Woche',
  'Week of': 'Woche vom',
  Members: 'Mitglieder',
  'A week of one or two members is withheld.':
    'Eine Woche mit einem oder zwei Mitgliedern wird nicht gezeigt.',
  withheld: 'verborgen',
  '{count} members have sent snapshots, and the figures are withheld.': [
    '1 Mitglied hat Momentaufnahmen geschickt, und die Zahlen bleiben verborgen.',
    '{count} Mitglieder haben Momentaufnahmen geschickt, und die Zahlen bleiben verborgen.',
  ],
  'From the figures of fewer than three people one could tell whose they are. They appear when a third member sends snapshots.':
    'Bei weniger als drei Personen könnte man erkennen, wessen Zahlen es sind. Sie erscheinen, sobald ein drittes Mitglied Momentaufnahmen schickt.',
  'Nobody has sent a snapshot yet': 'Noch hat niemand eine Momentaufnahme geschickt',
  'Day of your snapshot': 'Tag deiner Momentaufnahme',
  '{spine} from {sessions} sessions and {tasks} tasks in {windowDays} days':
    '{spine} aus {sessions} Sitzungen und {tasks} Aufgaben in {windowDays} Tagen',
  'What each level asks for': 'Was jede Stufe verlangt',
  'Conditions of the levels': 'Bedingungen der Stufen',
  Level: 'Stufe',
  Measure: 'Messgröße',
  'At least': 'Mindestens',
  Met: 'Erfüllt',
  yes: 'ja',
  'not yet': 'noch nicht',
  'not measured': 'nicht gemessen',
  'What {axis} came from': 'Woraus sich {axis} ergibt',
  Signal: 'Signal',
  Measured: 'Gemessen',
  Weight: 'Gewicht',
  'Rating, 0 to 1': 'Bewertung, 0 bis 1',
  Points: 'Punkte',
  'A snapshot has ratios and counts of one member’s week with agents, never what was said. This counts yours on your machine, and asks before it sends them:':
    'Eine Momentaufnahme enthält nur Anzahlen und Anteile aus der Woche eines Mitglieds mit Agenten, nie den Inhalt der Gespräche. Dieser Befehl ermittelt deine Zahlen auf deinem Rechner und fragt, bevor er sie schickt:',
  'Work with an agent, and report it.': 'Arbeite mit einem Agenten und schick eine Momentaufnahme.',
  'Give an agent a task, and report it.': 'Gib einem Agenten eine Aufgabe und schick eine Momentaufnahme.',
  'Let agents search, edit, run commands and use tools of your team, instead of only answering.':
    'Lass Agenten suchen, ändern, Befehle ausführen und Werkzeuge deines Teams benutzen, statt nur zu antworten.',
  'Begin a new session for each task and keep instructions short: more input then comes from the cache, and tasks take fewer tokens.':
    'Beginne für jede Aufgabe eine neue Sitzung und halte Anweisungen kurz: Dann kommt mehr Eingabe aus dem Cache, und Aufgaben brauchen weniger Tokens.',
  'Give agents whole tasks that end with a change, not only questions.':
    'Gib Agenten ganze Aufgaben, die mit einer Änderung enden, nicht nur Fragen.',
  'Let agents run tests, a linter and the build after each change, and mend what fails.':
    'Lass Agenten nach jeder Änderung Tests, einen Linter und den Build ausführen und Fehler beheben.',
  'Let agents hand parts of larger tasks to agents of their own.':
    'Lass Agenten Teile größerer Aufgaben an eigene Agenten weitergeben.',
  'Write down what went wrong, in instructions or notes, so that fewer calls fail the next time.':
    'Schreib in Anweisungen oder Notizen auf, was schiefging, damit beim nächsten Mal weniger Aufrufe fehlschlagen.',
  'What raises you to {level}': 'So erreichst du {level}',
  '{measure} is {value} and must be at least {atLeast}.':
    '{measure}: {value}, nötig ist mindestens {atLeast}.',
};
