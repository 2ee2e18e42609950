import type { Operation } from '../contract/operation.ts';
import { keyDescription } from './contract.ts';

const describeKey: Operation = {
  method: 'GET',
  path: '/api/v1/whoami',
  tag: 'State and documentation',
  summary: 'Describe the key',
  description:
    'Returns whose key the request carries and what it may do. It works with every valid key and counts against no limit. A change of a key takes effect within 5 seconds.',
  access: 'any key',
  answer: {
    description: 'The key of this request.',
    content: {
      mediaType: 'application/json',
      schema: keyDescription,
      example: {
        team: 'rivers',
        member: 'ada',
        tier: 'team',
        access: 'write',
        key_id: '0123456789ABCDEF',
        expires_at: '2027-02-19T06:27:00.123Z',
        item_writes_per_minute: 60,
      },
    },
  },
  problems: [],
};

export const whoamiOperations = { describeKey };
