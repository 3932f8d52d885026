// The scripted model: it follows its script, waits at holds, and also runs as a process.

import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  type ModelScript,
  startScriptedModel,
  startScriptedModelProcess,
  tempFolder,
} from '../src/index.ts';

const PATHS = [
  ['anthropic', '/v1/messages'],
  ['chat', '/v1/chat/completions'],
  ['responses', '/v1/responses'],
  ['google', '/v1beta/models/gemini-x:streamGenerateContent?alt=sse'],
] as const;

async function ask(url: string, path: string, body: object = {}): Promise<Response> {
  return await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) });
}

describe('a scripted model', () => {
  it.each(PATHS)('speaks %s', async (wire, path) => {
    await using model = await startScriptedModel({ turns: ['hello there'] });
    const answer = await ask(model.url, path, { model: 'gemini-x', input: 'who?' });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toContain('hello there');
    expect(model.requests.map(({ headers: _, ...seen }) => seen)).toEqual([
      {
        wire,
        path: path.split('?')[0],
        model: 'gemini-x',
        text: '{"model":"gemini-x","input":"who?"}',
        body: { model: 'gemini-x', input: 'who?' },
      },
    ]);
  });

  it('takes turns in order, those with a condition only when it matches, then refuses', async () => {
    await using model = await startScriptedModel({
      turns: [
        {
          kind: 'answer',
          when: 'sub-agent',
          steps: [{ kind: 'text', text: 'for the sub-agent' }],
        },
        'first',
        ({ body }) => `you said ${String(body['input'])}`,
      ],
    });
    const [, , [, path]] = PATHS;
    const say = async (input: string): Promise<string> =>
      await (await ask(model.url, path, { input })).text();
    expect(await say('a')).toContain('first');
    expect(await say('I am the sub-agent')).toContain('for the sub-agent');
    expect(await say('b')).toContain('you said b');
    expect(await say('c')).toContain('the script has no more turns');
    model.addTurns('one more');
    expect(await say('d')).toContain('one more');
  });

  it('waits at a hold until it is released, also when the release came first', async () => {
    await using model = await startScriptedModel({
      otherwise: {
        kind: 'answer',
        steps: [
          { kind: 'hold', name: 'gate' },
          { kind: 'text', text: 'through' },
        ],
      },
    });
    const [[, path]] = PATHS;
    const running = ask(model.url, path).then(async (answer) => await answer.text());
    await model.reached('gate');
    expect(model.open).toBe(1);
    model.release('gate');
    expect(await running).toContain('through');
    model.release('gate');
    expect(await (await ask(model.url, path)).text()).toContain('through');
  });

  it('streams the given number of words', async () => {
    await using model = await startScriptedModel({
      turns: [{ kind: 'answer', steps: [{ kind: 'pace', tokens: 50, perSecond: 1000 }] }],
    });
    const [[, path]] = PATHS;
    const text = await (await ask(model.url, path)).text();
    expect(text.split('"text_delta"')).toHaveLength(51);
  });

  it('answers 404 at other paths', async () => {
    await using model = await startScriptedModel({ otherwise: 'hello' });
    expect((await ask(model.url, '/v1/other')).status).toBe(404);
    expect(model.requests).toEqual([]);
  });

  it('runs as a process, from a file, and is controlled from outside', async () => {
    await using folder = await tempFolder();
    const file = `${folder.path}/script.json`;
    const script: ModelScript = {
      turns: [
        {
          kind: 'answer',
          steps: [
            { kind: 'hold', name: 'gate' },
            { kind: 'text', text: 'through' },
          ],
        },
      ],
    };
    await writeFile(file, JSON.stringify(script));
    await using peer = await startScriptedModelProcess(file);
    const url = `http://127.0.0.1:${peer.port}`;
    const running = ask(url, '/v1/messages', { model: 'm' });
    await ask(url, '/script/release?name=gate');
    expect(await (await running).text()).toContain('through');
    const seen = (await (await fetch(`${url}/script/requests`)).json()) as { model: string }[];
    expect(seen.map(({ model }) => model)).toEqual(['m']);
  });
});
