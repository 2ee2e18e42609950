import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { preparePythonEnvironment } from '../servers/python-environment.ts';
import type { RpcAnswer } from './rpc-call.ts';

const version = '1.85.1';
const program = join(import.meta.dirname, 'grpc-client.py');
/** Starting Python and some calls; a loaded machine takes several times as long. */
const timeoutMs = 60_000;

/** One call for the client to make. */
export interface GrpcCall {
  /** As in `teammemory.auth.v1.AuthService/GetTeam`; unary. */
  method: string;
  message: object;
  token?: string;
}

/** Calls over gRPC with Python's client, in order; the code and the message of each. */
export type GrpcClient = (rpcUrl: string, calls: readonly GrpcCall[]) => Promise<RpcAnswer[]>;

/** Installs the client from PyPI, once, below `.servers/`; else says why there is none. */
export async function prepareGrpcClient(): Promise<{ call: GrpcClient } | { reason: string }> {
  const environment = await preparePythonEnvironment({
    name: `grpcio-${version}`,
    packages: ['grpcio', 'grpcio-reflection', 'grpcio-health-checking'].map((name) => `${name}==${version}`),
    purpose: 'the tests with a foreign gRPC client',
  });
  if ('reason' in environment) return environment;
  const { python } = environment;
  return { call: (rpcUrl, calls) => run(python, new URL(rpcUrl).host, calls) };
}

async function run(python: string, host: string, calls: readonly GrpcCall[]): Promise<RpcAnswer[]> {
  const child = spawn(python, [program, host], { stdio: ['pipe', 'pipe', 'inherit'], timeout: timeoutMs });
  child.stdin.end(calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  const exited = once(child, 'exit');
  const output = (await Array.fromAsync(child.stdout)).join('');
  const [code] = await exited;
  if (code !== 0) throw new Error(`the gRPC client ended with ${code}`);
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
