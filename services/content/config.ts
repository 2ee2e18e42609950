import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import { addressRanges, oneOf, wholeNumber } from '@teammemory/config/setting-types.ts';
import { serviceSettings } from '@teammemory/process/part-settings.ts';
import { addresses, auditRetentionDays } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';
import type { ContentServiceOptions } from './service.ts';

const mebibyte = 2 ** 20;
const dayMs = 24 * 60 * 60 * 1_000;
/** More than any disk has, and sums of such numbers are still exact. */
const maxMegabytes = 2 ** 30;
const items = (amount: number) => wholeNumber({ minimum: 1, maximum: 1_000_000_000, default: amount });
const megabytes = (amount: number) => wholeNumber({ minimum: 1, maximum: maxMegabytes, default: amount });

/** Half of a team's usual quota, so that one member, or a program with a member's key, leaves room to the others. */
const [itemsPerMember, megabytesPerMember] = [500_000, 10_240];

/** GET /projects returns all of them at once. */
const mostProjects = 10_000;

/** A part of a team's quota of items, so that an operator sets one number; `least` leaves small teams room to work. */
const partOf = (whole: number, part: number, least: number) => Math.max(least, Math.floor(whole / part));

/** The settings of the content service wherever it runs. Quotas are far above what an honest team has. */
export const contentSettings = {
  ITEM_HISTORY: wholeNumber({ minimum: 0, maximum: 1_000, default: 20 }),
  ITEMS_PER_TEAM: items(1_000_000),
  ITEMS_PER_TEAM_MB: megabytes(20_480),
  WEBHOOK_ALLOWED_ADDRESSES: addressRanges(),
  SECRET_SCAN: oneOf(['on', 'off'], 'on'),
  AUDIT_RETENTION_DAYS: auditRetentionDays(),
};

/** Returns the options that these settings stand for. */
export function contentOptions(
  settings: z.output<z.ZodObject<typeof contentSettings>>,
): Pick<
  ContentServiceOptions,
  'itemHistory' | 'quotas' | 'webhookAllowedAddresses' | 'auditKeptMs' | 'secretScan'
> {
  const share = (texts: number, mebibytes: number) => ({ texts, bytes: mebibytes * mebibyte });
  const { ITEMS_PER_TEAM, ITEMS_PER_TEAM_MB } = settings;
  return {
    itemHistory: settings.ITEM_HISTORY,
    auditKeptMs: settings.AUDIT_RETENTION_DAYS * dayMs,
    secretScan: settings.SECRET_SCAN,
    webhookAllowedAddresses: settings.WEBHOOK_ALLOWED_ADDRESSES,
    quotas: {
      itemsOfTeam: share(ITEMS_PER_TEAM, ITEMS_PER_TEAM_MB),
      itemsOfMember: share(itemsPerMember, megabytesPerMember),
      itemsOfExternalMember: share(partOf(ITEMS_PER_TEAM, 100, 100), partOf(ITEMS_PER_TEAM_MB, 20, 1)),
      decisionsOfTeam: share(partOf(ITEMS_PER_TEAM, 100, 100), partOf(ITEMS_PER_TEAM_MB, 80, 12)),
      projectsOfTeam: Math.min(mostProjects, partOf(ITEMS_PER_TEAM, 1_000, 20)),
    },
  };
}

/** Every setting of the content service in a process of its own. docs/configuration.md lists them. */
export const schema = z.object({
  ...serviceSettings(7101),
  AUTH_URL: addresses(),
  ...contentSettings,
});

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readContentSettings(environment: Environment = process.env) {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
