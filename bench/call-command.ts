// One tool call from the command line, from a cold start to the printed answer, against mcporter with
// the same server and the same configuration file, and against two scripts that do nothing else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, commandContender, timeCommand } from './measure/command.ts';
import { compare, type Section } from './measure/report.ts';
import { runRounds } from './measure/rounds.ts';
import { configFile, type Sandbox, sandbox } from './measure/sandbox.ts';
import { type Mcporter, mcporters } from './peers.ts';
import { trustServers } from './measure/trust.ts';
import { bareCall, fastEchoServer, plugboardBin, sdkCall } from './places.ts';

const DEFAULT_ROUNDS = 30;
const WARM_UPS = 3;

export async function benchmarkCallCommand(
  repeats: number | undefined,
): Promise<readonly Section[]> {
  const sections: Section[] = [];
  for (const mcporter of mcporters()) {
    checkStartsItsServer(mcporter);
    sections.push(await measure(mcporter, repeats ?? DEFAULT_ROUNDS));
  }
  return sections;
}

async function measure(mcporter: Mcporter, rounds: number): Promise<Section> {
  using box = sandbox({ 'echo-server': { command: mcporter.node, args: [fastEchoServer] } });
  const commands = [
    plugboardCommand(mcporter, box),
    mcporterCommand(mcporter, box),
    scriptCommand({ name: 'SDK script', script: sdkCall }, mcporter, box),
    scriptCommand({ name: 'bare script', script: bareCall }, mcporter, box),
  ];
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) commands.forEach(timeCommand);
  console.error(
    `bench: calling with each of ${commands.length} commands ${rounds} times ` +
      `(Node ${mcporter.nodeVersion}) ...`,
  );
  const samples = await runRounds(commands.map(commandContender), rounds);
  const [subject, peer, sdk, bare] = commands.map(({ name }) => name);
  return {
    kind: 'comparison',
    title: `one call from the command line, Node ${mcporter.nodeVersion}`,
    unit: 'ms',
    rounds,
    rows: [
      compare(samples, {
        subject: subject!,
        baseline: peer!,
        target: { kind: 'at-most', value: 0.6 },
      }),
      compare(samples, {
        subject: subject!,
        baseline: sdk!,
        target: { kind: 'at-most', value: 1 },
      }),
      compare(samples, { subject: subject!, baseline: bare!, target: { kind: 'none' } }),
    ],
  };
}

/** A server that stays alive after an earlier call would invalidate the comparison. */
function checkStartsItsServer(mcporter: Mcporter): void {
  for (const commandIn of [plugboardCommand, mcporterCommand]) {
    using box = sandbox({
      'echo-server': { command: mcporter.node, args: [fastEchoServer, 'starts.txt'] },
    });
    const startsFile = join(box.folder, 'starts.txt');
    const command = commandIn(mcporter, box);
    timeCommand(command);
    timeCommand(command);
    const starts = readFileSync(startsFile, 'utf8').trim().split('\n').length;
    if (starts !== 2) {
      throw new Error(
        `${command.name} started its server ${starts} times for two calls, not twice`,
      );
    }
  }
}

function plugboardCommand({ node }: Mcporter, { folder, env }: Sandbox): Command {
  trustServers(['echo-server'], { folder, env });
  return {
    name: 'plugboard call',
    node,
    args: [plugboardBin, 'call', 'echo-server', 'echo', 'message=hi'],
    cwd: folder,
    env,
    says: 'hi',
  };
}

function mcporterCommand({ node, bin, version }: Mcporter, { folder, env }: Sandbox): Command {
  return {
    name: `mcporter@${version} call`,
    node,
    args: [bin, '--config', configFile(folder), 'call', 'echo-server.echo', 'message=hi'],
    cwd: folder,
    // By default, mcporter keeps only some well-known servers alive; this one must not be among them.
    env: { ...env, MCPORTER_DISABLE_KEEPALIVE: 'echo-server' },
    says: 'hi',
  };
}

function scriptCommand(
  { name, script }: { readonly name: string; readonly script: string },
  { node }: Mcporter,
  { folder, env }: Sandbox,
): Command {
  return { name, node, args: [script, node, fastEchoServer], cwd: folder, env, says: 'hi' };
}
