#!/usr/bin/env node
// Starts the bundled service. What Node has compiled once is kept, in a folder of the user: compiled code that others
// could write would be run.
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(`Team Memory Service needs Node 24 or later; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  const caches = process.env.XDG_CACHE_HOME || process.env.LOCALAPPDATA || join(homedir(), '.cache');
  nodeModule.enableCompileCache(join(caches, 'team-memory-service', 'compiled'));
  const { main } = await import('../dist/service.js');
  await main({
    all: () => import('../dist/all.js'),
    parts: {
      gateway: () => import('../dist/gateway.js'),
      content: () => import('../dist/content.js'),
      auth: () => import('../dist/auth.js'),
      analytics: () => import('../dist/analytics.js'),
      query: () => import('../dist/query.js'),
    },
  });
}
