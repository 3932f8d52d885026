// Runs every benchmark in turn, each in its own process, so that code compiled for one does not affect the next.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { inBench } from './places.ts';
import type { Report } from './measure/report.ts';

/** The options of the command line; each benchmark uses those that it supports. */
export async function runAll(
  names: readonly string[],
  options: readonly string[],
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const [done, name] of names.entries()) {
    console.error(`bench: ${name} (${done + 1} of ${names.length})`);
    reports.push(await runAlone(name, options));
  }
  return reports;
}

async function runAlone(name: string, options: readonly string[]): Promise<Report> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, inBench('run.ts'), name, ...options, '--json'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const said = json(child.stdout).catch(() => undefined) as Promise<Report | undefined>;
  const [report, [code]] = await Promise.all([said, exited]);
  return code === 0 && report !== undefined ? report : failed(name);
}

/** A failing benchmark does not stop the others. */
function failed(benchmark: string): Report {
  process.exitCode = 1;
  const skipped = ['everything: it failed, and said why on stderr'];
  return { benchmark, machine: {}, versions: {}, sections: [], skipped };
}
