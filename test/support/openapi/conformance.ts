import { readEvents } from '../http/events.ts';
import { faultsAt } from './conformance-schemas.ts';
import {
  type DocumentedPath,
  documentedPath,
  type OperationObject,
  openApiDocument,
  type Reference,
  type ResponseObject,
} from './document.ts';

/** One request and its answer. */
export interface Exchange {
  method: string;
  /** With its parameters. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** A whole answer to a question, or one that broke off (docs/contract.md, "Questions"). */
const answerOrder = /^(delta )+sources done $|^(delta )*(sources )?error $/;
/** As much as was read of a stream of changes (docs/contract.md, "Additions"). */
const changeOrder = /^(changed )+$/;

/**
 * Checks an answer against the OpenAPI document: that its status is listed, and
 * that headers and body are what is described. What the document does not know
 * (a path, a method) must be refused with a problem that it knows.
 * @throws Error that names the request and what is wrong with its answer.
 */
export function checkConformance(exchange: Exchange): void {
  const { method, status } = exchange;
  const pathname = exchange.path.split('?', 1)[0] ?? '';
  const path = documentedPath(openApiDocument, pathname, exchange.method);
  // Every GET answers HEAD.
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  const operation = path?.operations[name];
  try {
    if (path === undefined || operation === undefined) checkRefusal(exchange, path);
    else checkResponse(exchange, documentedResponse(path, name, operation, status));
  } catch (error) {
    const shown = exchange.text.slice(0, 300);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`docs/openapi.json: ${method} ${pathname} answered ${status}: ${reason}\n${shown}`, {
      cause: error,
    });
  }
}

/** What is neither a documented path nor a documented method of one is refused, after the checks before it. */
function checkRefusal({ method, status, headers, text }: Exchange, path: DocumentedPath | undefined): void {
  const expected = [401, 403, path === undefined ? 404 : 405, 503];
  if (!expected.includes(status)) throw new Error('the document does not know it');
  checkHeaders(headers, { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } });
  if (method === 'HEAD') return;
  const problem = JSON.parse(text);
  const schema = `${String(problem.code).replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())}Problem`;
  expectValid('the problem', `/components/schemas/${schema}`, problem);
}

/** What the document says about an answer, and where. */
function documentedResponse(
  { template }: DocumentedPath,
  name: string,
  { responses }: OperationObject,
  status: number,
): { response: ResponseObject; pointer: string } {
  const response = responses[status];
  if (response === undefined) throw new Error(`the document lists ${Object.keys(responses).join(', ')}`);
  if (!('$ref' in response)) {
    return { response, pointer: `/paths/${escaped(template)}/${name}/responses/${status}` };
  }
  const shared = openApiDocument.components.responses[lastPart(response)];
  if (shared === undefined) throw new Error(`the document has no ${response.$ref}`);
  return { response: shared, pointer: response.$ref.slice(1) };
}

function checkResponse(
  { method, status, headers, text }: Exchange,
  { response, pointer }: { response: ResponseObject; pointer: string },
): void {
  checkHeaders(headers, response.headers);
  if (response.content === undefined || method === 'HEAD') {
    if (text !== '') throw new Error('there must be no body');
    return;
  }
  const mediaType = headers.get('content-type')?.split(';', 1)[0] ?? 'none';
  const content = response.content[mediaType];
  if (content === undefined) throw new Error(`${mediaType} is not documented`);
  const schema = `${pointer}/content/${escaped(mediaType)}/schema`;
  const events = content.schema.oneOf?.map(({ properties }) => properties.event.const);
  if (mediaType === 'text/event-stream') checkEvents(text, events ?? [], `${schema}/oneOf`);
  if (!/json$/.test(mediaType)) return;
  const body = JSON.parse(text);
  expectValid('the body', schema, body);
  if (status >= 400 && body.status !== status) throw new Error(`the body says ${body.status}`);
}

function checkHeaders(headers: Headers, documented: ResponseObject['headers']): void {
  for (const [name, reference] of Object.entries(documented)) {
    const header = openApiDocument.components.headers[lastPart(reference)];
    const value = headers.get(name);
    if (value === null && header?.required === false) continue;
    if (value === null) throw new Error(`the header ${name} is missing`);
    const typed = header?.schema.type === 'integer' ? Number(value) : value;
    expectValid(`the header ${name}`, `${reference.$ref.slice(1)}/schema`, typed);
  }
}

function checkEvents(stream: string, documented: readonly string[], schemas: string): void {
  const events = readEvents(stream);
  for (const { event, data } of events) {
    const index = documented.indexOf(event);
    if (index < 0) throw new Error(`the document knows no event ${event}`);
    expectValid(`the event ${event}`, `${schemas}/${index}/properties/data/contentSchema`, data);
  }
  const order = events.map(({ event }) => `${event} `).join('');
  const expected = documented.includes('changed') ? changeOrder : answerOrder;
  if (!expected.test(order)) throw new Error(`events in the order ${order}`);
}

function expectValid(what: string, pointer: string, value: unknown): void {
  const faults = faultsAt(pointer, value);
  if (faults !== undefined) throw new Error(`${what}: ${faults}`);
}

function lastPart({ $ref }: Reference): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}
