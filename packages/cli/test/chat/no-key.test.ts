// The chat without a model: a page that says what to set, and everything that works without.

import { descendants, isAlive, scriptedServer, verifies, waitUntil } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { sandbox } from '../sandbox.ts';
import { chatOn, chatProcessOn, leave, PROMPT, say } from './chat-on-terminal.ts';

const LIBRARY = {
  resources: [{ uri: 'doc://guide', name: 'guide', mimeType: 'text/plain', text: 'Be kind.' }],
};

describe('a chat without a key', () => {
  it('shows what to set for each provider, and what works without a key', async ({ expect }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await using screen = await chatOn(box, undefined);
    const page = await screen.shows(PROMPT);
    const variables = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];
    const words = [...variables, 'Ollama', 'LM Studio', 'vLLM', '/mcp', '/tools', '/call'];
    expect(words.filter((word) => page.includes(word))).toEqual(words);
    await say(screen, 'hello');
    const told = await screen.shows('/mcp work without');
    expect(told).toContain('there is no model to answer');
    expect(variables.filter((word) => told.includes(word))).toEqual(variables);
    expect(await leave(screen)).toBe(0);
  });

  it('exits with 130 after two Ctrl-C, with its servers stopped', async ({ expect }) => {
    verifies('CLI-06');
    await using box = await sandbox({ s: scriptedServer({ builtIns: ['echo'] }) });
    await using screen = await chatProcessOn(box, undefined);
    await say(screen, '/call s echo message="hi there"');
    await screen.shows(/\n\s*hi there\n/u);
    const started = descendants(screen.pid);
    screen.type('\u0003\u0003');
    expect((await screen.ended).code).toBe(130);
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });

  it('exits with 143 after SIGTERM', async ({ expect }) => {
    verifies('CLI-06');
    await using box = await sandbox();
    await using screen = await chatProcessOn(box, undefined);
    await screen.shows(PROMPT);
    process.kill(screen.pid, 'SIGTERM');
    expect((await screen.ended).code).toBe(143);
  });

  it('still lists, calls, reads and shows servers', async ({ expect }) => {
    verifies('AGT-01', 'AGT-05');
    await using box = await sandbox({
      s: scriptedServer({ builtIns: ['echo', 'add'], library: LIBRARY }),
    });
    await using screen = await chatOn(box, undefined, { rows: 60 });
    await say(screen, '/tools s');
    await screen.shows('Says what it was told');
    await say(screen, '/call s echo message="hi there"');
    await screen.shows(/\n\s*hi there\n/u);
    await say(screen, '/call s add a=2');
    await screen.shows("must have required property 'b'");
    await say(screen, '/resources');
    await screen.shows('doc://guide');
    await say(screen, '/read s:doc://guide');
    await screen.shows('Be kind.');
    await say(screen, '/tolls');
    await screen.shows('did you mean /tools?');
    await say(screen, '/help');
    await screen.shows('Ctrl-O');
    screen.press('escape');
    await say(screen, '/mcp');
    const panel = await screen.shows(/s +ready +\d+ tools? [\s\S]*Esc closes/u);
    expect(panel).toContain('MCP servers');
    screen.press('escape');
    await screen.hides('MCP servers');
    expect(await leave(screen)).toBe(0);
  });

  it('searches the code of the folder', async ({ expect }) => {
    verifies('AGT-01');
    await using box = await sandbox();
    await box.write(
      'src/token.ts',
      'export function refreshToken(old: string): string {\n  return `${old}-renewed`;\n}\n',
    );
    await using screen = await chatOn(box, undefined, { env: { PLUGBOARD_CODEBASE: 'on' } });
    const isFound = (text: string): boolean => /src\/token\.ts[\s\S]*-renewed/u.test(text);
    let asked = 0;
    // On a busy machine, the file may not be indexed at the first search.
    const found = await waitUntil(
      async () => {
        asked += 1;
        await say(screen, `/search where tokens are renewed ${asked}`);
        const hasAnswered = (text: string): boolean =>
          isFound(text) || text.split('Nothing found.').length > asked;
        const text = await screen.until(hasAnswered, { within: 'everything' });
        return isFound(text) && text;
      },
      { describe: 'the function to be found' },
    );
    expect(found).toContain('refreshToken');
    expect(await leave(screen)).toBe(0);
  });
});
