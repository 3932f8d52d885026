import {
  context7,
  dbhub,
  everything,
  filesystem,
  github,
  memory,
  playwright,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { expectPeer } from './peer-check.ts';
import {
  CONTEXT7,
  DBHUB,
  EVERYTHING,
  GITHUB,
  LEGACY,
  MODERN,
  PLAYWRIGHT,
} from './published-servers.ts';

describe('the host with published servers over stdio', () => {
  it.each([
    ['everything', everything, EVERYTHING],
    ['dbhub', dbhub, DBHUB],
    ['context7', context7, CONTEXT7],
    ['playwright', playwright, PLAYWRIGHT],
    ['github', github, GITHUB],
  ])('speaks the legacy era with %s by default', async (_, entry, expected) => {
    verifies('TRN-01', 'TRN-08');
    await expectPeer(entry(), expected);
  });

  it.each([
    ['dbhub', dbhub, DBHUB],
    ['context7', context7, CONTEXT7],
  ])('speaks the modern era with %s if configured', async (_, entry, expected) => {
    verifies('TRN-08', 'TRN-09');
    await expectPeer({ ...entry(), protocol: 'modern' }, { ...expected, ...MODERN });
  });

  it('works with filesystem, in the folder of its entry by default', async () => {
    await using folder = await tempFolder();
    const path = await folder.write('note.txt', 'a note');
    await expectPeer(
      { ...filesystem(folder.path), roots: false },
      {
        ...LEGACY,
        server: 'secure-filesystem-server',
        tool: 'write_file',
        call: { tool: 'read_text_file', arguments: { path }, kind: 'result', text: 'a note' },
      },
    );
  });

  it('works with memory, whose file its entry names', async () => {
    await using folder = await tempFolder();
    const entry = memory(`${folder.path}/memory.jsonl`);
    const entity = { name: 'Ada', entityType: 'person', observations: ['wrote notes'] };
    await expectPeer(entry, {
      ...LEGACY,
      server: 'memory-server',
      tool: 'search_nodes',
      call: {
        tool: 'create_entities',
        arguments: { entities: [entity] },
        kind: 'result',
        text: 'Ada',
      },
    });
    expect(await folder.read('memory.jsonl')).toContain('"name":"Ada"');
  });
});
