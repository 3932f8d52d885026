// Makes the server object of one session. The parts are shared by all sessions; the object is connected to one
// transport and thrown away with it.

import { McpServer } from '@modelcontextprotocol/server';
import { editFile } from './edit-file.ts';
import { readJob, stopJob } from './job-tools.ts';
import { runCommand } from './run-command.ts';
import { webFetch } from './web-fetch.ts';
import { writeFile } from './write-file.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

/** Of this package. Not read from its manifest, which is not there where the command is one bundle. */
const VERSION = '0.1.0';

const INSTRUCTIONS =
  'Changes files of the working directory, runs commands in it and reads pages of the web. Paths are relative to the working directory. Read a ' +
  'file before you edit it.';

const TOOLS = [writeFile, editFile, runCommand, readJob, stopJob, webFetch];

/** What never changes while the server runs is the same for everybody. */
const STEADY = { ttlMs: 300_000, cacheScope: 'public' } as const;

export function createMcpServer(parts: WorkspaceParts): McpServer {
  const server = new McpServer(
    { name: 'plugboard-workspace', title: 'Workspace', version: VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { 'tools/list': STEADY, 'server/discover': STEADY },
    },
  );
  for (const tool of TOOLS) tool.register(server, parts);
  return server;
}
