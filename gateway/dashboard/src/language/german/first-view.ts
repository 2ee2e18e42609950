import type { Catalogue } from '../catalogue.ts';

/**
 * The texts of the first view: of the frame and of the pages Ask and Sign in. The others are loaded after it.
 *
 * The reader is "du". The same thing has the same word everywhere: administrators = Verwaltung, answer = Antwort,
 * audience = Sichtbarkeit, audit log = Prüfprotokoll, cap = Obergrenze, decision = Entscheidung, front matter = Kopfdaten,
 * guest = Gast, handle = Kürzel, item = Eintrag, key = Schlüssel, keep in step = abgleichen, maturity = Reifegrad,
 * member = Mitglied, memory = Wissen, note = Notiz, passage = Textstelle, project = Projekt, readiness = Eignung,
 * refusal = Ablehnung, session = Sitzung, slug = Kurzname, snapshot = Momentaufnahme, source = Quelle, task = Aufgabe,
 * tier = Sicht, version = Fassung; remove = entfernen, erase = löschen, hide = ausblenden, revoke = widerrufen.
 */
export const firstView: Catalogue = {
  'Not found': 'Nicht gefunden',
  'There is no such page': 'Diese Seite gibt es nicht',
  'The link may be old, or lead to a page that your key does not open.':
    'Der Link ist vielleicht veraltet oder führt zu einer Seite, die dein Schlüssel nicht öffnet.',
  'Guests too': 'Auch Gäste',
  Team: 'Team',
  'By a guest': 'Von einem Gast',
  Copied: 'Kopiert',
  'Select it and copy by hand': 'Bitte markieren und von Hand kopieren',
  Copy: 'Kopieren',
  Close: 'Schließen',
  Cancel: 'Abbrechen',
  'Your key': 'Dein Schlüssel',
  'It begins with tms_ and is exchanged for a session of 12 hours. The browser does not keep it.':
    'Er beginnt mit tms_ und wird gegen eine Sitzung von 12 Stunden eingetauscht. Der Browser behält ihn nicht.',
  'A key is shown once, when it is made. An administrator of your team can make a new one; whoever runs this service knows who that is.':
    'Ein Schlüssel wird nur einmal angezeigt, nämlich wenn er erstellt wird. Wer dein Team verwaltet, kann einen neuen erstellen; wer diesen Dienst betreibt, weiß, wer das ist.',
  'Sign in': 'Anmelden',
  'The text could not be shown. Reload the page.':
    'Der Text konnte nicht angezeigt werden. Lade die Seite neu.',
  'Request {requestId}': 'Anfrage {requestId}',
  'Try again': 'Noch einmal versuchen',
  Loading: 'Wird geladen',
  'The service cannot be reached. This page goes on as soon as it answers again.':
    'Der Dienst ist nicht erreichbar. Diese Seite macht weiter, sobald er wieder antwortet.',
  'Your session has ended': 'Deine Sitzung ist beendet',
  'Sign in again to go on; what you typed is still here. You can also sign in in another tab of this browser, with your organisation or with {code}.':
    'Melde dich wieder an, um weiterzumachen; was du geschrieben hast, ist noch da. Du kannst dich auch in einem anderen Tab dieses Browsers anmelden, über deine Organisation oder mit {code}.',
  Ask: 'Fragen',
  Memory: 'Wissen',
  'What’s new': 'Neues',
  Tasks: 'Aufgaben',
  Decisions: 'Entscheidungen',
  Projects: 'Projekte',
  Connect: 'Verbinden',
  Money: 'Kosten',
  Readiness: 'Eignung',
  Maturity: 'Reifegrad',
  'Skip to the page': 'Direkt zum Inhalt',
  'Close the list of pages': 'Liste der Seiten schließen',
  'Show the list of pages': 'Liste der Seiten zeigen',
  'Team, pages and account': 'Team, Seiten und Konto',
  'This page could not be loaded. Reload if trying again does not help.':
    'Diese Seite konnte nicht geladen werden. Lade sie neu, wenn ein weiterer Versuch nicht hilft.',
  Pages: 'Seiten',
  Guest: 'Gast',
  Admin: 'Admin',
  'Read only': 'Nur lesen',
  'Sign out': 'Abmelden',
  'Sign out everywhere': 'Überall abmelden',
  Colours: 'Farben',
  'As the system': 'Wie das System',
  Light: 'Hell',
  Dark: 'Dunkel',
  'Help with the API': 'Hilfe zur API',
  'Version {version}': 'Version {version}',
  Answer: 'Antwort',
  'Asked together with: {after}': 'Zusammen gefragt mit: {after}',
  'Searching what the team knows…': 'Das Wissen des Teams wird durchsucht …',
  'You stopped this answer.': 'Du hast diese Antwort abgebrochen.',
  'This answer is not complete.': 'Diese Antwort ist unvollständig.',
  Sources: 'Quellen',
  'The answer is not complete.': 'Die Antwort ist unvollständig.',
  'The answer is complete, with {count} sources.': [
    'Die Antwort ist vollständig, mit 1 Quelle.',
    'Die Antwort ist vollständig, mit {count} Quellen.',
  ],
  'Follow-up question': 'Anschlussfrage',
  'Follow up, such as: And in winter?': 'Nachfragen, zum Beispiel: Und im Winter?',
  'Follow up': 'Nachfragen',
  'Ask again': 'Noch einmal fragen',
  'Copy as Markdown': 'Als Markdown kopieren',
  'Copy a link to this question': 'Link zu dieser Frage kopieren',
  'Asked {when}': 'Gefragt {when}',
  'Source {number}': 'Quelle {number}',
  'Answers come from what your team has written down, and say where.':
    'Die Antworten stammen aus dem, was dein Team aufgeschrieben hat, und nennen die Stelle.',
  'Your question': 'Deine Frage',
  'What would you like to know?': 'Was möchtest du wissen?',
  'It is asked together with: {after}': 'Wird zusammen gefragt mit: {after}',
  'Enter asks, Shift and Enter begins a new line.':
    'Die Eingabetaste fragt, mit Umschalt beginnt sie eine neue Zeile.',
  Stop: 'Anhalten',
  decision: 'Entscheidung',
  project: 'Projekt',
  'Source {number}: {title}': 'Quelle {number}: {title}',
  'Close the source': 'Quelle schließen',
  'Open it whole': 'Ganz öffnen',
  'Questions you asked': 'Deine Fragen',
  'Forget them': 'Vergessen',
  'With their answers they are kept in this browser only: the last 30, for 30 days, until you sign out.':
    'Sie werden mit ihren Antworten nur in diesem Browser aufbewahrt: die letzten 30, für 30 Tage, bis du dich abmeldest.',
  'after “{question}”': 'nach „{question}“',
  'Show all {count}': 'Alle {count} zeigen',
  'It helped': 'Hat geholfen',
  'It did not help': 'Hat nicht geholfen',
  'Tell administrators': 'Der Verwaltung melden',
  'You told the administrators that this answer helped.':
    'Du hast der Verwaltung gemeldet, dass diese Antwort geholfen hat.',
  'You told the administrators that this answer did not help.':
    'Du hast der Verwaltung gemeldet, dass diese Antwort nicht geholfen hat.',
  'You told the administrators that this question got no answer.':
    'Du hast der Verwaltung gemeldet, dass diese Frage keine Antwort bekam.',
  'Did this answer help? Administrators see your question only if you tell them.':
    'Hat diese Antwort geholfen? Die Verwaltung sieht deine Frage nur, wenn du sie meldest.',
  'Administrators see your question only if you tell them.':
    'Die Verwaltung sieht deine Frage nur, wenn du sie meldest.',
  'Take it back': 'Zurücknehmen',
  'This answer helped': 'Diese Antwort hat geholfen',
  'This answer did not help': 'Diese Antwort hat nicht geholfen',
  'This question got no answer': 'Diese Frage bekam keine Antwort',
  'Send to administrators': 'An die Verwaltung senden',
  'Administrators of your team will see your name, this question, and what you write here:':
    'Wer dein Team verwaltet, sieht deinen Namen, diese Frage und was du hier schreibst:',
  'In your words (optional)': 'In deinen Worten (freiwillig)',
  'What did you look for? (optional)': 'Was hast du gesucht? (freiwillig)',
  'The answer ended before it was complete. Ask again.':
    'Die Antwort brach ab, bevor sie vollständig war. Frage noch einmal.',
  Proposed: 'Vorgeschlagen',
  Accepted: 'Angenommen',
  Superseded: 'Abgelöst',
  Rejected: 'Abgelehnt',
  'With the command line': 'Mit der Kommandozeile',
  'The sign-in was cancelled.': 'Die Anmeldung wurde abgebrochen.',
  'The sign-in took too long or was begun in another browser. Try again.':
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Browser begonnen. Versuche es noch einmal.',
  'This is not the short name of a team: use a to z, 0 to 9 and hyphens.':
    'Das ist kein Kurzname eines Teams: Er besteht aus a bis z, 0 bis 9 und Bindestrichen.',
  'The sign-in of your organisation cannot be reached right now. Try again in a moment.':
    'Die Anmeldung deiner Organisation ist gerade nicht erreichbar. Versuche es gleich noch einmal.',
  'The sign-in of your organisation gave an answer that this service does not accept. Tell whoever runs this service.':
    'Die Anmeldung deiner Organisation gab eine Antwort, die dieser Dienst nicht annimmt. Sag es dem, der diesen Dienst betreibt.',
  'The service cannot sign you in right now. Try again in a moment.':
    'Der Dienst kann dich gerade nicht anmelden. Versuche es gleich noch einmal.',
  'No member of this team signs in with your mail address. Ask an administrator of the team to add it.':
    'Kein Mitglied dieses Teams meldet sich mit deiner Mailadresse an. Bitte die Verwaltung des Teams, sie einzutragen.',
  'Your organisation does not say that your mail address is verified. Ask who manages your account there.':
    'Deine Organisation sagt nicht, dass deine Mailadresse bestätigt ist. Frage, wer dort dein Konto verwaltet.',
  'Sign in to Team Memory': 'Bei Team Memory anmelden',
  'You are signed in as {member} of {team}. <a>Go on</a>':
    'Du bist als {member} von {team} angemeldet. <a>Weiter</a>',
  'Where tms has your key, this opens the dashboard without typing it:':
    'Wo tms deinen Schlüssel hat, öffnet das diese Oberfläche, ohne dass du ihn eintippst:',
  'Your team': 'Dein Team',
  'The short name of your team, such as rivers.': 'Der Kurzname deines Teams, zum Beispiel rivers.',
  'Sign in with your organisation': 'Über deine Organisation anmelden',
  'Find or do': 'Finden oder tun',
  'Find or do {command}': 'Finden oder tun {command}',
  'The service did not answer in time. Try again.':
    'Der Dienst hat nicht rechtzeitig geantwortet. Versuche es noch einmal.',
  'The service answered with status {status}.': 'Der Dienst hat mit dem Status {status} geantwortet.',
  'The call was cancelled.': 'Der Aufruf wurde abgebrochen.',
  'The service cannot be reached. Check that it runs and that you are connected.':
    'Der Dienst ist nicht erreichbar. Prüfe, ob er läuft und ob du verbunden bist.',
};
