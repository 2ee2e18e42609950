import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Signals as ProtoSignals, SignalsSchema } from '@teammemory/proto/analytics/v1/analytics_pb.ts';
import type { SignalName, Signals } from '../domain/signals.ts';

/** How generated code writes the name of each signal. */
const fields = {
  delegation_ratio: 'delegationRatio',
  correction_loop_avg: 'correctionLoopAvg',
  error_rate: 'errorRate',
  cost_per_task: 'costPerTask',
  tokens_per_task: 'tokensPerTask',
  cache_hit_rate: 'cacheHitRate',
  tool_diversity: 'toolDiversity',
  verify_tool_rate: 'verifyToolRate',
  subagent_usage: 'subagentUsage',
} as const satisfies Record<SignalName, keyof ProtoSignals>;

const pairs = Object.entries(fields) as [SignalName, (typeof fields)[SignalName]][];

/** The signals that were measured; none where the message is missing. */
export function signalsFromProto(message: ProtoSignals | undefined): Signals {
  const measured = pairs.filter(([, field]) => message?.[field] !== undefined);
  return Object.fromEntries(measured.map(([name, field]) => [name, message?.[field]]));
}

/** Signals as RPC writes them. */
export function signalsToProto(signals: Signals): MessageInitShape<typeof SignalsSchema> {
  return Object.fromEntries(pairs.map(([name, field]) => [field, signals[name]]));
}
