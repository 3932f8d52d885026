// Going back in a stored conversation: to a turn, with the files that tools changed, and continuing in a copy.

import { appendFile, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import { tempFolder, type TempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type OpenTranscript, Transcripts } from '../../src/transcript/index.ts';
import { assistant, user } from '../scripted-model.ts';
import { type GivenWorkspace, givenWorkspace } from '../workspace/given-workspace.ts';

const says = (text: string) => assistant({ kind: 'text', text });
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function transcriptsIn({ path }: TempFolder): Transcripts {
  return new Transcripts({ state: join(path, 'state'), folder: join(path, 'project') });
}

function twoTurns(transcripts: Transcripts): OpenTranscript {
  const open = transcripts.begin('scripted/model');
  for (const message of [user('one'), says('1'), user('two'), says('2')]) open.add(message);
  return open;
}

describe('a conversation that is rewound', () => {
  it('is as it was before the turn, even when it is read again, and continues from there', async () => {
    verifies('AGT-15');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = twoTurns(transcripts);
    expect(open.turns.map(({ number }) => number)).toEqual([1, 2]);
    open.rewind(2);
    open.add(user('other'));
    const now = [user('one'), says('1'), user('other')];
    expect(open.messages).toEqual(now);
    await open.settled();
    const again = await transcripts.latest();
    expect(again?.messages).toEqual(now);
    // Numbers are unique.
    expect(again?.turns.map(({ number }) => number)).toEqual([1, 3]);
  });

  it('contains the messages that compaction replaced', async () => {
    verifies('AGT-15');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = twoTurns(transcripts);
    open.replace([user('a summary')]);
    open.add(user('three'));
    open.rewind(2);
    expect(open.messages).toEqual([user('one'), says('1')]);
    await open.settled();
    expect((await transcripts.latest())?.messages).toEqual([user('one'), says('1')]);
  });

  it('ignores a turn that is not part of it', async () => {
    await using folder = await tempFolder();
    const open = twoTurns(transcriptsIn(folder));
    const before = open.messages;
    open.rewind(7);
    expect(open.messages).toEqual(before);
    await open.settled();
  });
});

describe('a copy of a conversation', () => {
  it('has another id and the same file changes, and leaves the original unchanged', async () => {
    verifies('AGT-15');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = twoTurns(transcripts);
    open.changed({ path: 'a.txt', before: undefined, after: bytes('a') });
    const forked = await transcripts.fork(open);
    const copy = forked.ok ? forked.value : undefined;
    expect(copy?.id).not.toBe(open.id);
    expect(copy?.messages).toEqual(open.messages);
    expect(await copy?.filesBefore(2)).toEqual(await open.filesBefore(2));
    copy?.add(user('only here'));
    await copy?.settled();
    expect((await transcripts.resume(open.id))?.messages).toEqual(open.messages);
    expect((await transcripts.resume(copy?.id ?? ''))?.messages.at(-1)).toEqual(user('only here'));
  });
});

describe('the files of a conversation', () => {
  it('are stored as they were before each turn, even between incomplete lines', async () => {
    verifies('AGT-15');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = transcripts.begin('m');
    open.add(user('one'));
    open.changed({ path: 'a', before: undefined, after: bytes('1') });
    open.add(user('two'));
    open.changed({ path: 'a', before: bytes('1'), after: bytes('2') });
    open.changed({ path: 'b', before: bytes('old'), after: bytes('new') });
    open.changed({ path: 'a', before: bytes('2'), after: bytes('3') });
    await open.settled();
    const [entry] = await transcripts.list();
    const again = await transcripts.resume(entry?.id ?? '');
    const text = (given: Uint8Array | undefined) => given && new TextDecoder().decode(given);
    const told = async (turn: number) =>
      (await again?.filesBefore(turn))?.map(({ path, before }) => [path, text(before)]);
    expect(await told(1)).toEqual([
      ['a', undefined],
      ['b', 'old'],
    ]);
    expect(await told(2)).toEqual([
      ['a', '1'],
      ['b', 'old'],
    ]);
    expect(await told(3)).toEqual([]);
    await appendFile(await changesFile(folder), '{"turn":2,"path":"c","before"');
    expect(await told(2)).toHaveLength(2);
  });

  it('are restored by the workspace, unless something else has changed them', async () => {
    verifies('AGT-15');
    await using scope = new Scope();
    const { workspace, open, root, call } = await changing(scope);
    await writeFile(join(root, 'kept.txt'), 'first\n');
    await call('write_file', { path: 'kept.txt', content: 'second\n' });
    await call('write_file', { path: 'made/new.txt', content: 'new\n' });
    await call('write_file', { path: 'mine.txt', content: 'by the tool\n' });
    await writeFile(join(root, 'mine.txt'), 'by a person\n');
    const outcomes: [string, string][] = [];
    for (const file of await open.filesBefore(1)) {
      outcomes.push([file.path, (await workspace.restore(file)).kind]);
    }
    expect(outcomes).toEqual([
      ['kept.txt', 'restored'],
      ['made/new.txt', 'restored'],
      ['mine.txt', 'changed-since'],
    ]);
    expect(await readFile(join(root, 'kept.txt'), 'utf8')).toBe('first\n');
    await expect(readFile(join(root, 'made/new.txt'))).rejects.toThrow('ENOENT');
    expect(await readFile(join(root, 'mine.txt'), 'utf8')).toBe('by a person\n');
  });

  it('are not restored through a link that leads out of the folder', async () => {
    await using scope = new Scope();
    const { workspace, open, root, call, folder } = await changing(scope);
    await call('write_file', { path: 'sub/a.txt', content: 'a\n' });
    const outside = await folder.mkdir('outside');
    await writeFile(join(outside, 'a.txt'), 'a\n');
    await rm(join(root, 'sub'), { recursive: true });
    await symlink(outside, join(root, 'sub'));
    const [file] = await open.filesBefore(1);
    expect(file === undefined ? undefined : (await workspace.restore(file)).kind).toBe('failed');
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('a\n');
  });
});

/** A workspace whose changes are stored with a conversation. */
async function changing(scope: Scope): Promise<GivenWorkspace & { readonly open: OpenTranscript }> {
  const kept = scope.use(await tempFolder());
  const open = transcriptsIn(kept).begin('m');
  open.add(user('one'));
  const given = await givenWorkspace(scope, { onChange: (change) => open.changed(change) });
  return { ...given, open };
}

async function changesFile({ path }: TempFolder): Promise<string> {
  const below = join(path, 'state', 'conversations');
  const names = await readdir(below, { recursive: true });
  return join(below, names.find((name) => name.endsWith('.changes')) ?? '');
}
