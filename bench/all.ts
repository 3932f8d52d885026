// Every benchmark, one after another, each in a process of its own, so that what the engine learned in one
// neither helps nor harms the next.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { json } from 'node:stream/consumers';
import { inBench } from './places.ts';
import type { Report } from './measure/report.ts';

/** The options are those of the command line, and each benchmark takes what it knows of them. */
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

/** What went before and what comes after is worth keeping all the same. */
function failed(benchmark: string): Report {
  process.exitCode = 1;
  const skipped = ['everything: it failed, and said why on stderr'];
  return { benchmark, machine: {}, versions: {}, sections: [], skipped };
}
