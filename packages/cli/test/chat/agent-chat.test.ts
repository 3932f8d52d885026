import { Emitter, Scope } from '@plugboard/base';
import { hostEnvironment } from '@plugboard/host/configuration';
import { scriptedServer } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { AgentChat, openDesk, type TalkCommands } from '../../src/chat/index.ts';
import { hostWith } from './host-with.ts';

/** A chat whose server never answers, and a promise of the first attempt to connect to it. */
async function chatWithSilentServer(scope: Scope) {
  const host = await hostWith(scope, { mute: scriptedServer({ silent: true }) });
  const connecting = new Promise<void>((resolve) => {
    host.on((event) => {
      if (event.kind === 'state' && event.server.state.kind === 'connecting') resolve();
    });
  });
  const environment = hostEnvironment();
  const chat = new AgentChat({
    ...openDesk(new Emitter(() => {}), 'ask', environment),
    opening: {
      version: '',
      folder: '',
      model: { kind: 'chosen', name: 'some/model' },
      servers: 1,
      mode: 'ask',
      builtIn: 0,
      problems: [],
    },
    environment,
    columns: () => 80,
    earlier: [],
    history: { lines: [], add: () => Promise.resolve() },
    clipboardPicture: () => Promise.reject(new Error('not used')),
    open: () =>
      Promise.resolve({
        host,
        hasModel: true,
        send: () => {
          throw new Error('not used');
        },
        commands: {} as TalkCommands,
        act: () => Promise.reject(new Error('not used')),
        session: undefined,
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
  });
  return { chat: scope.use(chat), connecting };
}

describe('a chat', () => {
  it('cancels a prompt whose server does not answer', async () => {
    await using scope = new Scope();
    const { chat, connecting } = await chatWithSilentServer(scope);
    const submitted = chat.submit('/mute:greet');
    await connecting;
    chat.cancel();
    expect(await submitted).toEqual({ kind: 'problem', message: 'cancelled', fix: undefined });
  });
});
