import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import {
  addressRanges,
  oneOf,
  optionalUrl,
  port,
  text,
  wholeNumber,
} from '@teammemory/config/setting-types.ts';
import { logLevels } from '@teammemory/log/log.ts';
import { serviceSettings } from '@teammemory/process/service-settings.ts';
import { addresses, auditRetentionDays, signingKey } from '@teammemory/process/setting-types.ts';
import { tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';
import { defaultMaxProjects } from './domain/projects/named-projects.ts';
import type { ContentServiceOptions } from './service.ts';

const mebibyte = 2 ** 20;
const dayMs = 24 * 60 * 60 * 1_000;
/** More than any disk has, and sums of such numbers are still exact. */
const maxMegabytes = 2 ** 30;
const items = (amount: number) => wholeNumber({ minimum: 1, maximum: 1_000_000_000, default: amount });
const megabytes = (amount: number) => wholeNumber({ minimum: 1, maximum: maxMegabytes, default: amount });

/** Half of a team's usual quota, so that one member, or a program with a member's key, leaves room to the others. */
const [itemsPerMember, megabytesPerMember] = [500_000, 10_240];

/** The settings of the content service wherever it runs. Quotas are far above what an honest team has. */
export const contentSettings = {
  ITEM_HISTORY: wholeNumber({ minimum: 0, maximum: 1_000, default: 20 }),
  ITEMS_PER_TEAM: items(1_000_000),
  ITEMS_PER_TEAM_MB: megabytes(20_480),
  ITEMS_PER_EXTERNAL_MEMBER: items(10_000),
  ITEMS_PER_EXTERNAL_MEMBER_MB: megabytes(1_024),
  DECISIONS_PER_TEAM: items(10_000),
  DECISIONS_PER_TEAM_MB: megabytes(256),
  // GET /projects returns all of them at once.
  PROJECTS_PER_TEAM: wholeNumber({ minimum: 1, maximum: 10_000, default: defaultMaxProjects }),
  WEBHOOK_ALLOWED_ADDRESSES: addressRanges(),
  AUDIT_RETENTION_DAYS: auditRetentionDays(),
};

/** Returns the options that these settings stand for. */
export function contentOptions(
  settings: z.output<z.ZodObject<typeof contentSettings>>,
): Pick<ContentServiceOptions, 'itemHistory' | 'quotas' | 'webhookAllowedAddresses' | 'auditKeptMs'> {
  const share = (texts: number, mebibytes: number) => ({ texts, bytes: mebibytes * mebibyte });
  const { ITEMS_PER_EXTERNAL_MEMBER, ITEMS_PER_EXTERNAL_MEMBER_MB } = settings;
  return {
    itemHistory: settings.ITEM_HISTORY,
    auditKeptMs: settings.AUDIT_RETENTION_DAYS * dayMs,
    webhookAllowedAddresses: settings.WEBHOOK_ALLOWED_ADDRESSES,
    quotas: {
      itemsOfTeam: share(settings.ITEMS_PER_TEAM, settings.ITEMS_PER_TEAM_MB),
      itemsOfMember: share(itemsPerMember, megabytesPerMember),
      itemsOfExternalMember: share(ITEMS_PER_EXTERNAL_MEMBER, ITEMS_PER_EXTERNAL_MEMBER_MB),
      decisionsOfTeam: share(settings.DECISIONS_PER_TEAM, settings.DECISIONS_PER_TEAM_MB),
      projectsOfTeam: settings.PROJECTS_PER_TEAM,
    },
  };
}

/** Every setting of the content service in a process of its own. docs/configuration.md lists them. */
export const schema = z.object({
  HOST: text('127.0.0.1'),
  PORT: port(7101),
  METRICS_PORT: port(0),
  LOG_LEVEL: oneOf(logLevels, 'info'),
  ACCESS_LOG: oneOf(['on', 'off'], 'off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl('http:', 'https:'),
  ...serviceSettings,
  SIGNING_KEY: signingKey(),
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
