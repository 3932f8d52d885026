import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type ProcessFacts, processFacts } from '@plugboard/base/platform';
import { newMark } from '../../src/platform/process-mark.ts';
import { processTable, ProcessTable, readPsTable } from '../../src/platform/process-table.ts';
import { findMembers, type TreeRoot } from '../../src/platform/tree-members.ts';
import { firstLine, shell, start } from './started-programs.ts';

const ROOT: TreeRoot = { pid: 100, start: 50, signs: ['mark', 'socket:[1]'], outerSession: 7 };

/** A process that has nothing to do with the root, except what is given. */
function facts(given: Partial<ProcessFacts> & { readonly pid: number }): ProcessFacts {
  return { parent: 1, group: given.pid, session: 7, start: 60, isZombie: false, ...given };
}

function membersAmong(
  all: readonly ProcessFacts[],
  given: {
    readonly signs?: Readonly<Record<number, readonly string[]>>;
    readonly known?: readonly ProcessFacts[];
    readonly leadsGroup?: boolean;
  } = {},
): readonly number[] {
  const signs = Object.entries(given.signs ?? {}).map(
    ([pid, each]): [number, readonly string[]] => [Number(pid), each],
  );
  const table = new ProcessTable(all, new Map(signs));
  const known = new Map((given.known ?? []).map((each) => [each.pid, each]));
  const found = findMembers(table, ROOT, { known, leadsGroup: given.leadsGroup ?? true });
  return [...found.keys()].toSorted((left, right) => left - right);
}

describe('the processes of a program', () => {
  verifies('CON-10');

  it('are those of its group, as long as the group is its own', () => {
    const all = [facts({ pid: 101, group: 100 })];
    expect(membersAmong(all)).toEqual([101]);
    expect(membersAmong(all, { leadsGroup: false })).toEqual([]);
  });

  it('are those with its mark or its pipes, wherever they are', () => {
    const all = [200, 201, 202, 203].map((pid) => facts({ pid }));
    const signs = { 200: ['outer', 'mark'], 201: ['socket:[1]'], 202: ['other', 'socket:[2]'] };
    expect(membersAmong(all, { signs })).toEqual([200, 201]);
  });

  it('are those that were found before, as long as they are the same', () => {
    const known = [facts({ pid: 200, start: 60 }), facts({ pid: 201, start: 61 })];
    expect(membersAmong([facts({ pid: 200 }), facts({ pid: 201 })], { known })).toEqual([200]);
  });

  it('are the children of its processes, and their children', () => {
    const all = [
      facts({ pid: 202, parent: 201 }),
      facts({ pid: 201, parent: 101 }),
      facts({ pid: 101, group: 100 }),
      facts({ pid: 203 }),
    ];
    expect(membersAmong(all)).toEqual([101, 201, 202]);
  });

  it('are all of a session that one of them began, but not all of the session of the host', () => {
    const all = [
      facts({ pid: 200, session: 200 }),
      facts({ pid: 201, session: 200 }),
      facts({ pid: 202, session: 7, group: 7 }),
      facts({ pid: 203, session: 7, group: 7 }),
    ];
    expect(membersAmong(all, { signs: { 200: ['mark'], 202: ['mark'] } })).toEqual([200, 201, 202]);
  });

  it('are not those that started before it, whatever their marks', () => {
    const all = [facts({ pid: 200, start: 49 }), facts({ pid: 101, group: 100, start: 49 })];
    expect(membersAmong(all, { signs: { 200: ['mark'] } })).toEqual([]);
  });

  it('are not zombies', () => {
    const all = [facts({ pid: 100, group: 100 }), facts({ pid: 101, group: 100, isZombie: true })];
    expect(membersAmong(all)).toEqual([100]);
  });
});

describe('a snapshot of all processes', () => {
  it('is shared by concurrent callers, and not by later ones', async () => {
    const [first, second] = [processTable(1), processTable(0)];
    expect(first).toBe(second);
    await first;
    const later = processTable(0);
    expect(later).not.toBe(first);
    expect((await later).get(process.pid)).toEqual(processFacts(process.pid));
  });

  it('finds by the mark a process that started a session, also through ps', async () => {
    await using program = await start(
      shell(`setsid sh -c 'echo $$ $PLUGBOARD_PROCESS_MARK; exec sleep 60' & wait`),
    );
    const [escaped = '', marks = ''] = (await firstLine(program.stdout)).split(' ');
    const mark = marks.split(',').at(-1) ?? '';
    for (const table of [await processTable(0), await readPsTable()]) {
      const found = table.withSign(mark).map(({ pid }) => pid);
      expect(new Set(found)).toEqual(new Set([program.pid, Number(escaped)]));
      expect(table.withSign(newMark())).toEqual([]);
    }
  });
});
