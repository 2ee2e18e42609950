import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preparePythonEnvironment } from '../../servers/python-environment.ts';
import type { RpcAnswer } from './rpc-call.ts';

const grpcVersion = '1.85.1';
const grpcProgram = join(import.meta.dirname, 'grpc-client.py');
/** Starting Python and some calls; a loaded machine takes several times as long. */
const grpcTimeoutMs = 60_000;

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
    name: `grpcio-${grpcVersion}`,
    packages: ['grpcio', 'grpcio-reflection', 'grpcio-health-checking'].map(
      (name) => `${name}==${grpcVersion}`,
    ),
    purpose: 'the tests with a foreign gRPC client',
  });
  if ('reason' in environment) return environment;
  const { python } = environment;
  return { call: (rpcUrl, calls) => callFromPython(python, new URL(rpcUrl).host, calls) };
}

async function callFromPython(
  python: string,
  host: string,
  calls: readonly GrpcCall[],
): Promise<RpcAnswer[]> {
  const child = spawn(python, [grpcProgram, host], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: grpcTimeoutMs,
  });
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

const execute = promisify(execFile);
const bufProgram = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.bin', 'buf');
/** It takes a tenth of a second; a loaded machine several times that. */
const bufTimeoutMs = 30_000;

/** Runs `buf curl`, a foreign client, over HTTP/2 without TLS; returns its output. @throws Error when it failed. */
export async function bufCurl(...args: string[]): Promise<string> {
  const { stdout } = await execute(bufProgram, ['curl', '--http2-prior-knowledge', ...args], {
    timeout: bufTimeoutMs,
  });
  return stdout;
}

/** The full names of all methods that a listener says it has, by its reflection: `grpc-v1` or `grpc-v1alpha`. */
export async function reflectedMethods(rpcUrl: string, version = 'grpc-v1'): Promise<string[]> {
  const listed = await bufCurl('--list-methods', '--reflect-protocol', version, rpcUrl);
  return listed.split('\n').filter((line) => line !== '');
}
