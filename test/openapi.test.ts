import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problem } from './support/http/problem.ts';
import { openApiDocument } from './support/openapi/document.ts';
import { sharedService } from './support/service/shared-service.ts';

const service = sharedService();
const documentUrl = () => `${service().url}/api/v1/openapi.json`;

test('the service answers the committed document, without a key', async () => {
  const response = await fetch(documentUrl());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(openApiDocument);
  const head = await fetch(documentUrl(), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test.each(['/api/v1/openapi.json', '/docs', '/docs/scalar.js'])(
  '%s answers other methods with 405, without a key too',
  async (path) => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const response = await fetch(service().url + path, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      expect(await response.json()).toEqual(problem('method_not_allowed'));
    }
  },
);

test('every documented path answers without a key what it documents for that', async () => {
  for (const [template, operations] of Object.entries(openApiDocument.paths)) {
    const path = template.replace('{code}', 'internal').replace('{row_key}', 'a');
    for (const [name, { responses }] of Object.entries(operations)) {
      const { status } = await fetch(service().url + path, { method: name.toUpperCase() });
      expect(`${name} ${path} ${status}`).toBe(`${name} ${path} ${'401' in responses ? 401 : 200}`);
    }
  }
});

test('docs/http-api.md lists every documented path', () => {
  const page = readFileSync(new URL('../docs/http-api.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Endpoints\n');
  const [table = ''] = section.split('\n## ');
  const listed = [...table.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(openApiDocument.paths)));
});

test('/docs is a page that loads and sends nothing elsewhere', async () => {
  const page = await fetch(`${service().url}/docs`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  expect(html).not.toMatch(/https?:/);
  expect([...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)).toEqual(['/docs/scalar.js']);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  // The only inline script is allowed by its digest.
  const [, inline = ''] = /<script type="text\/javascript">([\s\S]*?)<\/script>/.exec(html) ?? [];
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(inline))).toString('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}'`);
  expect(policy).not.toMatch(/https?:|\*/);
  const script = await fetch(`${service().url}/docs/scalar.js`);
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(await script.text()).toContain('createApiReference');
});
