// The cut results of a real server, which a model reads in the real loop.

import { link, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, never, Scope, systemClock } from '@plugboard/base';
import type { ApprovalRequest, Host, SavedFile } from '@plugboard/host';
import { filesystem, type TempFolder, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { AgentEvent, Message, ToolAnswer } from '../../src/conversation/index.ts';
import { Conversation, Spending } from '../../src/loop/index.ts';
import { withOwnTools } from '../../src/own-tools/index.ts';
import { delegateTool } from '../../src/subagent/index.ts';
import { HostToolbox } from '../../src/toolbox/index.ts';
import { givenHost } from '../given-host.ts';
import { call, calls, says, scriptedModel, type Step, user } from '../scripted-model.ts';

/** About 2 MB. */
const LINES = Array.from(
  { length: 60_000 },
  (_, index) => `${index + 1} of many entries in a long log`,
);
const READ = 'mcp__files__read_text_file';

interface Talk {
  readonly host: Host;
  readonly folder: TempFolder;
  readonly asked: ApprovalRequest[];
  /** Sends a message; the model of each agent takes its next step. */
  send(
    steps: readonly Step[],
    others?: Readonly<Record<string, readonly Step[]>>,
  ): Promise<SentTurn>;
}

interface SentTurn {
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
  readonly answers: readonly ToolAnswer[];
  /** The tools that each request offered. */
  readonly offered: readonly (readonly string[])[];
}

async function givenTalk(scope: Scope): Promise<Talk> {
  const folder = scope.use(await tempFolder());
  await folder.write('tree/log.txt', `${LINES.join('\n')}\n`);
  const asked: ApprovalRequest[] = [];
  const host = await givenHost(
    scope,
    { files: filesystem(join(folder.path, 'tree')) },
    {
      roots: [join(folder.path, 'tree')],
      approve: (request) => {
        asked.push(request);
        return { kind: 'allow' };
      },
    },
  );
  const toolbox = scope.use(
    new HostToolbox({
      ...{ host, clock: systemClock, contextTokens: 1_000_000, firstWaitMs: 60_000 },
      essential: ['files'],
    }),
  );
  const spending = new Spending();
  const shared = { clock: systemClock, system: () => 'Be short.', spending };
  const send: Talk['send'] = async (steps, others = {}) => {
    const at = new Map<string, number>();
    const model = scriptedModel(
      ({ system }) => {
        const who = /You are "([^"]+)"/.exec(system)?.[1] ?? 'main';
        const index = at.get(who) ?? 0;
        at.set(who, index + 1);
        return (who === 'main' ? steps : others[who])?.[index] ?? says('done');
      },
      { contextTokens: 1_000_000 },
    );
    const delegate = delegateTool({ toolbox, model: () => model, ...shared });
    const conversation = new Conversation({
      ...{ toolbox: withOwnTools(toolbox, [delegate]), model, ...shared },
      firstTools: (signal) => toolbox.firstTools(signal),
    });
    const events: AgentEvent[] = [];
    for await (const event of conversation.send(user('go'), never)) events.push(event);
    const { messages } = conversation;
    const answers = events.flatMap((event) =>
      event.kind === 'message' && event.message.kind === 'tool' ? event.message.answers : [],
    );
    const offered = model.requests.map(({ tools }) => tools.map(({ name }) => name));
    return { events, messages, answers, offered };
  };
  return { host, folder, asked, send };
}

const readLog = (folder: TempFolder): Step =>
  calls(call('1', READ, { path: join(folder.path, 'tree/log.txt') }));
const readOn = (given: JsonObject): Step => calls(call('2', 'read_result', given));

function textOf(answer: ToolAnswer | undefined): string {
  return answer?.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n') ?? '';
}

/** The file of a result that was cut in the first turn. */
async function cut(talk: Talk): Promise<SavedFile> {
  const { answers } = await talk.send([readLog(talk.folder)]);
  const [file] = answers[0]?.results ?? [];
  if (file === undefined) throw new Error(`nothing was cut: ${textOf(answers[0]).slice(0, 500)}`);
  return file;
}

describe('a result of two megabytes', () => {
  it('is cut with a note that says how to read on, in a tool that was not offered before', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const talk = await givenTalk(scope);
    const { answers, offered } = await talk.send([readLog(talk.folder)]);
    const [file] = answers[0]?.results ?? [];
    expect(file?.bytes).toBeGreaterThan(2_000_000);
    expect(textOf(answers[0]).length).toBeLessThan(101_000);
    expect(textOf(answers[0])).toContain(`in the file ${file?.path} (${file?.bytes} bytes`);
    expect(textOf(answers[0])).toContain(`read_result {"id":"${file?.id}"}`);
    expect(offered.map((names) => names.includes('read_result'))).toEqual([false, true]);
  });

  it('is read, searched and paged by the model, without an approval prompt', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const talk = await givenTalk(scope);
    const { id } = await cut(talk);
    talk.asked.length = 0;
    const { answers } = await talk.send([
      readOn({ id, start_line: 30_000, end_line: 30_002 }),
      readOn({ id, start_line: 30_003 }),
      readOn({ id, query: '^45678 of', regex: true, context_lines: 0 }),
      readOn({ id, start_character: 1_000_000 }),
    ]);
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    const [lines, page, found, middle] = answers.map(textOf);
    expect(lines?.split('\n').slice(1)).toEqual([
      `30000: ${LINES[29_999]}`,
      `30001: ${LINES[30_000]}`,
      `30002: ${LINES[30_001]}`,
      `[Read on: {"id":"${id}","start_line":30003}]`,
    ]);
    expect(page).toMatch(/\n30003: 30003 of many.*\n30004: /);
    expect(page).toMatch(/\[Read on: \{"id":"\w+","start_line":\d+\}\]$/);
    expect(found).toMatch(/\[1 match of .*\n45678: 45678 of many entries/);
    expect(middle).toContain('characters 1000000-10');
    expect(talk.asked).toEqual([]);
  });

  it('is read by a sub-agent, also by one with few tools', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const talk = await givenTalk(scope);
    const { id } = await cut(talk);
    const task = { task: `look into ${id}`, name: 'reader', tools: ['mcp__files__list_*'] };
    const { answers, messages } = await talk.send([calls(call('1', 'delegate', task))], {
      reader: [readOn({ id, query: '59999 of' }), says('It is there.')],
    });
    expect(answers.map(textOf)).toEqual([
      expect.stringContaining('59999: 59999 of many entries'),
      'It is there.',
    ]);
    expect(messages.at(-1)).toMatchObject({ kind: 'assistant' });
  });

  it('is known to the conversation after a sub-agent received it', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const talk = await givenTalk(scope);
    const { messages } = await talk.send(
      [calls(call('1', 'delegate', { task: 'read', name: 'reader' }))],
      { reader: [readLog(talk.folder), says('It is long.')] },
    );
    const [answer] = messages.flatMap((said) => (said.kind === 'tool' ? said.answers : []));
    expect(answer?.results).toEqual(talk.host.results.all);
    expect(talk.host.results.all).toHaveLength(1);
  });
});

describe('read_result', () => {
  const refused = async (talk: Talk, id: string): Promise<string> => {
    const { answers } = await talk.send([readOn({ id })]);
    expect(answers.map(({ isError }) => isError)).toEqual([true]);
    return textOf(answers[0]);
  };

  it.each(['/etc/passwd', '../../../../../../etc/passwd', 'results/../../secret.txt'])(
    'does not open %s',
    async (path) => {
      verifies('OUT-08');
      await using scope = new Scope();
      const talk = await givenTalk(scope);
      await cut(talk);
      const text = await refused(talk, path);
      expect(text).toContain('is no result of this conversation');
      expect(text).not.toContain('root:');
    },
  );

  it('does not open results of another host in the same folder', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const [talk, other] = [await givenTalk(scope), await givenTalk(scope)];
    const [own, foreign] = [await cut(talk), await cut(other)];
    const beside = join(own.path, '..', `${foreign.id}.txt`);
    await link(foreign.path, beside);
    for (const name of [foreign.id, foreign.path, beside]) {
      expect(await refused(talk, name)).toContain('is no result of this conversation');
    }
  });

  it('does not open a link in the folder, in place of a result or beside it', async () => {
    verifies('OUT-08');
    await using scope = new Scope();
    const talk = await givenTalk(scope);
    const own = await cut(talk);
    const secret = join(talk.folder.path, 'secret.txt');
    await writeFile(secret, 'root: secret');
    const beside = join(own.path, '..', 'aaaaaaaaaaaaaaaa.txt');
    await symlink(secret, beside);
    expect(await refused(talk, beside)).toContain('is no result of this conversation');
    await rm(own.path);
    await symlink(secret, own.path);
    for (const name of [own.id, own.path]) {
      expect(await refused(talk, name)).toContain('not there any more');
    }
  });
});
