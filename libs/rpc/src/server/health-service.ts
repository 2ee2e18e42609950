import { setTimeout as delay } from 'node:timers/promises';
import { Code, ConnectError, type HandlerContext, type ServiceImpl } from '@connectrpc/connect';
import {
  Health,
  type HealthCheckRequest,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from '@teammemory/proto/grpc/health/v1/health_pb.ts';
import { type RpcService, rpcService } from './rpc-service.ts';
import { limitStreams } from './stream-limit.ts';

/** An answer is good for so long, so that checks cost nothing however many ask. */
const answerKeptMs = 1_000;
/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000;
/** Streams of Watch open at once; balancers and probes are few. */
const watchersMax = 100;

export interface HealthOptions {
  /** What tells whether a service is ready, by its full name; the empty name is the server as a whole. */
  checks: ReadonlyMap<string, () => Promise<unknown>>;
  /** Aborts when the server begins to go away: nothing is ready from then on. */
  closing: AbortSignal;
}

/** Makes `grpc.health.v1.Health`. Watch ends as `unavailable` when the server goes away. */
export function createHealthService({ checks, closing }: HealthOptions): RpcService {
  const kept = new Map([...checks].map(([service, check]) => [service, keptForAWhile(check)]));

  async function statusOf(service: string): Promise<ServingStatus> {
    const isReady = kept.get(service);
    if (isReady === undefined) return ServingStatus.SERVICE_UNKNOWN;
    if (closing.aborted || !(await isReady())) return ServingStatus.NOT_SERVING;
    return ServingStatus.SERVING;
  }

  async function* watch({ service }: HealthCheckRequest, { signal }: HandlerContext) {
    let last: ServingStatus | undefined;
    while (!signal.aborted) {
      const status = await statusOf(service);
      if (status !== last) yield { status };
      last = status;
      if (closing.aborted) throw new ConnectError('the server is going away', Code.Unavailable);
      await delay(answerKeptMs, undefined, { signal: AbortSignal.any([signal, closing]) }).catch(
        () => undefined,
      );
    }
  }

  const implementation: ServiceImpl<typeof Health> = {
    async check({ service }) {
      const status = await statusOf(service);
      if (status === ServingStatus.SERVICE_UNKNOWN) {
        throw new ConnectError('this service is not served here', Code.NotFound);
      }
      return { status };
    },
    watch: limitStreams(watchersMax, watch),
  };
  return rpcService(Health, implementation);
}

/** Asks `check` at most once at a time and once in `answerKeptMs`. */
function keptForAWhile(check: () => Promise<unknown>): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    answer ??= passes(check).finally(() => {
      setTimeout(() => {
        answer = undefined;
      }, answerKeptMs).unref();
    });
    return answer;
  };
}

async function passes(check: () => Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), checkTimeoutMs);
  const checked = check().then(
    () => true,
    () => false,
  );
  const isReady = await Promise.race([checked, late.promise]);
  clearTimeout(timer);
  return isReady;
}
