import { z } from 'zod';

/** The answer of GET /healthz. */
export const healthAnswer = z.object({ status: z.literal('ok') }).meta({ id: 'Healthy' });

/** The answer of GET /readyz. */
export const readinessAnswer = z.object({ status: z.literal('ready') }).meta({ id: 'Ready' });
