import { type Environment, readSettings } from '@teammemory/config/read-settings.ts';
import {
  addressRanges,
  hostNames,
  oneOf,
  optionalText,
  optionalUrl,
  origins,
  port,
  secureUrl,
  wholeNumber,
} from '@teammemory/config/setting-types.ts';
import { AppError } from '@teammemory/errors/app-error.ts';
import { openAnswerBounds, openAnswersSettings } from '@teammemory/process/open-answers-settings.ts';
import { partSettings } from '@teammemory/process/part-settings.ts';
import { addresses } from '@teammemory/process/setting-types.ts';
import { type TlsFiles, tlsFiles } from '@teammemory/process/tls-settings.ts';
import { z } from 'zod';
import type { OidcOptions } from './session/oidc-client.ts';

const mebibyte = 1024 * 1024;
/** Together with the time to finish requests, this must stay below the time that a process gets to stop. */
const maxShutdownDelaySeconds = 15;

/** Messages of a key to /mcp in 60 seconds; more where agents may search more. */
const minMcpMessages = 1_200;
/** An agent's client sends messages beside the calls of tools, of which most are searches. */
const mcpMessagesPerSearch = 2;

/** Requests of one kind that a key may make in any 60 seconds. */
const perMinute = (usual = 60) => wholeNumber({ minimum: 1, maximum: 1_000_000, default: usual });

/** The settings of the gateway wherever it runs. */
export const gatewaySettings = {
  REDIS_URL: optionalUrl('redis:', 'rediss:'),
  CORS_ORIGINS: origins(),
  MCP_HOSTS: hostNames(),
  OAUTH_ALLOWED_ADDRESSES: addressRanges(),
  OAUTH_DCR: oneOf(['on', 'off'], 'off'),
  TRUSTED_PROXIES: addressRanges(),
  PUBLIC_URL: optionalUrl('http:', 'https:'),
  OIDC_ISSUER: secureUrl(),
  OIDC_CLIENT_ID: optionalText(),
  OIDC_CLIENT_SECRET: optionalText(),
  MAX_BODY_BYTES: wholeNumber({ minimum: 1024, maximum: 64 * mebibyte, default: 8 * mebibyte }),
  ITEM_WRITES_PER_MINUTE: perMinute(),
  QUESTIONS_PER_MINUTE: perMinute(),
  // A search calls no model that writes, and an agent makes several before it answers.
  SEARCHES_PER_MINUTE: perMinute(600),
  SCANS_PER_MINUTE: perMinute(),
  SNAPSHOTS_PER_MINUTE: perMinute(),
  ...openAnswersSettings,
};

/** Returns the options of the gateway that these settings determine. */
export function gatewayOptions(settings: z.output<z.ZodObject<typeof gatewaySettings>>) {
  return {
    redisUrl: settings.REDIS_URL,
    maxBodyBytes: settings.MAX_BODY_BYTES,
    corsOrigins: settings.CORS_ORIGINS ?? [],
    mcpHosts: settings.MCP_HOSTS ?? [],
    oauthAllowedAddresses: settings.OAUTH_ALLOWED_ADDRESSES ?? [],
    canAppsRegister: settings.OAUTH_DCR === 'on',
    trustedProxies: settings.TRUSTED_PROXIES ?? [],
    publicUrl: settings.PUBLIC_URL,
    oidc: oidcOptions(settings),
    itemWritesPerMinute: settings.ITEM_WRITES_PER_MINUTE,
    questionsPerMinute: settings.QUESTIONS_PER_MINUTE,
    searchesPerMinute: settings.SEARCHES_PER_MINUTE,
    scansPerMinute: settings.SCANS_PER_MINUTE,
    snapshotsPerMinute: settings.SNAPSHOTS_PER_MINUTE,
    mcpMessagesPerMinute: Math.max(minMcpMessages, mcpMessagesPerSearch * settings.SEARCHES_PER_MINUTE),
    maxOpenAnswers: openAnswerBounds(settings),
  };
}

/**
 * Returns how people sign in through the organisation's identity provider; undefined if they do not.
 * @throws AppError `invalid_request` if a setting that this needs is missing.
 */
function oidcOptions(settings: z.output<z.ZodObject<typeof gatewaySettings>>): OidcOptions | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, PUBLIC_URL: publicUrl } = settings;
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer === undefined || clientId === undefined || publicUrl === undefined) {
    throw new AppError('invalid_request', 'Set OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL together.');
  }
  const redirectUrl = new URL('/session/oidc/callback', publicUrl).href;
  return { issuer, clientId, clientSecret: settings.OIDC_CLIENT_SECRET, redirectUrl };
}

/** Every setting of the gateway in a process of its own; docs/configuration.md lists them for people. */
export const schema = z.object({
  ...partSettings(8080),
  RPC_PORT: port(7100),
  ANALYTICS_URL: addresses(),
  AUTH_URL: addresses(),
  CONTENT_URL: addresses(),
  QUERY_URL: addresses(),
  ONLY_GATEWAY: oneOf(['yes', 'no'], 'no'),
  SHUTDOWN_DELAY_SECONDS: wholeNumber({ minimum: 0, maximum: maxShutdownDelaySeconds, default: 0 }),
  ...gatewaySettings,
});

export type GatewaySettings = z.output<typeof schema> & { tlsFiles: TlsFiles };

/**
 * Reads the settings of this process.
 * @throws AppError `invalid_request` with one sentence for people.
 */
export function readGatewaySettings(environment: Environment = process.env): GatewaySettings {
  return { ...readSettings(schema, environment), tlsFiles: tlsFiles(environment) };
}
