import { verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Run, sandbox, VERSION } from './sandbox.ts';

describe.concurrent('the command line', () => {
  it.for(['--version', '-V'])('answers %s', async (flag, { expect }) => {
    await using box = await sandbox();
    expect(await box.runProcess([flag])).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: '' });
  });

  it('answers --version with --json', async ({ expect }) => {
    await using box = await sandbox();
    const run = await box.runProcess(['--version', '--json']);
    expect([run.code, documentOf(run)]).toEqual([0, { version: VERSION }]);
  });

  it.for([['--help'], ['help']])('lists the commands for %j', async (args, { expect }) => {
    await using box = await sandbox();
    expect(await box.runProcess(args)).toEqual({
      code: 0,
      stdout: `Usage: plugboard [command]

Plug every MCP server into your terminal and your agents.

Options:
  -V, --version                        print the version
  --json                               print one JSON document to stdout and nothing else
  -h, --help                           show this help

Commands:
  list|ls                              list the configured servers, without starting any
  get <name>                           show one server: what it runs and where it is configured
  explain <name>                       show where each field of a server comes from
  add [name] [target...]               add a server to a configuration file
  add-json <name> <json>               add a server from a JSON entry, such as one from a web page
  remove|rm <name>                     remove a server from its configuration file
  enable <name>                        use a disabled server again
  disable <name>                       keep a server in the configuration without using it
  import [host...]                     copy servers from the configuration of other MCP hosts
  trust [name]                         trust servers that came with this folder or a plugin
  login [name]                         sign in to a server
  logout <name>                        sign out of a server, and delete its tokens
  auth                                 show sign-ins; import tokens
  permissions [tool] [arguments...]    show or change the rules about calls, or test one call
  labels [about]                       show or change the labels that say what tools do with data
  pins                                 review changes to tools that you accepted
  secret                               keep tokens and passwords out of configuration files
  snippets                             keep and run scripts that use tools
  plugin                               install, list, configure and remove plugins and bundles
  config                               show where the configuration is, and its schema
  tools [server] [tool]                list the tools of one server, or of all
  call <server> [tool] [arguments...]  call a tool
  generate <server>                    write the tools of a server as functions with types
  context                              show how many tokens tools cost, and which a model gets
  doctor [server]                      find out why a server does not work, step by step
  stop [server]                        stop shared servers: one, or all
  logs [server]                        show what a server wrote to stderr and sent as log messages
  trace [server]                       show the messages that went to and from a server
  resources [server]                   list the resources of one server, or of all
  read <uri> [arguments...]            read a resource
  prompts [server]                     list the prompts of one server, or of all
  prompt <prompt> [arguments...]       get a prompt with its arguments filled in
  complete <of> <argument> [typed]     ask a server to complete an argument
  skills [skill]                       list the skills of servers, or show one
  serve                                offer all your servers as one, to any MCP client
  console                              watch the traffic between agents and servers in a browser
  status                               show the running gateways: servers, clients, traffic
  approvals                            answer approvals and questions of gateways, in this terminal
  check [files...]                     run the calls that you saved in the console
  install [client...]                  add the gateway to other MCP clients
  uninstall [client...]                remove the gateway from other MCP clients
  codebase [flags...]                  serve code search over this folder to any MCP client
  chat                                 talk with a model that works with your servers
  run [prompt]                         let a model do one task, for scripts
  sessions                             list the conversations in this folder
  completion <shell>                   print a completion script for your shell
  help [command]                       show help for a command

Examples:
  $ plugboard add files --cwd project -- npx -y @modelcontextprotocol/server-filesystem .
  $ plugboard add docs https://example.com/mcp
  $ plugboard tools files
  $ plugboard call files read_text_file path=README.md

Servers are read from .mcp.json, .plugboard/settings.json and .claude/settings.json of the project,
from your own settings, and from Claude Code. Results go to stdout, everything else to stderr.

Exit codes:
  0 ok   1 usage   2 tool or server   3 network   4 authorization   5 denied
  130 Ctrl-C   143 SIGTERM   129 SIGHUP
`,
      stderr: '',
    });
  });

  it('shows the help of all commands if help is asked for before a command', async ({ expect }) => {
    await using box = await sandbox();
    const [all, before, short] = await Promise.all([
      box.run(['--help']),
      box.run(['--help', 'call']),
      box.run(['-h', 'list']),
    ]);
    expect([before, short]).toEqual([all, all]);
  });

  it('shows the same help for a command in both forms of the request', async ({ expect }) => {
    await using box = await sandbox();
    const [asked, called, asJson] = await Promise.all([
      box.run(['help', 'call']),
      box.run(['call', '--help']),
      box.run(['call', '--help', '--json']),
    ]);
    expect(asked).toEqual(called);
    expect(asked).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('key:=json   any JSON value'),
    });
    expect(documentOf(asJson)).toEqual({ help: asked.stdout });
  });

  it('prints the help, the version and the errors of the codebase server as JSON', async ({
    expect,
  }) => {
    await using box = await sandbox();
    const codebase = (...words: readonly string[]): Promise<Run> =>
      box.runProcess(['codebase', '--json', ...words]);
    const [shown, asJson, version, mistyped, served] = await Promise.all([
      box.runProcess(['codebase', '--help']),
      codebase('--help'),
      codebase('--version'),
      codebase('--rot', '.'),
      codebase(),
    ]);
    expect(documentOf(asJson)).toEqual({ help: shown.stdout });
    expect(documentOf(version)).toEqual({ version: VERSION });
    expect([mistyped.code, served.code]).toEqual([1, 1]);
    expect(documentOf(mistyped)).toMatchObject({
      error: { kind: 'usage', message: expect.stringContaining("'--rot'") as string },
    });
    expect(documentOf(served)).toEqual({
      error: {
        kind: 'usage',
        message: 'a server prints no JSON document',
        fix: 'leave out --json; for a log in JSON: plugboard codebase --json-logs',
      },
    });
  });

  it('shows defaults without quotes', async ({ expect }) => {
    await using box = await sandbox();
    const all = [['add-json'], ['import'], ['logs'], ['complete']];
    const shown = await Promise.all(all.map((words) => box.run([...words, '--help'])));
    expect(
      shown.map(({ stdout }) => [...stdout.matchAll(/\(default: [^)]*\)/gu)].at(-1)?.[0]),
    ).toEqual(['(default: local)', '(default: user)', '(default: 50)', '(default: empty)']);
  });

  it('explains in each command what --trust-project and --yes do there', async ({ expect }) => {
    await using box = await sandbox();
    const about = async (words: readonly string[], flag: string) => {
      const { stdout } = await box.run([...words, '--help']);
      const line = stdout.split('\n').find((each) => each.trim().startsWith(flag));
      return line?.replace(/^ *--\S+ +/u, '');
    };
    const approved = 'approve all calls that no rule denies, for this run';
    const counted = 'also count what the settings of this folder allow, for this run';
    expect(await about(['permissions'], '--trust-project')).toBe(counted);
    expect(await about(['labels'], '--trust-project')).toBe(counted);
    expect(await about(['check'], '--yes')).toBe(approved);
    expect(await about(['snippets', 'run'], '--yes')).toBe(approved);
    expect(await about(['call'], '--yes')).toBe(
      'approve calls that a rule asks about, for this run',
    );
  });

  it.for(['install', 'uninstall'])(
    'shows only examples of %s in its help',
    async (name, { expect }) => {
      await using box = await sandbox();
      const { stdout } = await box.run([name, '--help']);
      const [, examples = ''] = stdout.split('Examples:');
      const shown = [...examples.matchAll(/\$ plugboard (\S+)/gu)].map(([, verb]) => verb);
      expect(new Set(shown)).toEqual(new Set([name]));
    },
  );

  it.for([
    [['lits'], 'there is no command "lits"', 'did you mean "list"?'],
    [['help', 'lits'], 'there is no command "lits"', 'did you mean "list"?'],
    [['zebra'], 'there is no command "zebra"', 'see the list: plugboard --help'],
    [['list', '--jsno'], "unknown option '--jsno'", 'did you mean --json?'],
    [['config', 'pth'], 'there is no command "config pth"', 'did you mean "config path"?'],
    [
      ['config', 'zebra'],
      'there is no command "config zebra"',
      'see the list: plugboard config --help',
    ],
    [['--zebra'], "unknown option '--zebra'", 'see the usage: plugboard --help'],
    [['call'], "missing required argument 'server'", 'see the usage: plugboard call --help'],
    [
      ['list', 'files'],
      "too many arguments for 'list'. Expected 0 arguments but got 1",
      'see the usage: plugboard list --help',
    ],
  ] as const)('suggests a fix for %j', async ([args, message, fix], { expect }) => {
    verifies('CLI-05');
    await using box = await sandbox();
    expect(await box.run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${message}\n  fix: ${fix}\n`,
    });
  });

  it('reports wrong usage as JSON with --json', async ({ expect }) => {
    await using box = await sandbox();
    const run = await box.run(['list', '--json', '--zebra']);
    expect(run.code).toBe(1);
    expect(documentOf(run)).toEqual({
      error: {
        kind: 'usage',
        message: "unknown option '--zebra'",
        fix: 'see the usage: plugboard list --help',
      },
    });
  });
});
