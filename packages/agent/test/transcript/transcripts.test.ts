// Conversations on disk: stored, resumed, damaged and swept.

import { appendFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@plugboard/base';
import {
  ManualClock,
  processorMs,
  type TempFolder,
  tempFolder,
  verifies,
} from '@plugboard/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/conversation/index.ts';
import { readTranscript } from '../../src/transcript/read-transcript.ts';
import { hideSecrets } from '../../src/transcript/hide-secrets.ts';
import { Transcripts, type TranscriptsOptions } from '../../src/transcript/index.ts';
import { assistant, call, user } from '../scripted-model.ts';
import { problemsOf } from '../valid-conversation.ts';

const hello = user('hello there');
const answer = assistant({ kind: 'text', text: 'hi' });

function transcriptsIn(folder: TempFolder, options: Partial<TranscriptsOptions> = {}): Transcripts {
  const given = { state: folder.path, folder: '/work/my project', clock: systemClock };
  return new Transcripts({ ...given, ...options });
}

async function kept(transcripts: Transcripts, messages: readonly Message[]): Promise<string> {
  const open = transcripts.begin('scripted/model');
  for (const message of messages) open.add(message);
  await open.settled();
  return open.id;
}

async function fileIn(folder: TempFolder, id = ''): Promise<string> {
  const [project = ''] = await readdir(join(folder.path, 'conversations'));
  const names = await readdir(join(folder.path, 'conversations', project));
  const file = names.find((name) => name.startsWith(id)) ?? '';
  return join(folder.path, 'conversations', project, file);
}

describe('a stored conversation', () => {
  it('is resumed by its id, or as the latest, and continues in the same file', async () => {
    verifies('AGT-07');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const id = await kept(transcripts, [hello, answer]);
    const resumed = await transcripts.resume(id);
    expect(resumed?.messages).toEqual([hello, answer]);
    resumed?.add(user('more'));
    await resumed?.settled();
    const latest = await transcriptsIn(folder).latest();
    expect(latest?.id).toBe(id);
    expect(latest?.messages).toEqual([hello, answer, user('more')]);
    expect(await transcripts.list()).toEqual([
      {
        ...{ id, model: 'scripted/model', title: 'hello there', folder: '/work/my project' },
        startedAt: expect.any(Number),
        changedAt: expect.any(Number),
      },
    ]);
  });

  it('stores the tools that a search found, and rejects a message in which they are invalid', async () => {
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = transcripts.begin('scripted/model');
    const told = (found: unknown): Message => {
      const answers = [{ id: 'a', tool: 'search_tools', isError: false, parts: [], found }];
      return { kind: 'tool', answers } as unknown as Message;
    };
    const before = [hello, assistant(call('a', 'search_tools'))];
    for (const message of [...before, told(['mcp__s__t'])]) open.add(message);
    await open.settled();
    expect((await transcripts.latest())?.messages).toEqual([...before, told(['mcp__s__t'])]);
    const odd = JSON.stringify({ kind: 'message', message: told([{ type: 'tool_reference' }]) });
    await appendFile(await fileIn(folder), `${odd}\n`);
    expect((await transcripts.latest())?.messages).toEqual([...before, told(['mcp__s__t'])]);
  });

  it('lists the results stored in files, also those of replaced messages', async () => {
    verifies('OUT-08');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = transcripts.begin('scripted/model');
    const file = (id: string) => ({ id, path: `/r/${id}.txt`, bytes: 9, mimeType: 'text/plain' });
    const told = (id: string): Message => {
      const answers = [{ id, tool: 'read', isError: false, parts: [], results: [file(id)] }];
      return { kind: 'tool', answers };
    };
    for (const message of [hello, assistant(call('a', 'read')), told('a')]) open.add(message);
    open.replace([user('notes'), assistant(call('b', 'read')), told('b')]);
    await open.settled();
    expect((await transcripts.latest())?.results).toEqual([file('a'), file('b')]);
    await appendFile(
      await fileIn(folder),
      `${JSON.stringify({ kind: 'message', message: { kind: 'tool', answers: [{ id: 'c', tool: 'read', isError: false, parts: [], results: [{ id: 5 }] }] } })}\n`,
    );
    expect((await transcripts.latest())?.results).toEqual([file('a'), file('b')]);
  });

  it('belongs to its folder, and is readable by its user only', async () => {
    await using folder = await tempFolder();
    await kept(transcriptsIn(folder), [hello]);
    const elsewhere = transcriptsIn(folder, { folder: '/other/my project' });
    expect(await elsewhere.list()).toEqual([]);
    const path = await fileIn(folder);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
  });

  it('contains the summary instead of the replaced messages after compaction', async () => {
    verifies('AGT-07');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const open = transcripts.begin('m');
    for (const message of [hello, answer]) open.add(message);
    open.replace([user('notes')]);
    open.add(answer);
    await open.settled();
    expect((await transcripts.latest())?.messages).toEqual([user('notes'), answer]);
  });

  it('has no file before the first message', async () => {
    await using folder = await tempFolder();
    await transcriptsIn(folder).begin('m').settled();
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('loses at most the line that a crash left incomplete, and continues after it', async () => {
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    await kept(transcripts, [hello, assistant(call('1', 'read'))]);
    await appendFile(await fileIn(folder), '{"kind":"message","message":{"kind":"tool","ans');
    const resumed = await transcripts.latest();
    expect(resumed?.messages).toMatchObject([
      hello,
      { kind: 'assistant' },
      { kind: 'tool', answers: [{ id: '1', isError: true }] },
    ]);
    resumed?.add(user('again'));
    await resumed?.settled();
    expect((await transcripts.latest())?.messages).toHaveLength(4);
  });

  it('contains no text that looks like a secret', async () => {
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const key = `sk-ant-${'a1'.repeat(20)}`;
    const given = {
      header: `Bearer ${'b2'.repeat(12)}`,
      password: 'tell-nobody',
      path: 'src/a.ts',
    };
    const provider = { signature: 'sAme' };
    const reasoning = { kind: 'reasoning', text: `They gave me ${key}`, provider } as const;
    const plain = { kind: 'reasoning', text: 'Easy.', provider } as const;
    const thought = assistant(reasoning, plain, call('1', 't', given));
    await kept(transcripts, [user(`my key is ${key}, use it`), thought]);
    expect((await transcripts.latest())?.messages[1]).toMatchObject({
      parts: [{ kind: 'reasoning', text: 'They gave me [hidden]' }, plain, { kind: 'call' }],
    });
    const text = await folder.read((await fileIn(folder)).slice(folder.path.length + 1));
    for (const secret of [key, 'b2b2b2', 'tell-nobody']) expect(text).not.toContain(secret);
    expect(text).toContain('src/a.ts');
  });

  it('keeps images unchanged, whatever their bytes look like', async () => {
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const data = `AKIA${'A'.repeat(16)}`;
    const seen = {
      kind: 'user',
      parts: [{ kind: 'image', mediaType: 'image/png', data }],
    } as const;
    await kept(transcripts, [seen]);
    expect((await transcripts.latest())?.messages).toEqual([seen]);
  });

  it('does not stop the conversation when it cannot be written, and reports that once', async () => {
    await using folder = await tempFolder();
    const state = await folder.write('a-file', '');
    const told: string[] = [];
    const onUnwritable = (_: string, code: string): number => told.push(code);
    const open = transcriptsIn(folder, { state, onUnwritable }).begin('m');
    open.add(hello);
    open.add(answer);
    await open.settled();
    expect(told).toEqual(['ENOTDIR']);
  });

  it('is complete once there is room on the disk again', async () => {
    verifies('AGT-07');
    await using folder = await tempFolder();
    // A file in the place of the folder makes writing fail, like a full disk.
    await folder.write('conversations', '');
    const problems: string[] = [];
    const onUnwritable = (_: string, code: string): void => void problems.push(code);
    const transcripts = transcriptsIn(folder, { onUnwritable });
    const open = transcripts.begin('m');
    for (const message of [hello, answer]) open.add(message);
    await open.settled();
    await rm(join(folder.path, 'conversations'));
    open.add(user('more'));
    await open.settled();
    expect((await transcripts.latest())?.messages).toEqual([hello, answer, user('more')]);
    expect(problems.length).toBe(1);
  });

  it('is removed when it is old, and when there are too many', async () => {
    await using folder = await tempFolder();
    const clock = new ManualClock(Date.now());
    const transcripts = transcriptsIn(folder, { clock });
    await kept(transcripts, [hello]);
    const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
    await utimes(await fileIn(folder), old, old);
    const young = await kept(transcripts, [hello]);
    await transcripts.sweep();
    expect((await transcripts.list()).map(({ id }) => id)).toEqual([young]);
  });

  it('survives a clock that is thirty days ahead, also when the clock is corrected later', async () => {
    verifies('POL-19');
    await using folder = await tempFolder();
    const clock = new ManualClock(Date.now());
    const transcripts = transcriptsIn(folder, { clock });
    const ids = [await kept(transcripts, [hello]), await kept(transcripts, [answer])].toSorted();
    const listed = async (): Promise<readonly string[]> =>
      (await transcripts.list()).map(({ id }) => id).toSorted();
    clock.jump(31 * 24 * 60 * 60 * 1000);
    await transcripts.sweep();
    expect(await listed()).toEqual(ids);
    const wrong = await kept(transcripts, [hello]);
    const ahead = new Date(clock.now());
    await utimes(await fileIn(folder, wrong), ahead, ahead);
    await transcripts.sweep();
    clock.jump(-31 * 24 * 60 * 60 * 1000);
    await transcripts.sweep();
    expect(await listed()).toEqual([...ids, wrong].toSorted());
  });

  it.each(['../../etc/passwd', 'a/b', '', '.', 'x'.repeat(200)])(
    'is not found under the invalid id %j',
    async (id) => {
      await using folder = await tempFolder();
      expect(await transcriptsIn(folder).resume(id)).toBeUndefined();
    },
  );

  it('of 2,000 messages is read in well under a second', async () => {
    verifies('AGT-07');
    await using folder = await tempFolder();
    const transcripts = transcriptsIn(folder);
    const text = 'Some words of an answer that is not short. '.repeat(50);
    const messages = Array.from({ length: 2000 }, (_, index) =>
      index % 2 === 0 ? user(`question ${index}`) : assistant({ kind: 'text', text }),
    );
    await kept(transcripts, messages);
    const took = await processorMs(async () => {
      expect((await transcripts.latest())?.messages).toHaveLength(2000);
    });
    expect(took).toBeLessThan(1000);
  });
});

describe('parsing a transcript', () => {
  const head = { kind: 'session', version: 1, id: 'a', folder: '/', model: 'm', startedAt: 1 };

  it('never throws, and always yields a valid conversation', () => {
    const junk = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .array(
          fc.oneof(
            fc.constantFrom(hello, answer, assistant(call('1', 't'))),
            fc.jsonValue(),
            fc.constant({
              kind: 'tool',
              answers: [{ id: '1', tool: 't', isError: false, parts: [] }],
            }),
            fc.record({
              kind: fc.constantFrom('user', 'assistant', 'tool'),
              parts: fc.jsonValue(),
            }),
          ),
        )
        .map((messages) => JSON.stringify({ kind: 'replaced', messages })),
      fc
        .oneof(fc.constantFrom(hello, answer, assistant(call('2', 't'))), fc.jsonValue())
        .map((message) => JSON.stringify({ kind: 'message', message })),
    );
    fc.assert(
      fc.property(fc.array(junk), (lines) => {
        const read = readTranscript([JSON.stringify(head), ...lines].join('\n'));
        expect(problemsOf(read?.replay.messages ?? [])).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('yields nothing without the first line', () => {
    expect(readTranscript('{"kind":"message"}\nnonsense')).toBeUndefined();
  });
});

it('hiding secrets replaces text that looks like a secret and keeps the rest', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk';
  expect(hideSecrets(`a ${jwt} b`)).toBe('a [hidden] b');
  expect(hideSecrets('Authorization: Bearer abcdefghijklmnop')).toBe(
    'Authorization: Bearer [hidden]',
  );
  expect(hideSecrets('export API_KEY=abcdef123456')).toBe('export API_KEY=[hidden]');
  expect(hideSecrets('the password is asked for below')).toBe('the password is asked for below');
});
