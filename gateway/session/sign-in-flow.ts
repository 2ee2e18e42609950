import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** How long a person may take at the provider. */
export const flowSeconds = 10 * 60;
/** A sealed flow has less than 1,500; whoever sends more made it up. */
const maxTextCharacters = 2_048;
const [nonceBytes, tagBytes] = [12, 16];

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  team: z.string(),
  returnTo: z.string(),
  /** Milliseconds since the epoch. */
  expiresAt: z.number(),
});

/** What a browser that signs in through the identity provider began with. */
export type SignInFlow = Omit<z.output<typeof flow>, 'expiresAt'>;

/** Keeps flows in cookies, which only gateways of this installation can make or read. */
export interface SignInFlows {
  seal(begun: SignInFlow): string;
  /** Returns the flow of a cookie; undefined for one that was made up, changed or is too old. */
  open(text: string | undefined): SignInFlow | undefined;
}

/** Creates the flows of an installation, sealed with AES-256-GCM. `secret` has 32 bytes, `clock` milliseconds since the epoch. */
export function createSignInFlows({
  secret,
  clock,
}: {
  secret: Uint8Array;
  clock: () => number;
}): SignInFlows {
  return {
    seal(begun) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      const plain = JSON.stringify({ ...begun, expiresAt: clock() + flowSeconds * 1_000 });
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },

    open(text = '') {
      if (text.length > maxTextCharacters) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= nonceBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, nonceBytes));
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      try {
        const plain = [decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()];
        const { expiresAt, ...begun } = flow.parse(JSON.parse(Buffer.concat(plain).toString()));
        return clock() < expiresAt ? begun : undefined;
      } catch {
        // The seal does not fit.
        return undefined;
      }
    },
  };
}
