// Hooks around calls: real commands and a real server.

import { never, Scope, systemClock } from '@plugboard/base';
import { scriptedServer, verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import type { AdmittedHook } from '../../src/admission/index.ts';
import { allowAll, type CallOutcome, createHost, type HostOptions } from '../../src/host/index.ts';
import { Hooks } from '../../src/host/hooks.ts';
import { hostEnvironment } from '../../src/platform/index.ts';
import { ruledHost } from './ruled-host.ts';

const s = scriptedServer({ builtIns: ['echo', 'cwd'] });

/** A program that reads JSON from stdin as `input` and runs a statement. */
function program(statement: string): readonly string[] {
  const read = `let text = ''; process.stdin.on('data', (more) => (text += more)).on('end', () => {
    const input = JSON.parse(text); ${statement} });`;
  return [process.execPath, '-e', read];
}

function printing(value: string): readonly string[] {
  return program(`console.log(JSON.stringify(${value}))`);
}

async function echoed(
  scope: Scope,
  hooks: object,
  options: HostOptions & { readonly message?: string; readonly permissionRules?: object } = {},
): Promise<CallOutcome> {
  const { message = 'hi', permissionRules = {}, ...rest } = options;
  const user = { mcpServers: { s }, permissions: permissionRules, hooks };
  const { host } = await ruledHost(scope, { user }, { approve: allowAll, ...rest });
  return host.call({ server: 's', tool: 'echo' }, { message });
}

const said = (text: string) => ({
  kind: 'result',
  server: 's',
  tool: 'echo',
  parts: [{ kind: 'text', text }],
});

describe('a hook before a call', () => {
  verifies('POL-08');

  it('may let it continue, also without output, and receives the call', async () => {
    await using scope = new Scope();
    const seen = `process.stderr.write(text); process.exit(3)`;
    const outcomes = await Promise.all([
      echoed(scope, { beforeCall: [{ shell: 'cat > /dev/null' }] }),
      echoed(scope, { beforeCall: [{ command: printing(`{ decision: 'continue' }`) }] }),
      echoed(scope, { beforeCall: [{ tool: 's/cwd', shell: 'exit 1' }] }),
      echoed(scope, { beforeCall: [{ command: program(seen) }] }),
    ]);
    expect(outcomes.slice(0, 3)).toEqual([said('hi'), said('hi'), said('hi')]);
    const { reason } = outcomes[3] as Extract<CallOutcome, { kind: 'denied' }>;
    expect(JSON.parse(reason.slice(reason.indexOf('{')))).toEqual({
      event: 'beforeCall',
      server: 's',
      tool: 'echo',
      name: 'mcp__s__echo',
      annotations: { readOnlyHint: true },
      arguments: { message: 'hi' },
    });
  });

  it('may block it, with a reason', async () => {
    await using scope = new Scope();
    const command = printing(`{ decision: 'block', reason: 'not on a ' + input.tool }`);
    expect(await echoed(scope, { beforeCall: [{ server: 's', command }] })).toMatchObject({
      kind: 'denied',
      reason: 'a hook: not on a echo',
      by: {
        kind: 'hook',
        hook: { event: 'beforeCall', origin: { kind: 'file', line: 4 }, reason: 'not on a echo' },
      },
      needs: [],
    });
  });

  it('may change the arguments, one hook after another, before the approval', async () => {
    await using scope = new Scope();
    const asked: unknown[] = [];
    const more = (text: string) => ({
      command: printing(`{ arguments: { message: input.arguments.message + '${text}' } }`),
    });
    const outcome = await echoed(
      scope,
      { beforeCall: [more(' there'), more('!')] },
      {
        approve: (request) => {
          asked.push(request.arguments);
          return { kind: 'allow' };
        },
      },
    );
    expect(outcome).toEqual(said('hi there!'));
    expect(asked).toEqual([{ message: 'hi there!' }]);
  });

  it('has its arguments checked and decided again', async () => {
    await using scope = new Scope();
    const rewrite = (value: string) => ({ beforeCall: [{ command: printing(value) }] });
    const permissionRules = {
      deny: [{ tool: 's/echo', arguments: [{ path: 'message', equals: 'evil' }] }],
    };
    expect(
      await echoed(scope, rewrite(`{ arguments: { message: 'evil' } }`), { permissionRules }),
    ).toMatchObject({ kind: 'denied', by: { kind: 'policy' } });
    expect(await echoed(scope, rewrite(`{ arguments: { message: 7 } }`))).toMatchObject({
      kind: 'invalid-arguments',
    });
    // A rule denies a call before any hook runs.
    expect(
      await echoed(scope, rewrite(`{ arguments: { message: 'fine' } }`), {
        permissionRules,
        message: 'evil',
      }),
    ).toMatchObject({ kind: 'denied', by: { kind: 'policy' } });
  });

  it.each([
    ['a program that is not there', { command: ['/no/such/program'] }, 'could not be started'],
    ['a failing program', { shell: 'echo why >&2; exit 3' }, 'exited with 3: why'],
    ['a killed one', { shell: 'kill -9 $$' }, 'was ended by SIGKILL'],
    ['one that takes too long', { shell: 'sleep 60', timeout: 50 }, 'took longer than 50 ms'],
    ['noise', { shell: 'echo hello' }, 'printed something that is not JSON'],
    ['a list', { shell: 'echo []' }, 'printed JSON that is not an object'],
    ['an odd decision', { shell: `echo '{"decision":"allow"}'` }, 'neither "block" nor'],
    ['an odd field', { shell: `echo '{"args":{}}'` }, 'means nothing here: "args"'],
    ['arguments that are none', { shell: `echo '{"arguments":[]}'` }, 'are not an object'],
    ['a hook without a command', { tool: 's/*' }, 'must have either "command" or "shell"'],
    ['a hook with both', { command: ['x'], shell: 'x' }, 'must have either "command" or "shell"'],
    ['a misspelt hook', { comand: ['x'] }, 'can only have'],
  ])('blocks the call when it fails: %s', async (_, hook, reason) => {
    await using scope = new Scope();
    expect(await echoed(scope, { beforeCall: [hook] })).toMatchObject({
      kind: 'denied',
      by: { kind: 'hook', hook: { reason: expect.stringContaining(reason) } },
    });
  });

  it('of a project runs only if the project is trusted, and sees little of the environment', async () => {
    await using scope = new Scope();
    const hooks = { beforeCall: [{ shell: 'echo "it is <$MINE>" >&2; exit 1' }] };
    const call = async (file: 'user' | 'project', options: HostOptions) => {
      const servers = { mcpServers: { s } };
      const files =
        file === 'user' ? { user: { ...servers, hooks } } : { user: servers, project: { hooks } };
      const { environment } = await ruledHost(scope, files);
      const env = { ...environment.env, MINE: 'secret' };
      const host = scope.use(
        await createHost({
          environment: { ...environment, env },
          approve: allowAll,
          watch: 'none',
          ...options,
        }),
      );
      const outcome = await host.call({ server: 's', tool: 'echo' }, { message: 'hi' });
      return { outcome, diagnostics: host.diagnostics };
    };
    expect(await call('project', {})).toMatchObject({
      outcome: { kind: 'result' },
      diagnostics: [{ code: 'unused-key', message: expect.stringContaining('A hook has no') }],
    });
    expect(await call('project', { trust: 'project' })).toMatchObject({
      outcome: { kind: 'denied', reason: 'a hook: exited with 1: it is <>' },
    });
    expect(await call('user', {})).toMatchObject({
      outcome: { kind: 'denied', reason: 'a hook: exited with 1: it is <secret>' },
    });
  });

  it('is aborted with the call', async () => {
    await using scope = new Scope();
    const user = { mcpServers: { s }, hooks: { beforeCall: [{ shell: 'sleep 60' }] } };
    const { host } = await ruledHost(scope, { user }, { approve: allowAll });
    const giveUp = new AbortController();
    const call = host.call({ server: 's', tool: 'echo' }, { message: 'x' }, giveUp);
    giveUp.abort();
    expect(await call).toEqual({ kind: 'cancelled', server: 's', tool: 'echo' });
  });
});

describe('a hook after a call', () => {
  verifies('POL-08');

  it('may change the result, or withhold it', async () => {
    await using scope = new Scope();
    const hidden = `{ result: { content: [{ type: 'text', text: input.result.content[0].text + ' from ' + input.arguments.message }] } }`;
    expect(await echoed(scope, { afterCall: [{ command: printing(hidden) }] })).toEqual(
      said('hi from hi'),
    );
    const block = `{ decision: 'block', reason: 'a secret in it' }`;
    expect(await echoed(scope, { afterCall: [{ command: printing(block) }] })).toMatchObject({
      kind: 'denied',
      reason: 'a hook: a secret in it',
      by: { kind: 'hook', hook: { event: 'afterCall' } },
    });
  });

  it('that fails is reported beside the result', async () => {
    await using scope = new Scope();
    const odd = `{ result: { content: [{ type: 'text' }] } }`;
    expect(
      await echoed(scope, { afterCall: [{ shell: 'exit 1' }, { command: printing(odd) }] }),
    ).toMatchObject({
      ...said('hi'),
      failedHooks: [
        { event: 'afterCall', reason: 'exited with 1' },
        { event: 'afterCall', reason: 'printed something odd: content[0] has no text' },
      ],
    });
  });
});

describe('a hook on an answer to a server', () => {
  verifies('POL-08');

  const question = { kind: 'form', message: 'Who are you?', schema: {} } as const;
  const answer = { kind: 'accept', content: { name: 'me' } } as const;
  const standing = { name: 's', prefix: 'mcp__s__', unasked: [], isTrusted: true };

  function hooks(command: readonly string[], more: Partial<AdmittedHook> = {}): Hooks {
    const [first = '', ...rest] = command;
    const hook: AdmittedHook = {
      event: 'elicitationResult',
      scope: 'user',
      origin: { kind: 'given', by: 'test' },
      timeoutMs: 20_000,
      run: { kind: 'command', argv: [first, ...rest] },
      isForeign: false,
      folder: process.cwd(),
      startsIn: process.cwd(),
      ...more,
    };
    const environment = { ...hostEnvironment(), env: { PATH: process.env['PATH'] } };
    return new Hooks([hook], [standing], { environment, clock: systemClock });
  }

  const run = (all: Hooks, server = 's') =>
    all.elicitationResult({ server, question, answer }, never);

  it('may change it, block it, or turn it into a refusal', async () => {
    const changed = printing(
      `{ answer: { kind: 'accept', content: { name: input.answer.content.name + ' of ' + input.server } } }`,
    );
    expect(await run(hooks(changed))).toMatchObject({
      kind: 'passed',
      isChanged: true,
      value: { kind: 'accept', content: { name: 'me of s' } },
    });
    expect(await run(hooks(printing(`{ answer: { kind: 'decline' } }`)))).toMatchObject({
      value: { kind: 'decline' },
    });
    expect(await run(hooks(printing(`{ decision: 'block', reason: 'no' }`)))).toEqual({
      kind: 'blocked',
      by: { event: 'elicitationResult', origin: { kind: 'given', by: 'test' }, reason: 'no' },
    });
  });

  it('withholds the answer when it fails, and is not run for other servers', async () => {
    expect(await run(hooks(['/no/such/program']))).toMatchObject({ kind: 'blocked' });
    expect(await run(hooks(printing(`{ answer: { kind: 'maybe' } }`)))).toMatchObject({
      kind: 'blocked',
    });
    const other = hooks(['/no/such/program'], { server: 'other' });
    expect(await run(other)).toEqual({
      kind: 'passed',
      value: answer,
      isChanged: false,
      failures: [],
    });
  });
});
