import type { Catalogue } from '../catalogue.ts';

/**
 * The texts of the first view: of the frame and of the pages Ask and Sign in. The others are loaded after it.
 *
 * The reader is "du". The same thing has the same word everywhere: administrators = Admins, answer = Antwort,
 * audience = Sichtbarkeit, audit log = Auditprotokoll, cap = Obergrenze, decision = Entscheidung, front matter = Kopfdaten,
 * guest = Gast, handle = Kürzel, instruction file = Anweisungsdatei, item = Eintrag, key = Schlüssel,
 * keep in step = synchronisieren, limit = Limit, maturity = Reifegrad, member = Mitglied, memory = Wissen, note = Notiz,
 * operator, whoever runs the service = Betreiber, passage = Textstelle, person = Person, project = Projekt, proposal = Vorschlag,
 * readiness = Agententauglichkeit, refusal = Ablehnung, session = Sitzung, slug = Kurzname, snapshot = Momentaufnahme,
 * source = Quelle, task = Aufgabe, tier = Sicht, version = Version; remove = entfernen, erase = löschen,
 * hide = ausblenden, show again = einblenden, revoke = widerrufen. Moments stand as "vor 3 Tagen" or "in 2 Stunden":
 * no "vom" or "seit" goes before {when}.
 */
export const firstView: Catalogue = {
  'Not found': 'Nicht gefunden',
  'There is no such page': 'Diese Seite gibt es nicht',
  'The link may be old, or lead to a page that your key does not open.':
    'Der Link ist vielleicht veraltet oder führt zu einer Seite, auf die du mit deinem Schlüssel keinen Zugriff hast.',
  'Guests too': 'Auch Gäste',
  Team: 'Team',
  'By a guest': 'Von einem Gast',
  Copied: 'Kopiert',
  'Select it and copy by hand': 'Bitte markieren und selbst kopieren',
  Copy: 'Kopieren',
  Close: 'Schließen',
  Cancel: 'Abbrechen',
  'Your key': 'Dein Schlüssel',
  'It begins with tms_ and is exchanged for a session of 12 hours. The browser does not keep it.':
    'Er beginnt mit tms_ und wird gegen eine Sitzung von 12 Stunden eingetauscht. Der Browser speichert ihn nicht.',
  'A key is shown once, when it is made. An administrator of your team can make a new one; whoever runs this service knows who that is.':
    'Ein Schlüssel wird nur einmal angezeigt, direkt nach dem Erstellen. Die Admins deines Teams können einen neuen erstellen; wer das ist, wissen die Betreiber dieses Dienstes.',
  'Sign in': 'Anmelden',
  'The text could not be shown. Reload the page.':
    'Der Text konnte nicht angezeigt werden. Lade die Seite neu.',
  'Request {requestId}': 'Anfrage {requestId}',
  'Try again': 'Noch einmal versuchen',
  Loading: 'Wird geladen',
  'The service cannot be reached. This page goes on as soon as it answers again.':
    'Der Dienst ist nicht erreichbar. Sobald er wieder antwortet, geht es hier weiter.',
  'Your session has ended': 'Deine Sitzung ist beendet',
  'Sign in again to go on; what you typed is still here. You can also sign in in another tab of this browser, with your organisation or with {code}.':
    'Melde dich wieder an, um weiterzumachen; deine Eingaben sind noch da. Du kannst dich auch in einem anderen Tab dieses Browsers anmelden, über deine Organisation oder mit {code}.',
  Ask: 'Fragen',
  Memory: 'Wissen',
  'What’s new': 'Neues',
  Tasks: 'Aufgaben',
  Decisions: 'Entscheidungen',
  Projects: 'Projekte',
  Connect: 'Verbinden',
  Money: 'Kosten',
  Readiness: 'Agententauglichkeit',
  Maturity: 'Reifegrad',
  'Skip to the page': 'Direkt zum Inhalt',
  'Close the list of pages': 'Liste der Seiten schließen',
  'Show the list of pages': 'Liste der Seiten anzeigen',
  'Team, pages and account': 'Team, Seiten und Konto',
  'This page could not be loaded. Reload if trying again does not help.':
    'Diese Seite konnte nicht geladen werden. Lade sie neu, wenn ein weiterer Versuch nicht hilft.',
  Pages: 'Seiten',
  Guest: 'Gast',
  Admin: 'Admin',
  'Read only': 'Nur lesen',
  Proposals: 'Vorschläge',
  Review: 'Prüfen',
  '{count} wait': ['Einer wartet', '{count} warten'],
  'Sign out': 'Abmelden',
  'Sign out everywhere': 'Überall abmelden',
  Colours: 'Farben',
  'As the system': 'Wie das System',
  Light: 'Hell',
  Dark: 'Dunkel',
  'Help with the API': 'Hilfe zur API',
  'Version {version}': 'Version {version}',
  Answer: 'Antwort',
  'Asked together with: {after}': 'Anschlussfrage zu: {after}',
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
    'Die Antworten stammen aus dem, was dein Team aufgeschrieben hat, und nennen ihre Quellen.',
  'Your question': 'Deine Frage',
  'What would you like to know?': 'Was möchtest du wissen?',
  'It is asked together with: {after}': 'Wird als Anschlussfrage gestellt zu: {after}',
  'Enter asks, Shift and Enter begins a new line.':
    'Die Eingabetaste stellt die Frage, Umschalt+Eingabe beginnt eine neue Zeile.',
  Stop: 'Abbrechen',
  decision: 'Entscheidung',
  project: 'Projekt',
  'Source {number}: {title}': 'Quelle {number}: {title}',
  'Close the source': 'Quelle schließen',
  'Open it whole': 'Vollständig öffnen',
  'Questions you asked': 'Deine Fragen',
  'Forget them': 'Fragen löschen',
  'With their answers they are kept in this browser only: the last 30, for 30 days, until you sign out.':
    'Sie werden mit ihren Antworten nur in diesem Browser gespeichert: die letzten 30, für 30 Tage, längstens bis du dich abmeldest.',
  'after “{question}”': 'nach „{question}“',
  'Show all {count}': 'Alle {count} anzeigen',
  'It helped': 'Hat geholfen',
  'It did not help': 'Hat nicht geholfen',
  'Tell administrators': 'Den Admins melden',
  'You told the administrators that this answer helped.':
    'Du hast den Admins gemeldet, dass diese Antwort geholfen hat.',
  'You told the administrators that this answer did not help.':
    'Du hast den Admins gemeldet, dass diese Antwort nicht geholfen hat.',
  'You told the administrators that this question got no answer.':
    'Du hast den Admins gemeldet, dass diese Frage keine Antwort bekam.',
  'Did this answer help? Administrators see your question only if you tell them.':
    'Hat diese Antwort geholfen? Die Admins sehen deine Frage nur, wenn du sie ihnen meldest.',
  'Administrators see your question only if you tell them.':
    'Die Admins sehen deine Frage nur, wenn du sie ihnen meldest.',
  'Take it back': 'Zurücknehmen',
  'This answer helped': 'Diese Antwort hat geholfen',
  'This answer did not help': 'Diese Antwort hat nicht geholfen',
  'This question got no answer': 'Diese Frage bekam keine Antwort',
  'Send to administrators': 'An die Admins senden',
  'Administrators of your team will see your name, this question, and what you write here:':
    'Die Admins deines Teams sehen dann deinen Namen, diese Frage und was du hier schreibst:',
  'In your words (optional)': 'In deinen Worten (optional)',
  'What did you look for? (optional)': 'Was hast du gesucht? (optional)',
  'The answer ended before it was complete. Ask again.':
    'Die Antwort brach ab, bevor sie vollständig war. Frag noch einmal.',
  Proposed: 'Vorgeschlagen',
  Accepted: 'Angenommen',
  Superseded: 'Abgelöst',
  Rejected: 'Abgelehnt',
  'With the command line': 'Mit der Kommandozeile',
  'The sign-in was cancelled.': 'Die Anmeldung wurde abgebrochen.',
  'The sign-in took too long or was begun in another browser. Try again.':
    'Die Anmeldung dauerte zu lange oder wurde in einem anderen Browser begonnen. Versuch es noch einmal.',
  'This is not the short name of a team: use a to z, 0 to 9 and hyphens.':
    'Das ist kein Kurzname eines Teams: Erlaubt sind a bis z, 0 bis 9 und Bindestriche.',
  'The sign-in of your organisation cannot be reached right now. Try again in a moment.':
    'Die Anmeldung deiner Organisation ist gerade nicht erreichbar. Versuch es gleich noch einmal.',
  'The sign-in of your organisation gave an answer that this service does not accept. Tell whoever runs this service.':
    'Die Anmeldung deiner Organisation hat eine Antwort geschickt, die dieser Dienst nicht annimmt. Melde das den Betreibern dieses Dienstes.',
  'The service cannot sign you in right now. Try again in a moment.':
    'Der Dienst kann dich gerade nicht anmelden. Versuch es gleich noch einmal.',
  'No member of this team signs in with your mail address. Ask an administrator of the team to add it.':
    'Deine E-Mail-Adresse ist keinem Mitglied dieses Teams zugeordnet. Bitte die Admins des Teams, sie einzutragen.',
  'Your organisation does not say that your mail address is verified. Ask who manages your account there.':
    'Deine Organisation hat deine E-Mail-Adresse nicht als bestätigt gemeldet. Wende dich dort an die Stelle, die dein Konto verwaltet.',
  'Sign in to Team Memory': 'Bei Team Memory anmelden',
  'You are signed in as {member} of {team}. <a>Go on</a>':
    'Du bist als {member} von {team} angemeldet. <a>Weiter</a>',
  'Where tms has your key, this opens the dashboard without typing it:':
    'Wenn tms deinen Schlüssel gespeichert hat, öffnet dieser Befehl das Dashboard, ohne dass du ihn eintippst:',
  'Your team': 'Dein Team',
  'The short name of your team, such as rivers.': 'Der Kurzname deines Teams, zum Beispiel rivers.',
  'Sign in with your organisation': 'Über deine Organisation anmelden',
  'Find or do': 'Suchen oder ausführen',
  'Find or do {command}': 'Suchen {command}',
  'The service did not answer in time. Try again.':
    'Der Dienst hat nicht rechtzeitig geantwortet. Versuch es noch einmal.',
  'The service answered with status {status}.': 'Der Dienst hat mit dem Status {status} geantwortet.',
  'The call was cancelled.': 'Der Aufruf wurde abgebrochen.',
  'The service cannot be reached. Check that it runs and that you are connected.':
    'Der Dienst ist nicht erreichbar. Prüfe, ob er läuft und ob du verbunden bist.',
};
