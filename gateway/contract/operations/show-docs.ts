import type { Operation } from '../operation.ts';

export const showDocs: Operation = {
  method: 'GET',
  path: '/docs',
  tag: 'State and documentation',
  summary: 'This document for people',
  description: 'A page that needs nothing from outside of the service.',
  access: 'public',
  answer: {
    description: 'The page.',
    headers: ['ContentSecurityPolicy', 'ReferrerPolicy'],
    content: { mediaType: 'text/html', example: '<!doctype html><html lang="en">…</html>' },
  },
  problems: [],
};
