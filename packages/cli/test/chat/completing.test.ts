import { Scope } from '@plugboard/base';
import { scriptedServer, tempFolder, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { completionsAt } from '../../src/chat/completing.ts';
import { SLASH_COMMANDS } from '../../src/chat/slash-commands.ts';
import { hostWith } from './host-with.ts';

const LIBRARY = {
  prompts: [
    {
      name: 'summary',
      description: 'Sums up',
      arguments: [{ name: 'topic', required: true }, { name: 'length' }],
    },
  ],
  resources: [{ uri: 'notes://today', name: 'Today' }],
  completions: { topic: ['tests', 'texts', 'tools'] },
};

async function started(scope: Scope) {
  const folder = scope.use(await tempFolder());
  await folder.write('src/main.ts', '');
  await folder.write('src/a file.ts', '');
  await folder.write('readme.md', '');
  await folder.write('.hidden', '');
  const host = await hostWith(scope, { docs: scriptedServer({ library: LIBRARY }) });
  const ports = {
    host: () => Promise.resolve(host),
    commands: SLASH_COMMANDS,
    folder: folder.path,
  };
  const at = async (text: string) => {
    const { start, choices } = await completionsAt(ports, text, new AbortController().signal);
    return { start, texts: choices.map((choice) => choice.text) };
  };
  return { host, at };
}

describe('completion in the chat', () => {
  verifies('AGT-05');

  it('offers commands after a slash at the beginning, and nowhere else', async () => {
    await using scope = new Scope();
    const { at } = await started(scope);
    expect(await at('/co')).toEqual({
      start: 0,
      texts: ['/compact', '/context ', '/cost', '/copy'],
    });
    expect(await at('look at /co')).toEqual({ start: 11, texts: [] });
  });

  it('offers prompts of connected servers, and then values of their arguments', async () => {
    await using scope = new Scope();
    const { at, host } = await started(scope);
    expect(await at('/docs')).toEqual({ start: 0, texts: [] });
    await host.tools();
    expect(await at('/docs')).toEqual({ start: 0, texts: ['/docs:summary '] });
    expect(await at('/docs:summary length=3 topic=te')).toEqual({
      start: 29,
      texts: ['tests', 'texts'],
    });
  });

  it('offers files after @, one folder at a time, and resources', async () => {
    await using scope = new Scope();
    const { at, host } = await started(scope);
    expect(await at('read @r')).toEqual({ start: 5, texts: ['@readme.md '] });
    expect(await at('@s')).toEqual({ start: 0, texts: ['@src/'] });
    expect(await at('@src/')).toEqual({ start: 0, texts: ['@"src/a file.ts" ', '@src/main.ts '] });
    expect((await at('@.h')).texts).toEqual(['@.hidden ']);
    expect((await at('@../')).texts).toEqual([]);
    await host.tools();
    expect((await at('@docs')).texts).toEqual(['@docs:notes://today ']);
  });
});
