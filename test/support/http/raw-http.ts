import { connect } from 'node:net';

/** A service that never answers is a failure, not a reason to hang. */
const answerTimeoutMs = 30_000;

/** The answer to bytes that no HTTP client would send. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Sends bytes as they are and reads until the service closes: the request should say `Connection: close`. */
export async function rawHttp(url: string, request: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), timeout: answerTimeoutMs });
  socket.on('timeout', () => socket.destroy(new Error('no answer in time')));
  socket.write(request, 'latin1');
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  return parseAnswer(text);
}

/** Writes a request line with headers and no body. */
export function rawRequest(line: string, ...headers: string[]): string {
  return `${[line, 'Host: service', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
}

function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
