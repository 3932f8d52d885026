// Calls under rules in files, with real servers.

import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Scope } from '@plugboard/base';
import {
  everything,
  filesystem,
  inProcessServer,
  scriptedServer,
  verifies,
  waitUntil,
} from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import {
  allowAll,
  type ApprovalRequest,
  type Approver,
  createHost,
  type Host,
} from '../../src/host/index.ts';
import { PROJECT_FILE, ruledHost, settings, USER_FILE } from './ruled-host.ts';

const echo = { server: 's', tool: 'echo' };
const s = scriptedServer({ builtIns: ['echo', 'cwd'] });

/** Approves by default, and records the requests. */
function asking(answer: Approver = allowAll): { asked: ApprovalRequest[]; approve: Approver } {
  const asked: ApprovalRequest[] = [];
  const approve: Approver = (request) => {
    asked.push(request);
    return answer(request);
  };
  return { asked, approve };
}

function kindOf(host: Host, message = 'hi'): Promise<string> {
  return host.call(echo, { message }).then(({ kind }) => kind);
}

describe('a call under permission rules', () => {
  it('is allowed, asked about or denied, and a denial names the line and the file', async () => {
    verifies('POL-01', 'POL-04');
    await using scope = new Scope();
    const { asked, approve } = asking();
    const permissions = {
      allow: ['mcp__everything__echo'],
      deny: [{ tool: 'everything/get-sum', arguments: [{ path: 'a', greaterThan: 100 }] }],
    };
    const { host, folder } = await ruledHost(
      scope,
      { user: { mcpServers: { everything: everything() }, permissions } },
      { approve },
    );
    const sum = { server: 'everything', tool: 'get-sum' };
    expect(await host.call('mcp__everything__echo', { message: 'hi' })).toMatchObject({
      kind: 'result',
    });
    expect(asked).toEqual([]);
    expect(await host.call(sum, { a: 1, b: 2 })).toMatchObject({ kind: 'result' });
    expect(asked.map(({ decision }) => decision)).toEqual([
      { kind: 'ask', because: { kind: 'default', case: 'no-rule' } },
    ]);
    expect(await host.call(sum, { a: 101, b: 2 })).toMatchObject({
      kind: 'denied',
      by: {
        kind: 'policy',
        decision: {
          because: {
            rule: { origin: { kind: 'file', file: join(folder.path, USER_FILE), line: 3 } },
          },
        },
      },
      needs: [],
    });
    expect(await host.explainDecision(sum, { a: 101, b: 2 })).toMatchObject({
      ok: true,
      value: { decision: { kind: 'deny' }, matches: [{ part: 'decides' }] },
    });
  });

  it('is denied without a person if it needs approval, and states what was needed', async () => {
    verifies('POL-04');
    await using scope = new Scope();
    const { host, folder } = await ruledHost(scope, { user: { mcpServers: { s } } });
    expect(await host.call(echo, { message: 'hi' })).toEqual({
      kind: 'denied',
      server: 's',
      tool: 'echo',
      reason: 'no approver was given to createHost',
      by: {
        kind: 'approver',
        decision: { kind: 'ask', because: { kind: 'default', case: 'no-rule' } },
      },
      needs: [{ kind: 'rule', list: 'allow', rule: 's/echo', file: join(folder.path, USER_FILE) }],
    });
  });

  it('is denied by a rule whatever the approver would say', async () => {
    verifies('POL-01');
    await using scope = new Scope();
    const { asked, approve } = asking();
    const permissions = { allow: ['s/*'], deny: ['s/echo'] };
    const user = { mcpServers: { s }, permissions };
    const { host } = await ruledHost(scope, { user }, { approve });
    expect(await kindOf(host)).toBe('denied');
    expect(asked).toEqual([]);
  });

  it('is not allowed by a file that may have come with the project, unless that is trusted', async () => {
    verifies('POL-01');
    await using scope = new Scope();
    const files = {
      user: { mcpServers: { s } },
      project: { permissions: { mode: 'allow-all', allow: ['s/*'], deny: ['s/cwd'] } },
    };
    const { host, folder } = await ruledHost(scope, files);
    expect(await kindOf(host)).toBe('denied');
    expect(host.diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'unused-key',
        message: 'What allows calls has no effect in a file that may have come with a project.',
        suggestion: 'Move it into your own settings: plugboard config path --scope user',
        file: join(folder.path, PROJECT_FILE),
        line: 2,
        column: 47,
      },
    ]);
    const trusting = await ruledHost(scope, files, { trust: 'project' });
    expect(await kindOf(trusting.host)).toBe('result');
    const yes = await ruledHost(scope, files, { approve: allowAll });
    expect(await yes.host.call({ server: 's', tool: 'cwd' }, {})).toMatchObject({ kind: 'denied' });
  });

  it('follows edits of the rules while the host runs, also while a file is broken', async () => {
    await using scope = new Scope();
    const user = (permissions: object) => settings({ mcpServers: { s }, permissions });
    const { host, folder } = await ruledHost(
      scope,
      { user: { mcpServers: { s }, permissions: { allow: ['s/*'] } } },
      { watch: 'files' },
    );
    const save = async (text: string): Promise<void> => {
      await rename(await folder.write('draft', text), join(folder.path, USER_FILE));
    };
    expect(await kindOf(host)).toBe('result');
    await save(user({ deny: ['s/*'] }));
    await waitUntil(async () => (await kindOf(host)) === 'denied', { describe: 'the new rule' });
    const kept: string[] = [];
    using _listening = host.on((event) => void kept.push(event.kind));
    await save('{ "permissions": { "allow": ["s/*"] }, ');
    await waitUntil(() => kept.includes('configuration-kept'), { describe: 'the broken file' });
    expect(await kindOf(host)).toBe('denied');
    await save(user({ allow: ['s/*'] }));
    await waitUntil(async () => (await kindOf(host)) === 'result', { describe: 'the rule of now' });
  });

  it('needs approval while a file of rules cannot be read', async () => {
    await using scope = new Scope();
    const { asked, approve } = asking();
    const { folder, environment } = await ruledHost(scope, {});
    await folder.write(USER_FILE, '{ "permissions": { "deny": ["s/echo" } }');
    const host = scope.use(
      await createHost({ environment, approve, servers: { s }, permissions: {}, watch: 'none' }),
    );
    expect(await kindOf(host)).toBe('denied');
    await folder.write(USER_FILE, '}}}');
    const blind = scope.use(
      await createHost({ environment, approve, servers: { s }, watch: 'none' }),
    );
    expect(await kindOf(blind)).toBe('result');
    expect(asked[0]?.decision.because).toMatchObject({ rule: { on: { kind: 'unclear' } } });
  });

  it('follows rules of the program, which are stronger than those of the user', async () => {
    verifies('POL-01');
    await using scope = new Scope();
    const user = { mcpServers: { s }, permissions: { ask: ['s/*'] } };
    const { host } = await ruledHost(scope, { user }, { permissions: { allow: ['s/echo'] } });
    expect(await kindOf(host)).toBe('result');
    const wrong = { permissions: { deny: [{ tol: 's/echo' }] } as never };
    const careless = await ruledHost(scope, { user }, { ...wrong, approve: allowAll });
    expect(await kindOf(careless.host)).toBe('denied');
    expect(careless.host.diagnostics).toMatchObject([
      { severity: 'error', code: 'bad-value', file: '(createHost)' },
    ]);
  });
});

describe('a call without a permission rule', () => {
  verifies('POL-03');
  const tools = [
    { name: 'look', annotations: { readOnlyHint: true } },
    { name: 'delete_all', annotations: { readOnlyHint: true, destructiveHint: false } },
    { name: 'change' },
  ];
  const mixed = scriptedServer({ builtIns: [], tools });

  async function kinds(host: Host): Promise<readonly string[]> {
    const called = tools.map(({ name }) => host.call({ server: 'mixed', tool: name }, {}));
    return (await Promise.all(called)).map(({ kind }) => kind);
  }

  it('runs if it only reads, by the claim of a trusted server, and the settings allow that', async () => {
    await using scope = new Scope();
    const user = (permissions: object) => ({ mcpServers: { mixed }, permissions });
    const asks = await ruledHost(scope, { user: user({}) });
    expect(await kinds(asks.host)).toEqual(['denied', 'denied', 'denied']);
    const reads = { readOnlyTools: 'allow' };
    const allows = await ruledHost(scope, { user: user(reads) });
    expect(await kinds(allows.host)).toEqual(['result', 'result', 'denied']);
    const strict = await ruledHost(scope, {
      user: user(reads),
      project: { permissions: { readOnlyTools: 'ask' } },
    });
    expect(await kinds(strict.host)).toEqual(['denied', 'denied', 'denied']);
  });

  /** C13: false annotations. */
  it('cannot bypass a rule with false annotations', async () => {
    verifies('CAT-05');
    await using scope = new Scope();
    const permissions = { readOnlyTools: 'allow', deny: ['mcp__*__delete_*'], ask: ['mixed/look'] };
    const { host } = await ruledHost(scope, { user: { mcpServers: { mixed }, permissions } });
    expect(await kinds(host)).toEqual(['denied', 'denied', 'denied']);
  });

  it('follows the mode of the settings', async () => {
    await using scope = new Scope();
    const inMode = async (mode: string, approve: Approver) => {
      const user = { mcpServers: { mixed }, permissions: { mode } };
      return kinds((await ruledHost(scope, { user }, { approve })).host);
    };
    const no: Approver = () => ({ kind: 'deny', reason: 'no' });
    expect(await inMode('read-only', allowAll)).toEqual(['result', 'result', 'denied']);
    expect(await inMode('deny-asks', allowAll)).toEqual(['denied', 'denied', 'denied']);
    expect(await inMode('allow-all', no)).toEqual(['result', 'result', 'result']);
  });

  it('runs if the server is built in', async () => {
    await using scope = new Scope();
    const inProcess = { codebase: await inProcessServer(), mine: await inProcessServer() };
    const { host } = await ruledHost(scope, {}, { inProcess });
    const sum = { a: 1, b: 2 };
    expect(await host.call('mcp__codebase__add', sum)).toMatchObject({ kind: 'result' });
    expect(await host.call('mcp__mine__add', sum)).toMatchObject({ kind: 'denied' });
  });
});

describe('paths in arguments', () => {
  it('must really be in the folder that a rule allows', async () => {
    verifies('POL-01');
    await using scope = new Scope();
    const { folder, environment } = await ruledHost(scope, {});
    await folder.write('project/notes.txt', 'mine');
    await folder.write('secret.txt', 'not yours');
    await symlink(join(folder.path, 'secret.txt'), join(folder.path, 'project/link.txt'));
    await symlink(folder.path, join(folder.path, 'project/out'));
    const permissions = {
      allow: [{ tool: 'files/read_text_file', arguments: [{ path: 'path', under: '.' }] }],
    };
    await folder.write(
      USER_FILE,
      settings({ mcpServers: { files: filesystem(folder.path) }, permissions }),
    );
    const host = scope.use(await createHost({ environment, watch: 'none' }));
    const read = async (path: string): Promise<string> => {
      const at = path.startsWith('/') ? path : join(folder.path, 'project', path);
      const raw = path.startsWith('raw:') ? `${folder.path}/project/${path.slice(4)}` : at;
      return (await host.call({ server: 'files', tool: 'read_text_file' }, { path: raw })).kind;
    };
    expect(await read('notes.txt')).toBe('result');
    expect(await read('new-file.txt')).not.toBe('denied');
    expect(await read('link.txt')).toBe('denied');
    expect(await read('out/secret.txt')).toBe('denied');
    expect(await read('raw:../secret.txt')).toBe('denied');
    // Beside the target of the link, and not beside the link.
    expect(await read('raw:out/../notes.txt')).toBe('denied');
    expect(await read('raw:./notes.txt')).toBe('result');
  });
});

describe('permissions of one server', () => {
  it('limit its tools, and decide about reading and writing', async () => {
    await using scope = new Scope();
    const { asked, approve } = asking();
    const tools = [
      { name: 'get', annotations: { readOnlyHint: true } },
      { name: 'set' },
      { name: 'drop' },
      { name: 'other' },
    ];
    const permissions = {
      allowedTools: ['get', 'set', 'drop'],
      deniedTools: ['dr*'],
      readPermission: 'allow',
      writePermission: 'ask',
    };
    const server = { ...scriptedServer({ builtIns: [], tools }), permissions };
    const { host } = await ruledHost(scope, { user: { mcpServers: { server } } }, { approve });
    const outcomes = await Promise.all(
      tools.map(({ name }) => host.call({ server: 'server', tool: name }, {})),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['result', 'result', 'denied', 'denied']);
    expect(asked.map(({ tool }) => tool.tool)).toEqual(['set']);
    expect(outcomes.slice(2)).toMatchObject([
      { by: { decision: { because: { rule: { text: '"deniedTools": ["dr*"]' } } } } },
      { by: { decision: { because: { rule: { text: '"allowedTools": ["get","set","drop"]' } } } } },
    ]);
  });

  it('cannot allow anything for a project, but can forbid it', async () => {
    await using scope = new Scope();
    const files = (permissions: object) => ({
      user: { mcpServers: { s } },
      project: { mcpServers: { s: { permissions } } },
    });
    const widening = await ruledHost(scope, files({ readPermission: 'allow' }));
    expect(await kindOf(widening.host)).toBe('denied');
    const { host } = await ruledHost(scope, files({ readPermission: 'deny' }), {
      approve: allowAll,
    });
    expect(await kindOf(host)).toBe('denied');
  });
});

describe('an approval by a person', () => {
  verifies('POL-04');

  it('counts once, or for the session', async () => {
    await using scope = new Scope();
    const answers = ['once', 'session'] as const;
    const { asked, approve } = asking(() => ({
      kind: 'allow',
      remember: answers[asked.length - 1] ?? 'once',
    }));
    const { host } = await ruledHost(scope, { user: { mcpServers: { s } } }, { approve });
    for (let count = 0; count < 4; count += 1) expect(await kindOf(host)).toBe('result');
    expect(asked.length).toBe(2);
  });

  it('for the session does not answer a rule about particular calls', async () => {
    await using scope = new Scope();
    const { asked, approve } = asking(() => ({ kind: 'allow', remember: 'session' }));
    const special = { tool: 's/echo', arguments: [{ path: 'message', matches: '*secret*' }] };
    const user = { mcpServers: { s }, permissions: { ask: [special] } };
    const { host } = await ruledHost(scope, { user }, { approve });
    await kindOf(host, 'one');
    await kindOf(host, 'two');
    await kindOf(host, 'my secret');
    expect(asked.map((request) => request.arguments['message'])).toEqual(['one', 'my secret']);
    expect(asked[1]?.offers).toEqual(['once', 'session']);
  });

  it.each([
    ['always', '"s/echo"'],
    ['always-here', '{ "tool": "s/echo", "project": "PROJECT" }'],
  ] as const)('that counts %s is written into the settings of the user', async (remember, rule) => {
    await using scope = new Scope();
    const { asked, approve } = asking(() => ({ kind: 'allow', remember }));
    const { host, folder, environment } = await ruledHost(
      scope,
      { user: { mcpServers: { s } } },
      { approve },
    );
    const events: object[] = [];
    using _listening = host.on((event) => {
      if (event.kind.startsWith('approval')) events.push(event);
    });
    expect([await kindOf(host), await kindOf(host)]).toEqual(['result', 'result']);
    expect(asked.map(({ offers }) => offers)).toEqual([
      ['once', 'session', 'always-here', 'always'],
    ]);
    const file = join(folder.path, USER_FILE);
    const written = JSON.parse(await folder.read(USER_FILE)) as { permissions: object };
    const expected = rule.replace('PROJECT', join(folder.path, 'project'));
    const text = JSON.stringify(JSON.parse(expected)).replaceAll(/^"|"$/g, '');
    expect(events).toEqual([
      { kind: 'approval-kept', server: 's', tool: 'echo', file, rule: text },
    ]);
    expect(written.permissions).toEqual({ allow: [JSON.parse(expected)] });
    // A later run does not prompt in this project; elsewhere it does, if the rule is for this project.
    const again = scope.use(await createHost({ environment, watch: 'none' }));
    expect(await kindOf(again)).toBe('result');
    const elsewhere = scope.use(
      await createHost({ environment, cwd: await folder.mkdir('elsewhere/.git'), watch: 'none' }),
    );
    expect(await kindOf(elsewhere)).toBe(remember === 'always' ? 'result' : 'denied');
  });

  it('still counts for the session if it cannot be written', async () => {
    await using scope = new Scope();
    const { asked, approve } = asking(() => ({ kind: 'allow', remember: 'always' }));
    const user = { mcpServers: { s }, permissions: { allow: ['other/x'] } };
    const { host, folder } = await ruledHost(scope, { user }, { approve });
    await folder.write(USER_FILE, '{ "permissions": { "allow": 7 } }');
    const events: string[] = [];
    using _listening = host.on((event) => void events.push(event.kind));
    expect([await kindOf(host), await kindOf(host)]).toEqual(['result', 'result']);
    expect(events).toContain('approval-not-kept');
    expect(asked.length).toBe(1);
  });

  it('is not offered permanently if a rule would change nothing', async () => {
    await using scope = new Scope();
    const { asked, approve } = asking();
    const files = { user: { mcpServers: { s } }, project: { permissions: { ask: ['s/*'] } } };
    await kindOf((await ruledHost(scope, files, { approve })).host);
    const given = await ruledHost(scope, {}, { approve, files: 'none', servers: { s } });
    await kindOf(given.host);
    expect(asked.map(({ offers }) => offers)).toEqual([
      ['once', 'session'],
      ['once', 'session'],
    ]);
  });

  it('comes too late for a call that was denied meanwhile', async () => {
    await using scope = new Scope();
    const { folder, environment } = await ruledHost(scope, { user: { mcpServers: { s } } });
    let isDenied: Promise<unknown> = Promise.resolve();
    const approve: Approver = async () => {
      await folder.write(
        USER_FILE,
        settings({ mcpServers: { s }, permissions: { deny: ['s/*'] } }),
      );
      await isDenied;
      return { kind: 'allow' };
    };
    const host = scope.use(await createHost({ environment, approve }));
    isDenied = waitUntil(
      async () => {
        const explained = await host.explainDecision(echo, { message: 'hi' });
        return explained.ok && explained.value.decision.kind === 'deny';
      },
      { describe: 'the new rule' },
    );
    expect(await kindOf(host)).toBe('denied');
  });
});
