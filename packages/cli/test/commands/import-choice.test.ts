import type { PlannedImport } from '@plugboard/host/configuration';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { askWhich } from '../../src/commands/import-choice.ts';
import { answering } from '../on-terminal.ts';
import { sandbox } from '../sandbox.ts';

function planned(name: string): PlannedImport {
  return { name, entry: { command: name }, notes: [], sources: [], change: { kind: 'new' } };
}

const [a, b, c] = [planned('a'), planned('b'), planned('c')];

/** The chosen servers and the screen after these answers. */
async function chosen(...answers: readonly (string | undefined)[]) {
  const left = [...answers];
  const told: string[] = [];
  const err = {
    write: (text: string) => void told.push(text),
    isTty: true,
    hasColour: false,
    columns: 80,
  };
  const input = {
    isTty: true,
    ask: () => Promise.resolve(left.shift()),
    readAll: () => expect.unreachable('nothing is read at once'),
  };
  const offered = { choices: [a, b, c], all: [a, b] };
  const servers = await askWhich({ input, err }, offered);
  return [servers.map(({ name }) => name).join(' '), told.join('')];
}

describe('the question which servers to import', () => {
  verifies('CFG-13');

  it.each([
    ['', ''],
    ['  ', ''],
    ['none', ''],
    [undefined, ''],
    ['all', 'a b'],
    ['ALL', 'a b'],
    ['1', 'a'],
    ['3 1', 'c a'],
    ['1,3, 1', 'a c'],
  ])('accepts %j', async (answer, names) => {
    expect(await chosen(answer)).toEqual([names, '']);
  });

  it.each(['0', '4', '-1', '1 x', 'a', '1.5', '99999999999999999999', 'all 1'])(
    'is asked again after %j',
    async (answer) => {
      expect(await chosen(answer, '2')).toEqual(['b', 'Give numbers from 1 to 3, such as: 1 3\n']);
    },
  );

  it('is given up after three invalid answers', async () => {
    await expect(chosen('x', 'y', 'z', '1')).rejects.toThrow('no servers were chosen');
  });
});

describe('plugboard import on a terminal', () => {
  verifies('CFG-13');

  it('imports the servers that the person picks by number, and no other', async () => {
    await using box = await sandbox();
    const mcpServers = { one: { command: 'one' }, two: { command: 'two' } };
    await box.write('../home/.cursor/mcp.json', JSON.stringify({ mcpServers }));
    const { code, screen } = await answering(box, ['import'], [['for none: ', '2\r']]);
    expect(code).toBe(0);
    expect(screen).toContain('Import which? Numbers, "all", or nothing for none: 2\n');
    expect(screen).toContain('Imported "two" into ~/.config/plugboard/settings.json.');
    expect(JSON.parse(await box.read('../home/.config/plugboard/settings.json'))).toEqual({
      mcpServers: { two: { command: 'two' } },
    });
  });
});
