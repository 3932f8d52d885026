// Programs that the tests of this room start, and functions to inspect them.

import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { allProcesses } from '@plugboard/testkit';
import { spawnProcess, type SpawnOptions } from '../../src/platform/spawn-process.ts';
import type { RunningProcess, SpawnSpec } from '../../src/platform/index.ts';

/** The built room, for programs that are hosts themselves. */
export const BUILT_ROOM = new URL('../../dist/platform/index.js', import.meta.url).href;

const PATH = process.env['PATH'] ?? '/usr/bin:/bin';

export function shell(script: string): SpawnSpec {
  return { command: 'sh', args: ['-c', script], env: { PATH }, cwd: undefined };
}

export function node(script: string): SpawnSpec {
  return {
    command: process.execPath,
    args: ['--input-type=module', '-e', script],
    env: { PATH },
    cwd: undefined,
  };
}

/** Two processes that only SIGKILL ends. The first line of output says that they are ready. */
export const STUBBORN = shell(
  `trap '' INT TERM; (while :; do sleep 60; done) & echo ready; while :; do sleep 60; done`,
);

export async function start(spec: SpawnSpec, options?: SpawnOptions): Promise<RunningProcess> {
  const started = await spawnProcess(spec, options);
  if (!started.ok) throw new Error(`did not start: ${JSON.stringify(started.error)}`);
  return started.value;
}

export async function firstLine(output: Readable): Promise<string> {
  const lines = createInterface({ input: output });
  const [line] = await once(lines, 'line');
  return String(line);
}

export async function textOf(output: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of output) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Every living member of the group. */
export function membersOf(group: number): number[] {
  return allProcesses()
    .filter((found) => found.group === group)
    .map((found) => found.pid);
}
