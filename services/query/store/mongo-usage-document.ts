import type { Caps, Reservation } from '../domain/spending/usage-store.ts';

/** A reservation as it stands in the day that it counts on. */
export interface OpenEntry {
  id: string;
  member_id: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  amount: number;
  expires_at: number;
}

interface ModelEntry {
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cost: number;
}

/** Names one document: a team's day, or a member's. */
export interface Account {
  team_id: string;
  day: string;
  scope: keyof Caps;
  /** Empty for the team itself, and for calls in its name. */
  member_id: string;
}

/** Spending of a day, settled and reserved. */
export interface AccountDocument extends Account {
  /** Micro-dollars, open reservations included. */
  spent: number;
  open: OpenEntry[];
  models: ModelEntry[];
}

/** The days that a reservation counts on, in the order in which their caps are asked. */
export function accountsOf(
  team_id: string,
  { day, memberId }: Reservation,
): [member: Account, team: Account] {
  return [
    { team_id, day, scope: 'member', member_id: memberId },
    { team_id, day, scope: 'team', member_id: '' },
  ];
}

/** A reservation as it is stored. */
export function openEntry({ id, memberId, model, worstCase, amount, expiresAt }: Reservation): OpenEntry {
  const { inputTokens: input_tokens, outputTokens: output_tokens } = worstCase;
  return { id, member_id: memberId, model, input_tokens, output_tokens, amount, expires_at: expiresAt };
}

/** A stored reservation of a day. */
export function reservationOf(day: string, entry: OpenEntry): Reservation {
  const { id, member_id: memberId, model, amount, expires_at: expiresAt } = entry;
  const worstCase = { inputTokens: entry.input_tokens, outputTokens: entry.output_tokens };
  return { id, day, memberId, model, worstCase, amount, expiresAt };
}
