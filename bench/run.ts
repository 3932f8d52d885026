// `npm run bench -- start|call`: runs one benchmark and prints what it found. Progress goes to stderr,
// so that stdout holds the tables, or with --json one JSON document, and nothing else.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { hasMiss, type Report } from './measure/report.ts';
import { toText } from './measure/print.ts';
import { nodeUnderTest } from './node-under-test.ts';
import { installPeers, mcporters } from './peers.ts';
import { versionIn } from './places.ts';

const USAGE = `usage: npm run bench -- <start|call> [options]

  start            how long the command takes to start
  call             how long a tool call takes, from the command line and in the library

  --only <part>    of call: command or library
  --repeats <n>    rounds to measure; each contender has one turn in each
  --json           print one JSON document
  --strict         exit with 1 when a target is missed`;

interface Choice {
  readonly benchmark: 'start' | 'call';
  readonly only: 'command' | 'library' | undefined;
  readonly repeats: number | undefined;
  readonly format: 'text' | 'json';
  readonly onMiss: 'report' | 'fail';
}

const choice = readChoice();
if (choice === undefined) {
  console.error(USAGE);
  process.exitCode = 1;
} else {
  const report = choice.benchmark === 'start' ? await runStart(choice) : await runCall(choice);
  console.log(choice.format === 'json' ? JSON.stringify(report, null, 2) : toText(report));
  if (choice.onMiss === 'fail' && hasMiss(report)) process.exitCode = 1;
}

function readChoice(): Choice | undefined {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      repeats: { type: 'string' },
      json: { type: 'boolean', default: false },
      strict: { type: 'boolean', default: false },
    },
  });
  const [benchmark] = positionals;
  const { only } = values;
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  if (positionals.length !== 1 || (benchmark !== 'start' && benchmark !== 'call')) return undefined;
  if (only !== undefined && only !== 'command' && only !== 'library') return undefined;
  if (repeats !== undefined && !(Number.isInteger(repeats) && repeats > 0)) return undefined;
  return {
    benchmark,
    only,
    repeats,
    format: values.json ? 'json' : 'text',
    onMiss: values.strict ? 'fail' : 'report',
  };
}

async function runStart({ repeats }: Choice): Promise<Report> {
  const { benchmarkStart } = await import('./start.ts');
  return {
    benchmark: 'start',
    machine: machine(),
    versions: { plugboard: versionIn('../packages/cli') },
    sections: await benchmarkStart(repeats),
    skipped: [],
  };
}

async function runCall({ only, repeats }: Choice): Promise<Report> {
  installPeers();
  const { benchmarkCallCommand } = await import('./call-command.ts');
  const { benchmarkCallLibrary } = await import('./call-library.ts');
  const command = only === 'library' ? [] : await benchmarkCallCommand(repeats);
  const library = only === 'command' ? [] : await benchmarkCallLibrary(repeats);
  const isShort = only !== 'library' && mcporters().length < 2;
  return {
    benchmark: 'call',
    machine: machine(),
    versions: {
      plugboard: versionIn('../packages/cli'),
      '@modelcontextprotocol/client': versionIn('node_modules/@modelcontextprotocol/client'),
      '@modelcontextprotocol/server': versionIn('node_modules/@modelcontextprotocol/server'),
      mcporter: mcporters()
        .map(({ version, nodeVersion }) => `${version} (Node ${nodeVersion})`)
        .join(' and '),
    },
    sections: [...command, ...library],
    skipped: isShort ? ['the newest mcporter: it wants Node 24, and there is none here'] : [],
  };
}

function machine(): Report['machine'] {
  const all = cpus();
  return {
    node: nodeUnderTest().version,
    platform: `${process.platform}-${process.arch}`,
    cores: all.length,
    cpu: all[0]?.model ?? 'unknown',
  };
}
