import { z } from 'zod';
import { instant } from '../contract/answer-types.ts';

/** The answer of POST /sign-in-links. */
export const signInLink = z
  .object({
    sign_in_token: z.string().meta({
      description:
        'What the link ends with: <address of the service>/sign-in#<sign_in_token>. Whoever opens the link first is signed in.',
    }),
    expires_at: instant('When the link expires, two minutes after it was made.'),
  })
  .meta({ id: 'SignInLink' });

export type SignInLink = z.output<typeof signInLink>;
