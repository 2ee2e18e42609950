import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Readiness. */
export const readiness: Catalogue = {
  'Instruction files': 'Anweisungsdateien',
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
  'Score over commits': 'Punktzahl im Lauf der Commits',
  'The score of each scanned commit, 0 to 100. The table of scans below has the same figures.':
    'Die Punktzahl jedes gescannten Commits, von 0 bis 100. Die Tabelle der Scans darunter enthält dieselben Zahlen.',
  'What the points of {headSha} came from': 'Woraus sich die Punkte von {headSha} ergeben',
  'Parts of the score': 'Bestandteile der Punktzahl',
  '{score} of 100, at most {most} without an instruction file':
    '{score} von 100, höchstens {most} ohne Anweisungsdatei',
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
  'By name': 'Nach Namen',
  'Highest score first': 'Höchste Punktzahl zuerst',
  'Largest gain first': 'Größter Zuwachs zuerst',
  'Codebases and their newest scans': 'Codebasen und ihre neuesten Scans',
  Codebase: 'Codebasis',
  'Since first scan': 'Seit dem ersten Scan',
  'Pillars passed': 'Bestandene Säulen',
  'Last commit': 'Letzter Commit',
  'No codebase was scanned yet': 'Noch wurde keine Codebasis gescannt',
  'A scan says what was found in a repository at one commit. Run it in a repository, by hand or in CI:':
    'Ein Scan hält fest, was in einem Repository bei einem bestimmten Commit gefunden wurde. Starte ihn in einem Repository, von Hand oder in der CI:',
  'One command runs the tests': 'Ein Befehl führt die Tests aus',
  'CI runs the tests': 'Die CI führt die Tests aus',
  'Dependencies are locked': 'Abhängigkeiten sind festgeschrieben',
  'Types are checked': 'Typen werden geprüft',
  'A linter is set up': 'Ein Linter ist eingerichtet',
  'Hooks check a change': 'Hooks prüfen eine Änderung',
  'One command makes it run': 'Ein Befehl bringt alles zum Laufen',
  'The runtime is pinned': 'Die Laufzeitumgebung ist festgelegt',
  'An example names the environment': 'Ein Beispiel nennt die Umgebungsvariablen',
  'There is an instruction file': 'Es gibt eine Anweisungsdatei',
  'Instructions are short': 'Anweisungen sind kurz',
  'Instructions name a test command that exists': 'Anweisungen nennen einen Testbefehl, den es gibt',
  'Paths in instructions exist': 'Pfade in Anweisungen existieren',
  'A README says what this is': 'Ein README erklärt, worum es geht',
  'A page says where what is': 'Eine Seite erklärt, was wo liegt',
  'No build output is tracked': 'Build-Ergebnisse liegen nicht in Git',
  'No secret files are tracked': 'Dateien mit Geheimnissen liegen nicht in Git',
  'Somebody reviews changes': 'Änderungen werden von jemandem geprüft',
  'It says what agents may do': 'Es ist festgelegt, was Agenten dürfen',
  'Add tests, and a script `test` in package.json, a target `test` in the Makefile, or what your tools expect.':
    'Ergänze Tests und ein Skript `test` in package.json, ein Target `test` im Makefile oder was deine Werkzeuge erwarten.',
  'Run the test command in CI for every change.': 'Führe den Testbefehl in der CI bei jeder Änderung aus.',
  'Commit the lock file of your package manager.': 'Nimm die Lock-Datei deiner Paketverwaltung in Git auf.',
  'Set up a type checker, such as tsc with checkJs, mypy, pyright, sorbet or phpstan.':
    'Richte eine Typprüfung ein, etwa tsc mit checkJs, mypy, pyright, sorbet oder phpstan.',
  'Set up the linter of your language, such as eslint, biome, ruff, clippy or golangci-lint.':
    'Richte den Linter deiner Sprache ein, etwa eslint, biome, ruff, clippy oder golangci-lint.',
  'Set up hooks, such as pre-commit, lefthook or husky, or hooks of your agent in .claude/settings.json.':
    'Richte Hooks ein, etwa pre-commit, lefthook oder husky, oder Hooks deines Agenten in .claude/settings.json.',
  'Add a script `start` or `dev`, a target `setup`, a compose file or a dev container.':
    'Ergänze ein Skript `start` oder `dev`, ein Target `setup`, eine Compose-Datei oder einen Dev-Container.',
  'Name the version, for example in .nvmrc, .python-version, rust-toolchain.toml, `engines` or `requires-python`.':
    'Leg die Version fest, zum Beispiel in .nvmrc, .python-version, rust-toolchain.toml, `engines` oder `requires-python`.',
  'Commit an .env.example with every setting and no secret.':
    'Nimm eine .env.example mit allen Einstellungen, aber ohne Geheimnisse, in Git auf.',
  'Write an AGENTS.md of a few lines by hand: what is not standard here, and how to run the tests.':
    'Schreib von Hand eine AGENTS.md mit wenigen Zeilen: was hier vom Üblichen abweicht und wie man die Tests ausführt.',
  'Keep every instruction file within 200 lines; move the rest into pages that it links.':
    'Beschränke jede Anweisungsdatei auf 200 Zeilen; verschieb den Rest auf Seiten, auf die sie verweist.',
  'Name the command that runs the tests, and correct the one that does not exist.':
    'Nenne den Befehl, der die Tests ausführt, und korrigiere den, den es nicht gibt.',
  'Correct or remove the path.': 'Korrigiere oder entferne den Pfad.',
  'Write a README: what it is, how to run it, how to test it.':
    'Schreib ein README: worum es geht, wie man es startet, wie man es testet.',
  'Write a docs/architecture.md that names the main folders and why they are so, or keep records of decisions.':
    'Schreib eine docs/architecture.md, die die wichtigsten Ordner nennt und begründet, oder halte Architekturentscheidungen fest.',
  'Remove it from git with `git rm --cached`, and name it in .gitignore.':
    'Entferne sie mit `git rm --cached` aus Git und trag sie in .gitignore ein.',
  'Remove the file, rotate what it held, and name it in .gitignore.':
    'Entferne die Datei, ersetze alle Geheimnisse darin und trag ihren Pfad in .gitignore ein.',
  'Add a CODEOWNERS file.': 'Ergänze eine CODEOWNERS-Datei.',
  'Add a dev container, or permissions for your agent, such as .claude/settings.json or .codex/config.toml.':
    'Ergänze einen Dev-Container oder Rechte für deinen Agenten, etwa .claude/settings.json oder .codex/config.toml.',
  'What to do next': 'Nächste Schritte',
  'Checks that failed in most codebases': 'Prüfungen, die in den meisten Codebasen nicht bestanden wurden',
  Check: 'Prüfung',
  'What to do': 'Was zu tun ist',
  'Checks of this scan': 'Prüfungen dieses Scans',
  'Checks and where they were decided': 'Prüfungen und woher ihr Ergebnis stammt',
  Result: 'Ergebnis',
  Where: 'Wo',
  passed: 'bestanden',
  failed: 'nicht bestanden',
  waived: 'ausgenommen',
  unknown: 'unbekannt',
};
