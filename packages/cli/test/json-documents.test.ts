// The examples of docs/cli-json.md are what the command prints.

import { readFile } from 'node:fs/promises';
import { everything, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { documentOf, sandbox, VERSION } from './sandbox.ts';

const GUIDE = new URL('../../../docs/cli-json.md', import.meta.url);
const EXAMPLE = /```sh\n\$ plugboard (.+)\n```\n+```json\n([\s\S]+?)```/g;

/** The guide shows the first tool of a list; the others look alike. */
function firstToolOnly(document: unknown): unknown {
  const { tools } = document as { tools?: readonly unknown[] };
  return tools === undefined ? document : { ...(document as object), tools: tools.slice(0, 1) };
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
      const printed = JSON.stringify(documentOf(run))
        .replaceAll(server, 'npx -y @modelcontextprotocol/server-everything')
        .replaceAll(box.project, '/home/me/project')
        .replaceAll(`"${VERSION}"`, '"0.1.0"');
      expect({ line, document: firstToolOnly(JSON.parse(printed)) }).toEqual({
        line,
        document: JSON.parse(json) as unknown,
      });
      commands.add(line.split(' ')[0]);
    }
    expect(commands).toEqual(
      new Set(['--json', '--version', 'add', 'call', 'get', 'list', 'remove', 'tools']),
    );
  });
});
