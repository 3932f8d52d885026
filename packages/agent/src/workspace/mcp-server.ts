// Creates the server object of one session. All sessions share the parts; each object belongs to one transport.

import { McpServer } from '@modelcontextprotocol/server';
import { editFile } from './edit-file.ts';
import { readJob, stopJob } from './job-tools.ts';
import { runCommand } from './run-command.ts';
import { webFetch } from './web-fetch.ts';
import { writeFile } from './write-file.ts';
import type { WorkspaceParts } from './workspace-parts.ts';

/** The version of this package. Not read from its manifest, which is missing if the command is a bundle. */
const VERSION = '0.1.0';

const INSTRUCTIONS =
  'Changes files of the working directory, runs commands in it and reads pages of the web. Paths are relative to the working directory. Read a ' +
  'file before you edit it.';

const TOOLS = [writeFile, editFile, runCommand, readJob, stopJob, webFetch];

/** The lists never change while the server runs, and are the same for all clients. */
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
