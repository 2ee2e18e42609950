import type { Operation } from '../contract/operation.ts';
import { signInLink } from './contract.ts';

const createSignInLink: Operation = {
  method: 'POST',
  path: '/api/v1/sign-in-links',
  tag: 'State and documentation',
  summary: 'Make a sign-in link',
  description:
    'Makes a link that signs a browser in to the dashboard, once and within two minutes. The browser may then do what the key may do, for 12 hours or until the key is revoked or expires. It works with every valid key and takes no body.',
  access: 'any key',
  quota: 'sign-in-links',
  answer: {
    status: 201,
    description: 'The link is made.',
    content: {
      mediaType: 'application/json',
      schema: signInLink,
      example: {
        sign_in_token: 'tmsl_0123456789ABCDEF_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZa000000',
        expires_at: '2026-11-21T06:29:00.123Z',
      },
    },
  },
  problems: [],
};

export const signInLinkOperations = { createSignInLink };
