import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Maturity. */
export const maturity: Catalogue = {
  Verification: 'Überprüfung',
  'Context hygiene': 'Kontextpflege',
  Autonomy: 'Selbstständigkeit',
  Learning: 'Lernen',
  'Cost governance': 'Kostenkontrolle',
  'How your team works with agents. Only groups of at least three are shown, so nobody’s figures can be told.':
    'Wie dein Team mit Agenten arbeitet. Gezeigt werden nur Gruppen von mindestens drei, damit niemandes Zahlen zu erkennen sind.',
  'Members at each level': 'Mitglieder auf jeder Stufe',
  '{count} members sent snapshots. Each level counts groups of at least three neighbours, at their mean.':
    '{count} Mitglieder haben Momentaufnahmen geschickt. Jede Stufe zählt Gruppen von mindestens drei Nachbarn, bei ihrem Mittelwert.',
  'Median of each axis': 'Median jeder Achse',
  '{value} of {highest}': '{value} von {highest}',
  'In steps of half a point.': 'In Schritten von einem halben Punkt.',
  'Week by week': 'Woche für Woche',
  'The median of each axis in each week, 0 to 4. The table below has the same figures.':
    'Der Median jeder Achse in jeder Woche, von 0 bis 4. Die Tabelle darunter hat dieselben Zahlen.',
  'The median of each axis in each week': 'Der Median jeder Achse in jeder Woche',
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
    'Bei weniger als drei Menschen könnte man erkennen, wessen Zahlen es sind. Sie erscheinen, sobald ein drittes Mitglied Momentaufnahmen schickt.',
  'Nobody has sent a snapshot yet': 'Noch hat niemand eine Momentaufnahme geschickt',
  'A snapshot has ratios and counts of one member’s week with agents, never what was said. This sends an example for yourself:':
    'Eine Momentaufnahme enthält Verhältnisse und Anzahlen einer Woche eines Mitglieds mit Agenten, nie das Gesagte. Das schickt ein Beispiel für dich selbst:',
  'Day of your snapshot': 'Tag deiner Momentaufnahme',
  '{spine} from {sessions} sessions and {tasks} tasks in {windowDays} days':
    '{spine} aus {sessions} Sitzungen und {tasks} Aufgaben in {windowDays} Tagen',
  'What each level asks for': 'Was jede Stufe verlangt',
  'Conditions of the levels': 'Bedingungen der Stufen',
  Level: 'Stufe',
  Measure: 'Maß',
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
};
