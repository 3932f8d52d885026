// `plugboard pins diff SERVER [TOOL]` and `plugboard pins accept SERVER [TOOL…] [--all]`: shows and accepts the definitions of a
// server that are kept back, from its last listing or a new one. Exactly the shown version is accepted, and any later
// change is kept back again.

import type { Host, Quarantined } from '@plugboard/host';
import { hostEnvironment } from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode, exitCodeOfOutcome } from '../exit-codes.ts';
import { printError } from '../print/error.ts';
import { printJson } from '../print/json.ts';
import { outcomeError } from '../print/outcome.ts';
import { waiting } from '../print/progress.ts';
import { type Difference, differenceText, itemWords } from '../print/quarantine.ts';
import { UsageError } from '../usage-error.ts';
import { subjectOf } from '../print/subject.ts';
import { pinError } from './pins.ts';
import { askAboutText, isYes } from './ask-about-text.ts';
import { withHost } from './with-host.ts';

export interface DiffRequest {
  readonly server: string;
  readonly tool: string | undefined;
}

export function diffPins(context: Context, { server, tool }: DiffRequest): Promise<ExitCode> {
  return review(context, server, async (host, held) => {
    const chosen = tool === undefined ? held : chosenOf(held, [tool], server);
    const differences = await differencesOf(host, chosen);
    if (context.isJson) {
      printJson(context, { server, differences: differences.map(forPrograms) });
      return EXIT.ok;
    }
    const { out, err } = context.terminal;
    if (chosen.length === 0) err.write(nothingKeptBackText(server));
    for (const difference of differences) out.write(differenceText(out, difference));
    if (chosen.length > 0) err.write(`To let it in: plugboard pins accept ${server}\n`);
    return EXIT.ok;
  });
}

export interface AcceptRequest {
  readonly server: string;
  readonly tools: readonly string[];
  readonly isAll: boolean;
}

export function acceptPins(context: Context, request: AcceptRequest): Promise<ExitCode> {
  const { server, tools } = request;
  return review(context, server, async (host, held) => {
    const chosen = tools.length === 0 ? held : chosenOf(held, tools, server);
    if (chosen.length > 0 && !(await isConfirmed(context, host, { ...request, chosen }))) {
      if (!context.isJson) context.terminal.err.write('Nothing was accepted.\n');
      return EXIT.denied;
    }
    const accepted = await host.pins.accept(chosen);
    if (!accepted.ok) throw pinError(accepted.error, hostEnvironment());
    if (context.isJson) {
      printJson(context, {
        kind: 'accepted',
        server,
        accepted: chosen.map(({ kind, name }) => ({ kind, name })),
      });
    } else {
      const words = chosen.map(itemWords).join(', ');
      context.terminal.err.write(
        chosen.length === 0 ? nothingKeptBackText(server) : `Accepted of "${server}": ${words}.\n`,
      );
    }
    return EXIT.ok;
  });
}

/** Without a terminal, naming the items is the decision; on a terminal the user sees the changes first. */
async function isConfirmed(
  context: Context,
  host: Host,
  { server, tools, isAll, chosen }: AcceptRequest & { readonly chosen: readonly Quarantined[] },
): Promise<boolean> {
  if (isAll) return true;
  if (!canAsk(context)) {
    if (tools.length > 0) return true;
    throw new UsageError(
      `kept back of "${server}": ${chosen.map(itemWords).join(', ')}`,
      `name what you mean, or take all of it: plugboard pins accept ${server} --all`,
    );
  }
  const differences = await differencesOf(host, chosen);
  const answer = await askAboutText(
    context.terminal,
    differences.map((difference) => differenceText(context.terminal.err, difference)).join(''),
    `\nLet ${chosen.length === 1 ? 'this' : 'these'} in? [y/N] `,
  );
  return isYes(answer ?? '');
}

/** Passes the definitions that are kept back to `use`. */
function review(
  context: Context,
  server: string,
  use: (host: Host, held: readonly Quarantined[]) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withHost(context, server, async (host) => {
    const { problems, quarantined } = await waiting(context, host, (signal) =>
      host.tools({ servers: [server], signal }),
    );
    const [problem] = problems;
    if (problem !== undefined && problem.kind !== 'result') {
      printError(context, outcomeError(problem, subjectOf(host, server)));
      return exitCodeOfOutcome(problem);
    }
    return use(host, quarantined);
  });
}

function chosenOf(
  held: readonly Quarantined[],
  names: readonly string[],
  server: string,
): readonly Quarantined[] {
  const missing = names.find((name) => !held.some((each) => each.name === name));
  if (missing !== undefined) {
    throw new UsageError(
      `tool "${missing}" of server "${server}" is not kept back`,
      `see what is: plugboard pins diff ${server}`,
    );
  }
  return held.filter(({ name }) => names.includes(name));
}

function differencesOf(host: Host, chosen: readonly Quarantined[]): Promise<readonly Difference[]> {
  return Promise.all(
    chosen.map(async (quarantined) => ({
      quarantined,
      changes: await host.pins.changes(quarantined),
    })),
  );
}

function forPrograms({ quarantined, changes }: Difference): object {
  const { kind, name, hash, reason, findings } = quarantined;
  return { kind, name, hash, reason, findings, changes };
}

function nothingKeptBackText(server: string): string {
  return `Nothing of "${server}" is kept back.\n`;
}
