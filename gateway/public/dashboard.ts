import { existsSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import { AppError } from '@teammemory/errors/app-error.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from '../encoding/compress-answers.ts';
import { refuseOtherMethods } from '../mount-operations.ts';

/** Where scripts/build-dashboard.ts puts the pages. */
const builtFiles = fileURLToPath(new URL('../dashboard/dist/', import.meta.url));
const page = 'index.html';
const assetsPath = '/assets/';
/** Paths that the dashboard's own routes answer; all get the same page. */
const pagePaths = [
  '/',
  '/sign-in',
  '/invitation',
  '/memory',
  '/memory/*',
  '/news',
  '/tasks',
  '/decisions',
  '/decisions/*',
  '/write',
  '/review',
  '/review/*',
  '/projects',
  '/projects/*',
  '/team',
  '/money',
  '/readiness',
  '/readiness/*',
  '/maturity',
  '/connect',
  '/oauth/authorize',
];
/** Files beside the page whose names never change: what a browser needs to install the dashboard as an app. */
const filesOfApp = ['app.webmanifest', 'icon.svg'];
/** Names of files contain a digest of their content, so they never change. */
const fileCacheMs = 365 * 24 * 60 * 60 * 1000;

/**
 * What the page may do: load and call its own origin, and nothing else. Markup reaches the page only through the
 * sanitiser, whose policy is the one that may make markup of text; another policy starts the thread that lays out texts.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types dompurify markup-worker',
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Mounts the dashboard: one page for all of its paths, and the files that it loads. */
export async function dashboardFiles(app: FastifyInstance): Promise<void> {
  const isBuilt = existsSync(builtFiles + page);

  const sendFile = (reply: FastifyReply, file: string) =>
    reply
      .header('cache-control', 'no-cache')
      .sendFile(file, builtFiles, { cacheControl: false, acceptRanges: false });

  async function sendPage(_request: FastifyRequest, reply: FastifyReply) {
    if (!isBuilt) {
      const message = 'The dashboard has not been built. Run npm run dashboard, and start the service again.';
      throw new AppError('unavailable', message);
    }
    return sendFile(reply.headers(pageHeaders), page);
  }

  if (isBuilt) {
    ignoreConditionsOfWriters(app);
    unpackForOthers(app);
    await app.register(fastifyStatic, {
      root: `${builtFiles}assets`,
      prefix: assetsPath,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: fileCacheMs,
      acceptRanges: false,
      setHeaders(reply, path) {
        // A thread has the policy of its own file, not that of the page.
        if (path.endsWith('.js')) reply.header('content-security-policy', "default-src 'none'");
      },
    });
    for (const file of filesOfApp) {
      app.get(`/${file}`, (_request, reply) => sendFile(reply, file));
      refuseOtherMethods(app, `/${file}`, ['GET', 'HEAD']);
    }
  }
  for (const path of pagePaths) {
    app.get(path, sendPage);
    refuseOtherMethods(app, path, ['GET', 'HEAD']);
  }
}

/** Nobody writes here, and what sends the files would take a condition that is not met for a fault of the service. */
function ignoreConditionsOfWriters(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    delete headers['if-match'];
    delete headers['if-unmodified-since'];
    done();
  });
}

/** Assets are there as brotli and gzip only. Whoever accepts neither gets what gzip packed, unpacked. */
function unpackForOthers(app: FastifyInstance): void {
  const unpacked = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, url } = request;
    if (url.startsWith(assetsPath)) {
      const { encoding } = acceptedEncoding(headers['accept-encoding'], ['br', 'gzip']);
      headers['accept-encoding'] = encoding === 'br' ? 'br' : 'gzip';
      if (encoding === 'identity') unpacked.add(request);
    }
    done();
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!unpacked.has(request) || !reply.hasHeader('content-encoding')) return done(null, payload);
    reply.removeHeader('content-encoding').removeHeader('content-length');
    const isFile = request.method === 'GET' && reply.statusCode === 200;
    done(null, isFile ? pipeline(payload as Readable, createGunzip(), () => undefined) : payload);
  });
}
