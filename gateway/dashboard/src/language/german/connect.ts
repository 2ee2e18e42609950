import type { Catalogue } from '../catalogue.ts';

/** Texts of the page Connect. */
export const connect: Catalogue = {
  'Keys are made with a key of tier team and access write. Ask an administrator of your team for one.':
    'Schlüssel erstellst du mit einem Teamschlüssel mit Schreibzugriff. Bitte die Admins deines Teams um einen.',
  'Give an agent or a program a key of its own, and set it up.':
    'Gib einem Agenten oder einem Programm einen eigenen Schlüssel und richte es ein.',
  'What to connect': 'Was verbunden wird',
  'Make another key': 'Weiteren Schlüssel erstellen',
  'In 7 days': 'In 7 Tagen',
  'In 30 days': 'In 30 Tagen',
  'In 90 days': 'In 90 Tagen',
  'In a year': 'In einem Jahr',
  Expires: 'Läuft ab',
  'As late as it may': 'So spät wie möglich',
  'With your own key': 'Mit deinem eigenen Schlüssel',
  'Make key': 'Schlüssel erstellen',
  'The key is shown only now; the service keeps no copy of it.':
    'Der Schlüssel wird nur jetzt angezeigt; der Dienst behält keine Kopie davon.',
  'Waiting for the first call …': 'Warten auf den ersten Aufruf …',
  'The first call came {when}.': 'Der erste Aufruf kam {when}.',
  'Your {count} valid keys': ['Dein gültiger Schlüssel', 'Deine {count} gültigen Schlüssel'],
  'Your valid keys': 'Deine gültigen Schlüssel',
  'Apps that you connected': 'Apps, die du verbunden hast',
  '.mcp.json of your project': '.mcp.json deines Projekts',
  '.vscode/mcp.json of your project': '.vscode/mcp.json deines Projekts',
  'VS Code asks for the key once and stores it:':
    'VS Code fragt einmal nach dem Schlüssel und speichert ihn:',
  'Put the key where {title} starts. On macOS and Linux:':
    'Setze den Schlüssel in der Umgebung, in der {title} startet. Unter macOS und Linux:',
  'On Windows, then open a new terminal:': 'Unter Windows (öffne danach ein neues Terminal):',
  'Add this to {file}:': 'Füge das in {file} ein:',
  'Start {title} there, and let it search the memory.':
    'Starte {title} dort und lass es das Wissen des Teams durchsuchen.',
  'Claude Desktop runs tms. Store the key of agents; this asks for it:':
    'Claude Desktop startet tms. Speichere den Schlüssel für Agenten; dieser Befehl fragt danach:',
  'The key:': 'Der Schlüssel:',
  'Add this to claude_desktop_config.json (Settings, Developer, Edit Config). If it does not find tms, write its full path:':
    'Füge das in claude_desktop_config.json ein (Settings, Developer, Edit Config). Wenn Claude Desktop tms nicht findet, gib den vollen Pfad an:',
  'Restart Claude Desktop, and let it search the memory.':
    'Starte Claude Desktop neu und lass es das Wissen des Teams durchsuchen.',
  'Another MCP client': 'Ein anderer MCP-Client',
  'The address, over Streamable HTTP:': 'Die Adresse, über Streamable HTTP:',
  'The header to send with every request:': 'Der Header, der zu jeder Anfrage gehört:',
  'Let it list the tools.': 'Lass den Client die Werkzeuge auflisten.',
  'tms, a folder in step': 'tms, ein synchronisierter Ordner',
  'Store the key; this asks for it:': 'Speichere den Schlüssel; dieser Befehl fragt danach:',
  'Keep a folder of Markdown in step with the team:':
    'Synchronisiere einen Ordner mit Markdown-Dateien mit dem Team:',
  'The login is the first call.': 'Die Anmeldung ist der erste Aufruf.',
  'Say who the key is:': 'Frag ab, wem der Schlüssel gehört:',
  'The address /docs lists all requests.': 'Unter der Adresse /docs sind alle Anfragen aufgeführt.',
  'The SDK, in JavaScript': 'Das SDK, in JavaScript',
  'Give the program its settings:': 'Gib dem Programm seine Einstellungen:',
  'Read the memory:': 'Lies die Einträge:',
  'Run the program.': 'Starte das Programm.',
};
