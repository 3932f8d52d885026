// The servers of a set-up: published ones from node_modules, and tools that are only there to be many.

import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { allowAll, createHost, type Host, type InProcessServer } from '@plugboard/host';
import { type HostEnvironment, hostEnvironment } from '@plugboard/host/configuration';
import { dbhub, everything, filesystem, git, memory, type StdioEntry } from '@plugboard/testkit';
import { madeTool } from '../catalog/made-tools.ts';
import type { SetTool, ToolSet } from '../tools/tool-set.ts';
import type { TaskPlace } from './place.ts';
import type { ServerName, SetUp } from './task.ts';

const FURTHER_TOOLS = 500;
const MADE_SERVERS = 10;

export interface SetUpOptions {
  readonly place: TaskPlace;
  /** A file with the tools that `many` adds; made ones, unless given. */
  readonly distractors: string | undefined;
}

export async function hostFor(setUp: SetUp, options: SetUpOptions): Promise<Host> {
  const { place, distractors } = options;
  const all: Readonly<Record<ServerName, () => StdioEntry>> = {
    dbhub,
    everything,
    filesystem: () => filesystem(place.folder),
    git,
    memory: () => memory(place.graph),
  };
  const names = Object.keys(all) as readonly ServerName[];
  const wanted = setUp === 'five' || setUp === 'many' ? names : [setUp];
  return createHost({
    servers: Object.fromEntries(wanted.map((name) => [name, { ...all[name]() }])),
    inProcess: setUp === 'many' ? furtherServers(distractors) : {},
    files: 'none',
    approve: allowAll,
    cwd: place.folder,
    environment: ownEnvironment(place),
  });
}

/** Nothing that an earlier run learned, and nothing of the user's. */
function ownEnvironment({ state }: TaskPlace): HostEnvironment {
  const found = hostEnvironment();
  return { ...found, paths: { ...found.paths, config: state, state, cache: state } };
}

function furtherServers(file: string | undefined): Readonly<Record<string, InProcessServer>> {
  const byServer = new Map<string, object[]>();
  const tools = file === undefined ? madeTools() : givenTools(file);
  for (const [server, tool] of tools) {
    const own = byServer.get(server) ?? [];
    own.push(tool);
    byServer.set(server, own);
  }
  return Object.fromEntries([...byServer].map(([name, own]) => [name, listing(name, own)]));
}

function madeTools(): readonly (readonly [server: string, tool: object])[] {
  return Array.from({ length: FURTHER_TOOLS }, (_, at) => {
    const server = at % MADE_SERVERS;
    return [`area-${server}`, madeTool(server, Math.floor(at / MADE_SERVERS))];
  });
}

/** The first of the file, whole servers as far as possible, in names that a server may have. */
function givenTools(file: string): readonly (readonly [server: string, tool: object])[] {
  const { tools } = JSON.parse(readFileSync(file, 'utf8')) as Pick<ToolSet, 'tools'>;
  return tools.slice(0, FURTHER_TOOLS).map((tool: SetTool) => [
    `x-${tool.server.replaceAll(/[^\w-]/g, '-').slice(0, 40)}`,
    {
      name: tool.name,
      description: tool.description ?? '',
      inputSchema: { ...tool.schema, type: 'object' },
    },
  ]);
}

function listing(name: string, tools: readonly object[]): InProcessServer {
  const server = new Server({ name, version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...tools] }) as never);
  return server;
}
