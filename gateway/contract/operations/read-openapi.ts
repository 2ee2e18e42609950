import type { Operation } from '../operation.ts';

export const readOpenApi: Operation = {
  method: 'GET',
  path: '/api/v1/openapi.json',
  tag: 'State and documentation',
  summary: 'This document',
  description: 'OpenAPI 3.1, generated from the schemas that validate.',
  access: 'public',
  answer: {
    description: 'The document.',
    content: { mediaType: 'application/json', example: { openapi: '3.1.1' } },
  },
  problems: [],
};
