import type { Origin, TrustStanding, TrustSubject } from '@plugboard/host/configuration';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { trustScreen } from '../../src/print/trust-screen.ts';

const from = { cwd: '/home/me/app', home: '/home/me' };
const at = (line: number, column: number, file = '/home/me/app/.mcp.json'): Origin => ({
  kind: 'file',
  file,
  line,
  column,
});

interface ShownServer {
  readonly launch: Partial<TrustSubject['launch']>;
  readonly standing?: TrustStanding;
  readonly origins?: Readonly<Record<string, Origin>>;
}

function screen({ launch, standing = { kind: 'unknown' }, origins = {} }: ShownServer): string {
  const subject = {
    name: 'github',
    root: '/home/me/code/app',
    launch: { env: {}, headers: {}, ...launch },
  };
  return trustScreen({ subject, standing, origins: new Map(Object.entries(origins)) }, from);
}

describe('the trust screen', () => {
  verifies('CFG-11');

  it('shows everything that a local server would run, with warnings', () => {
    expect(
      screen({
        launch: {
          command: 'npx',
          args: ['-y', '@scope/server@latest', 'a b', '--key=${KEY}'],
          cwd: './server',
          env: { TOKEN: '${secret:gh}', LOG: 's3cret', NODE_OPTIONS: '--require ./x.js' },
          envFile: '.env',
          envFileValues: { API_KEY: 's3cret' },
        },
        origins: {
          command: at(4, 7),
          cwd: at(6, 7),
          'env.TOKEN': at(7, 16),
          'env.LOG': at(3, 9, '/home/me/.config/plugboard/settings.json'),
          envFile: at(9, 7),
        },
      }),
    ).toBe(`Server "github" of ~/code/app

  runs          "npx" "-y" "@scope/server@latest" "a b" "--key=\${KEY}"  .mcp.json:4:7
  in folder     "./server"  .mcp.json:6:7
  variable      TOKEN = \${secret:gh}  .mcp.json:7:16
  variable      LOG = (hidden)  ~/.config/plugboard/settings.json:3:9
  variable      NODE_OPTIONS = (hidden)
  variables of  ".env"  .mcp.json:9:7
    its         API_KEY = (hidden)

warning: npx downloads "@scope/server@latest" without a fixed version: tomorrow it can be other code
warning: the variable NODE_OPTIONS can change which code runs, or whom it talks to; it is "--require ./x.js"
warning: it is given what \${KEY} holds (args)
warning: it is given what \${secret:gh} holds (env.TOKEN)
`);
  });

  it('names the file of the arguments if the command is from another file', () => {
    const own = '/home/me/.config/plugboard/settings.json';
    expect(
      screen({
        launch: { command: 'npx', args: ['evil@1.0.0'] },
        origins: { command: at(4, 7, own), args: at(2, 9) },
      }),
    ).toContain(`
  runs         "npx" "evil@1.0.0"  ~/.config/plugboard/settings.json:4:7
    arguments  of another entry  .mcp.json:2:9
`);
  });

  it('shows everything that a remote server would reach and run', () => {
    expect(
      screen({
        launch: {
          type: 'http',
          url: 'https://good.com@evil.com/mcp',
          headers: { Authorization: 'Bearer ${TOKEN}', 'X-Key': 's3cret' },
          headersHelper: 'sh -c "cat ~/.token"',
          oauth: {
            clientId: 's3cret',
            clientSecret: '${secret:oauth}',
            authServerMetadataUrl: 'https://login.evil.com/x',
            more: { deep: 's3cret' },
          },
        },
        origins: { url: at(4, 7), 'headers.X-Key': at(5, 9) },
      }),
    ).toBe(`Server "github" of ~/code/app

  type          http
  reaches       "https://good.com@evil.com/mcp" (host evil.com)  .mcp.json:4:7
  header        Authorization = Bearer \${TOKEN}
  header        X-Key = (hidden)  .mcp.json:5:9
  headers from  "sh -c \\"cat ~/.token\\""
  sign-in       clientId = (hidden)
  sign-in       clientSecret = \${secret:oauth}
  sign-in       authServerMetadataUrl = "https://login.evil.com/x"
  sign-in       more = (hidden)

warning: it runs code that is written into its command line (sh -c)
warning: it is given what \${TOKEN} holds (headers.Authorization)
warning: it is given what \${secret:oauth} holds (oauth.clientSecret); what is under "oauth" goes to "https://login.evil.com/x"
`);
  });

  it('shows what changed since the approval', () => {
    const launch = { command: '/opt/server' };
    const date = Date.UTC(2026, 10, 15, 12);
    expect(
      screen({
        launch,
        standing: {
          kind: 'changed',
          at: date,
          changes: [
            { kind: 'changed', field: 'args' },
            { kind: 'removed', field: 'env.MODE' },
            { kind: 'added', field: 'env.NODE_OPTIONS' },
          ],
        },
      }),
    ).toBe(`Server "github" of ~/code/app

  runs       "/opt/server"
  in folder  (the one you are in)

You approved it on 2026-11-15. Since then:
  changed  args
  gone     env.MODE
  new      env.NODE_OPTIONS
`);
    expect(screen({ launch, standing: { kind: 'changed', at: date, changes: [] } })).toContain(
      'You approved it on 2026-11-15. It has changed since.\n',
    );
    expect(screen({ launch, standing: { kind: 'approved', at: date } })).not.toContain('approved');
  });

  it('shows every field of the launch, even one without its own words', () => {
    const launch = { command: '/opt/server', umask: '077', nice: 5, limits: { memory: '1G' } };
    expect(screen({ launch, origins: { umask: at(5, 7) } })).toBe(`Server "github" of ~/code/app

  runs       "/opt/server"
  in folder  (the one you are in)
  umask      "077"  .mcp.json:5:7
  nice       5
  limits     memory = (hidden)
`);
  });

  it('shows the folder in which a headers helper starts', () => {
    const launch = { url: 'https://a.example/mcp', headersHelper: './print', cwd: 'project' };
    expect(screen({ launch, origins: { cwd: at(6, 7) } })).toContain(
      '  in folder     "project"  .mcp.json:6:7\n',
    );
  });

  it('cannot be overwritten by the text that it shows', () => {
    expect(
      screen({
        launch: {
          command: 'safe\u001B[2K\r',
          args: ['a\nwarning: none', '\u202Egnp.exe', 'аdmin', '', '"'],
          cwd: '\u0007',
          env: { 'A\u001B[1A': '${B}\n' },
        },
        origins: { command: at(1, 1, '/home/me/app/\u001B[2J.json') },
      }),
    ).toBe(`Server "github" of ~/code/app

  runs       "safe\\u001b[2K\\r" "a\\nwarning: none" "\\u202egnp.exe" "аdmin" "" "\\""  \\u001b[2J.json:1:1
  in folder  "\\u0007"
  variable   A\\u001b[1A = (hidden)

warning: it is given what \${B} holds (env.A\\u001b[1A)
warning: "command" holds characters beyond plain ASCII: they can look like others
warning: "args" holds characters beyond plain ASCII: they can look like others
warning: "cwd" holds characters beyond plain ASCII: they can look like others
`);
  });

  it('shows where an address leads only if that is not obvious', () => {
    const reaches = (url: string): string | undefined =>
      /reaches {2}(.*)/.exec(screen({ launch: { url } }))?.[1];
    expect([
      reaches('https://a.com/mcp'),
      reaches('https://a.com'),
      reaches('https://A.com/mcp'),
      reaches('https://a.com\\@evil.com/'),
      reaches('https://exämple.com/'),
      reaches('https://${HOST}/mcp'),
    ]).toEqual([
      '"https://a.com/mcp"',
      '"https://a.com"',
      '"https://A.com/mcp" (host a.com)',
      '"https://a.com\\\\@evil.com/" (host a.com)',
      '"https://exämple.com/" (host xn--exmple-cua.com)',
      '"https://${HOST}/mcp"',
    ]);
  });
});
