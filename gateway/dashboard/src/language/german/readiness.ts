import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Readiness. */
export const readiness: Catalogue = {
  'Instruction files': 'Anleitungsdateien',
  Skills: 'Skills',
  Commands: 'Befehle',
  'Checks passed': 'Bestandene Prüfungen',
  'All codebases': 'Alle Codebasen',
  Scans: 'Scans',
  'Scans of {slug}, the newest first': 'Scans von {slug}, der neueste zuerst',
  Commit: 'Commit',
  Score: 'Punktzahl',
  Scanned: 'Gescannt',
  Explain: 'Erklären',
  'Explain the score of {headSha}': 'Die Punktzahl von {headSha} erklären',
  'Score over commits': 'Punktzahl über die Commits',
  'The score of each scanned commit, 0 to 100. The table of scans below has the same figures.':
    'Die Punktzahl jedes gescannten Commits, von 0 bis 100. Die Tabelle der Scans darunter hat dieselben Zahlen.',
  'What the points of {headSha} came from': 'Woraus sich die Punkte von {headSha} ergeben',
  'Parts of the score': 'Teile der Punktzahl',
  '{score} of 100, at most {most} without an instruction file':
    '{score} von 100, höchstens {most} ohne Anleitungsdatei',
  '{score} of 100': '{score} von 100',
  '{points} of {maxPoints}': '{points} von {maxPoints}',
  Pillars: 'Säulen',
  'Checks by pillar': 'Prüfungen nach Säule',
  'This scan names no pillars.': 'Dieser Scan nennt keine Säulen.',
  '{passed} of {total}': '{passed} von {total}',
  'How well agents can work in your codebases, from the scans that your team pushed.':
    'Wie gut Agenten in euren Codebasen arbeiten können, nach den Scans, die dein Team geschickt hat.',
  Codebases: 'Codebasen',
  'Order of the codebases': 'Reihenfolge der Codebasen',
  'By name': 'Nach Name',
  'Highest score first': 'Höchste Punktzahl zuerst',
  'Largest gain first': 'Größter Gewinn zuerst',
  'Codebases and their newest scans': 'Codebasen und ihre neuesten Scans',
  Codebase: 'Codebasis',
  'Since first scan': 'Seit dem ersten Scan',
  'Pillars passed': 'Bestandene Säulen',
  'Last commit': 'Letzter Commit',
  'No codebase was scanned yet': 'Noch wurde keine Codebasis gescannt',
  'A scan says what was found in a repository at one commit. Run it in a repository, by hand or in CI:':
    'Ein Scan sagt, was bei einem Commit in einem Repository gefunden wurde. Starte ihn in einem Repository, von Hand oder in der CI:',
};
