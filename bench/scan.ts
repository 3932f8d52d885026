// What the scanner of definitions finds among definitions labelled malicious, definitions labelled benign and real
// tools, and what it costs. The user names the files; their formats are those of published corpora.

import { readFileSync } from 'node:fs';
import { Peers, scanDefinition } from '@plugboard/host';
import { figure, type Figure, type Section } from './measure/report.ts';

interface Definition {
  readonly name: string;
  readonly description?: string;
}

interface LabelledTool {
  readonly label: string;
  readonly server: string;
  readonly tool: Definition;
  readonly peers?: readonly { readonly server: string; readonly tool: Definition }[];
}

interface Real extends Definition {
  readonly server: string;
  readonly schema: unknown;
}

export interface ScanFiles {
  /** `{ entries: [{ label, server, tool, peers }] }` */
  readonly poisoned: string | undefined;
  /** `{ tools: [{ server, name, description, schema }] }` */
  readonly real: string | undefined;
}

const LEAST_FOUND = 90;
const MOST_FLAGGED = 0.5;
const MOST_MICROSECONDS = 40;
const DEFAULT_ROUNDS = 20;

export function benchmarkScan(
  { poisoned, real }: ScanFiles,
  repeats: number | undefined,
): readonly Section[] {
  const rows = [
    ...(poisoned === undefined ? [] : labelledFigures(poisoned)),
    ...(real === undefined ? [] : realFigures(real, repeats ?? DEFAULT_ROUNDS)),
  ];
  return [{ kind: 'figures', title: 'scan: what is found, and what it costs', rows }];
}

function labelledFigures(file: string): readonly Figure[] {
  const { entries } = JSON.parse(readFileSync(file, 'utf8')) as {
    entries: readonly LabelledTool[];
  };
  const judged = entries.map((entry) => ({ entry, isFlagged: isFlaggedBesidePeers(entry) }));
  const malicious = judged.filter(({ entry }) => entry.label === 'malicious');
  const benign = judged.filter(({ entry }) => entry.label !== 'malicious');
  return [
    share('malicious definitions that are found', malicious, {
      kind: 'at-least',
      value: LEAST_FOUND,
    }),
    share('benign definitions that are flagged', benign, { kind: 'at-most', value: MOST_FLAGGED }),
  ];
}

function isFlaggedBesidePeers({ server, tool, peers = [] }: LabelledTool): boolean {
  const around = [{ server, tool }, ...peers].map((peer) => ({
    server: peer.server,
    name: peer.tool.name,
    description: peer.tool.description ?? '',
  }));
  return isDanger(scanDefinition(tool, { server, peers: new Peers(around) }));
}

function realFigures(file: string, rounds: number): readonly Figure[] {
  const { tools } = JSON.parse(readFileSync(file, 'utf8')) as { tools: readonly Real[] };
  const definitions = tools.map(({ name, description = '', schema }) => ({
    name,
    description,
    inputSchema: schema,
  }));
  const judged = definitions.map((definition) => ({
    isFlagged: isDanger(scanDefinition(definition)),
  }));
  const took = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    for (const definition of definitions) scanDefinition(definition);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / definitions.length;
  });
  return [
    share('real tools that are flagged', judged, { kind: 'at-most', value: MOST_FLAGGED }),
    figure({
      name: 'time for a tool',
      value: Math.min(...took),
      unit: 'µs',
      target: { kind: 'at-most', value: MOST_MICROSECONDS },
      note: `of the processor, in the quickest of ${rounds} rounds`,
    }),
  ];
}

function share(
  name: string,
  judged: readonly { readonly isFlagged: boolean }[],
  target: Figure['target'],
): Figure {
  const flagged = judged.filter(({ isFlagged }) => isFlagged).length;
  const value = judged.length === 0 ? 0 : (flagged * 100) / judged.length;
  return figure({ name, value, unit: '%', target, note: `${flagged} of ${judged.length}` });
}

function isDanger(findings: ReturnType<typeof scanDefinition>): boolean {
  return findings.some(({ severity }) => severity === 'danger');
}
