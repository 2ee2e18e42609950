import * as z from 'zod';

/** What a key is and may do. Unknown fields are kept. */
export const whoamiSchema = z.looseObject({
  /** Slug of the team. */
  team: z.string(),
  /** Handle of the key's member. */
  member: z.string(),
  /** `team` or `external`. */
  tier: z.string(),
  /** `read`, `own` or `write`. */
  access: z.string(),
  key_id: z.string(),
  /** RFC 3339; null for a key that never expires. */
  expires_at: z.string().nullable(),
  item_writes_per_minute: z.number(),
});

/** A link that signs a browser in, without the address of the service. Unknown fields are kept. */
export const signInLinkSchema = z.looseObject({
  /** The link is `<address of the service>/sign-in#<sign_in_token>`. */
  sign_in_token: z.string(),
  /** RFC 3339, two minutes after the link was made. */
  expires_at: z.string(),
});

export type SignInLink = z.infer<typeof signInLinkSchema>;

export type Whoami = z.infer<typeof whoamiSchema>;
