// The examples of docs/cli-json.md are what the command prints.

import { readFile } from 'node:fs/promises';
import { everything, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, sandbox, VERSION } from './sandbox.ts';

const GUIDE = new URL('../../../docs/cli-json.md', import.meta.url);
const EXAMPLE = /```sh\n\$ plugboard (.+)\n```\n+```json\n([\s\S]+?)```/g;

interface LongDocument {
  readonly tools?: readonly unknown[];
  readonly frames?: readonly { readonly kind: string; readonly method?: string }[];
}

/** The guide shows one tool and one message of a list; the others look alike. */
function shortened(document: LongDocument): unknown {
  const { tools, frames } = document;
  if (tools !== undefined) return { ...document, tools: tools.slice(0, 1) };
  if (frames === undefined) return document;
  const listed = frames.filter(({ kind, method }) => kind === 'result' && method === 'tools/list');
  return { ...document, frames: listed.slice(-1) };
}

/** What differs from run to run and from machine to machine. */
function unvarying(json: string): string {
  return json
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-15T10:00:00.000Z')
    .replaceAll(/"ms":\d+/g, '"ms":42')
    .replaceAll(/listed in [\d.]+ m?s/g, 'listed in 42 ms')
    .replaceAll(`"detail":"${process.execPath}"`, '"detail":"/usr/bin/npx"');
}

describe('docs/cli-json.md', () => {
  verifies('CLI-03');

  it('shows for every command the document that it prints', async () => {
    await using box = await sandbox({
      everything: everything(),
      docs: {
        type: 'http',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer ${DOCS_TOKEN}' },
      },
    });
    const server = [everything().command, ...everything().args].join(' ');
    const examples = [...(await readFile(GUIDE, 'utf8')).matchAll(EXAMPLE)];
    const commands = new Set<string | undefined>();
    for (const [, line = '', json = ''] of examples) {
      const run = await box.run(line.split(' '));
      const printed = unvarying(JSON.stringify(documentOf(run)))
        .replaceAll(server, 'npx -y @modelcontextprotocol/server-everything')
        .replaceAll(box.project, '/home/me/project')
        .replaceAll(`"${VERSION}"`, '"0.1.0"');
      expect({ line, document: shortened(JSON.parse(printed) as LongDocument) }).toEqual({
        line,
        document: JSON.parse(json) as unknown,
      });
      commands.add(line.split(' ')[0]);
    }
    expect(commands).toEqual(
      new Set([
        '--json',
        '--version',
        'add',
        'call',
        'doctor',
        'get',
        'list',
        'logs',
        'remove',
        'tools',
        'trace',
      ]),
    );
  });
});
