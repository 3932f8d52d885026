// Labels a tool by its use of data: it reads private data, brings in text that a stranger may have written, or sends
// something out or changes the world. Labels come from the server's entry, from a table of well-known servers, or else from
// the tool's name and parameters. Annotations of a server only add labels. Pure.

import { isObject, type JsonObject, matchesWildcard } from '@plugboard/base';
import { commandSendsOut } from './command-reach.ts';
import { KNOWN_SERVERS, type Label, type LabelTable, LOCAL_SERVERS } from './known-servers.ts';

export type Labels = ReadonlySet<Label>;

export interface LabelledTool {
  readonly server: string;
  readonly tool: string;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  /** The server's own annotations, if there are any. */
  readonly annotations: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** Labels that an entry states for the tools that match a pattern. */
export interface StatedLabels {
  readonly pattern: string;
  readonly labels: readonly Label[];
  /** Whether the user, the program or the machine's owner stated them. Others can only add labels. */
  readonly isOwn: boolean;
}

/** What is known about the server of a tool. */
export interface ServerNature {
  readonly stated: readonly StatedLabels[];
  /** The packages and hosts that its entry names; the name of a built-in server. */
  readonly origins: readonly string[];
}

export interface ToolLabels {
  readonly labels: Labels;
  /** The origin of the labels. */
  readonly by: 'entry' | 'known-server' | 'name';
}

export function labelsOf(tool: LabelledTool, { stated, origins }: ServerNature): ToolLabels {
  const own = mostSpecific(
    stated.filter(({ isOwn }) => isOwn),
    tool.tool,
  );
  const base = own ?? knownLabels(tool.tool, origins) ?? guess(tool);
  const added = stated
    .filter(({ isOwn, pattern }) => !isOwn && matchesWildcard(pattern, tool.tool))
    .flatMap(({ labels }) => labels);
  return added.length === 0 ? base : { ...base, labels: new Set([...base.labels, ...added]) };
}

/** The same for a listed tool. */
export function labelsOfTool(
  { server, tool, inputSchema, annotations = {} }: ListedTool,
  nature: ServerNature,
): ToolLabels {
  const { properties } = inputSchema;
  const parameters = isObject(properties) ? Object.keys(properties) : [];
  return labelsOf({ server, tool, annotations, parameters }, nature);
}

interface ListedTool extends Pick<LabelledTool, 'server' | 'tool'> {
  readonly inputSchema: JsonObject;
  readonly annotations?: LabelledTool['annotations'];
}

/** Where the arguments of a call go: they stay on this machine, reach the server, or are sent out. */
export type CallReach = 'here' | 'server' | 'out';

/** The reach of a tool that runs commands depends on the command. */
export function callReach(
  { labels, by }: ToolLabels,
  { origins }: ServerNature,
  call: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> },
): CallReach {
  const isKnown = by === 'known-server';
  const { command } = call.arguments;
  const isCommand = isKnown && origins.includes('workspace') && call.tool === 'run_command';
  if (isCommand && typeof command === 'string') return commandSendsOut(command) ? 'out' : 'here';
  if (labels.has('out')) return 'out';
  return isKnown && origins.some((origin) => LOCAL_SERVERS.has(origin)) ? 'here' : 'server';
}

function mostSpecific(stated: readonly StatedLabels[], tool: string): ToolLabels | undefined {
  const [first] = stated
    .filter(({ pattern }) => matchesWildcard(pattern, tool))
    .toSorted((a, b) => b.pattern.length - a.pattern.length);
  return first === undefined ? undefined : { labels: new Set(first.labels), by: 'entry' };
}

function knownLabels(tool: string, origins: readonly string[]): ToolLabels | undefined {
  for (const origin of origins) {
    const labels = Object.hasOwn(KNOWN_SERVERS, origin)
      ? inTable(tool, KNOWN_SERVERS[origin] ?? [])
      : undefined;
    if (labels !== undefined) return { labels: new Set(labels), by: 'known-server' };
  }
  return undefined;
}

function inTable(tool: string, table: LabelTable): readonly Label[] | undefined {
  return table.find(([pattern]) => matchesWildcard(pattern, tool))?.[1];
}

/** Words in the names of tools that only read. */
const READING = new Set(
  'get list read search find show describe view count check lookup resolve browse query explain summarize status diff log fetch download scrape crawl extract load open inspect preview snapshot'.split(
    ' ',
  ),
);

/** Words in the names of tools that send or change something. */
const WRITING = new Set(
  'send post publish create update delete remove submit reply respond comment invite upload push merge write edit set add put patch insert replace move rename copy share notify forward book schedule cancel close assign approve reject pay transfer buy order deploy trigger start stop restart navigate click type fill press drag select goto visit mail email message tweet announce subscribe register sign commit tag label archive restore import save store sync'.split(
    ' ',
  ),
);

/** Parameters for a destination that the caller names. */
const ADDRESSES =
  /^(?:urls?|href|webhook(?:_?url)?|endpoint|to|cc|bcc|recipients?|attendees|e?mail|address)$/iu;

const WEB = /^(?:urls?|href|link)$/iu;

function guess({ tool, parameters, annotations }: LabelledTool): ToolLabels {
  const words = nameWords(tool);
  const verb = words.find((word) => READING.has(word) || WRITING.has(word));
  const doesMore = words.includes('and') && words.some((word) => WRITING.has(word));
  const labels = new Set<Label>();
  if (verb === undefined || READING.has(verb)) labels.add('private').add('foreign');
  if (verb === undefined || WRITING.has(verb) || doesMore) labels.add('out');
  if (parameters.some((name) => ADDRESSES.test(name))) labels.add('out');
  if (parameters.some((name) => WEB.test(name))) labels.add('foreign');
  if (annotations.readOnlyHint === false || annotations.destructiveHint === true) labels.add('out');
  return { labels, by: 'name' };
}

function nameWords(name: string): readonly string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}
