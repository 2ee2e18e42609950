import { expect, test } from 'vitest';
import { isListedRedirect } from './redirect-address.ts';

const listed = ['https://app.example/callback', 'http://127.0.0.1/callback', 'http://localhost:33418/'];

test.each([
  'https://app.example/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:50123/callback',
  'http://localhost:1/',
])('%s is an address of the app', (address) => {
  expect(isListedRedirect(address, listed)).toBe(true);
});

test.each([
  '',
  'https://app.example/callback/',
  'https://app.example/callback?next=https://evil.example',
  'https://app.example/CALLBACK',
  'https://app.example:8443/callback',
  'https://app.example.evil.example/callback',
  'https://app.example/callback#fragment',
  'https://user@app.example/callback',
  'http://app.example/callback',
  'http://127.0.0.1:50123/other',
  'http://127.0.0.1:50123/callback?x=1',
  'http://127.0.0.1:50123/callback#',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.1@evil.example/callback',
  'http://[::1]/callback',
  'https://127.0.0.1/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'app.example:/callback',
])('%s is none', (address) => {
  expect(isListedRedirect(address, listed)).toBe(false);
});

test('a document that lists what is no web address gives no way to it', () => {
  const hostile = ['javascript:alert(1)', 'data:text/html,x', 'http://app.example/', 'vscode://x/callback'];
  for (const address of hostile) expect(isListedRedirect(address, hostile), address).toBe(false);
});
