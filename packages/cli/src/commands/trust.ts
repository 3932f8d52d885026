// `plugboard trust [NAME] [--revoke]`: lets servers start that came with this folder or a plugin, or takes
// that back. What is approved is what was shown: any change asks again.

import { approve, type AdmittedServer, revoke, trustSubject } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { trustScreen } from '../print/trust-screen.ts';
import { trustError } from '../print/trust-words.ts';
import { UsageError } from '../usage-error.ts';
import { type Configured, readConfigured, unknownServer } from './configured.ts';
import { originsOf } from './trust-origins.ts';

export interface TrustRequest {
  readonly name: string | undefined;
  readonly isRevoked: boolean;
}

export async function trust(
  context: Context,
  { name, isRevoked }: TrustRequest,
): Promise<ExitCode> {
  const configured = await readConfigured();
  if (isRevoked) return takeBack(context, configured, name);
  return name === undefined ? trustAll(context, configured) : trustOne(context, configured, name);
}

async function trustOne(context: Context, configured: Configured, name: string): Promise<ExitCode> {
  const server = configured.configuration.servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw unknownServer(name, configured);
  const { admission } = server;
  if (admission.kind !== 'untrusted') {
    return report(
      context,
      name,
      trustSubject(server, configured.configuration) === undefined
        ? 'not-needed'
        : 'already-trusted',
    );
  }
  const outcome = await askAndApprove(context, configured, { ...server, admission });
  return report(context, name, outcome);
}

type Untrusted = AdmittedServer & {
  readonly admission: Extract<AdmittedServer['admission'], { readonly kind: 'untrusted' }>;
};

/** Whoever types the name without a terminal has decided; on a terminal they see it first. */
export async function askAndApprove(
  context: Context,
  { configuration, environment }: Configured,
  { name, admission: { subject, standing } }: Untrusted,
): Promise<'trusted' | 'refused'> {
  const { err, input } = context.terminal;
  if (!context.isJson) {
    const origins = originsOf(configuration.explain(name));
    err.write(trustScreen({ subject, standing, origins }, environment));
  }
  if (!context.isJson && input.isTty && err.isTty) {
    const answer = await input.ask(`\nLet "${name}" start? [y/N] `);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) return 'refused';
  }
  const approved = await approve(environment, subject);
  if (!approved.ok) throw trustError(approved.error, environment);
  return 'trusted';
}

async function trustAll(context: Context, configured: Configured): Promise<ExitCode> {
  const waiting = configured.configuration.servers.filter(isUntrusted);
  const { err, input } = context.terminal;
  if (context.isJson) {
    printJson(context, {
      servers: waiting.map(({ name, admission: { standing } }) => ({ name, standing })),
    });
    return EXIT.ok;
  }
  if (waiting.length === 0) {
    err.write('No server here is waiting to be trusted.\n');
    return EXIT.ok;
  }
  if (!input.isTty || !err.isTty) {
    throw new UsageError(
      `waiting to be trusted: ${waiting.map(({ name }) => name).join(', ')}`,
      'name the one you mean: plugboard trust NAME',
    );
  }
  for (const server of waiting) {
    report(context, server.name, await askAndApprove(context, configured, server));
  }
  return EXIT.ok;
}

export function isUntrusted(server: AdmittedServer): server is Untrusted {
  return server.admission.kind === 'untrusted';
}

async function takeBack(
  context: Context,
  configured: Configured,
  name: string | undefined,
): Promise<ExitCode> {
  const { configuration, environment } = configured;
  const subjects = configuration.servers.flatMap((server) => {
    const subject = trustSubject(server, configuration);
    return subject === undefined ? [] : [subject];
  });
  // One that is no longer configured may still be trusted.
  const chosen =
    name === undefined
      ? subjects
      : [subjects.find((subject) => subject.name === name) ?? { name, root: configuration.root }];
  const results = await Promise.all(chosen.map((subject) => revoke(environment, subject)));
  const failed = results.find((result) => !result.ok);
  if (failed?.ok === false) throw trustError(failed.error, environment);
  const revoked = chosen.filter((_, index) => {
    const result = results[index];
    return result?.ok === true && result.value.kind === 'revoked';
  });
  if (context.isJson) {
    printJson(context, { kind: 'revoked', names: revoked.map((subject) => subject.name) });
  } else if (revoked.length === 0) {
    context.terminal.err.write('Nothing was trusted, so there is nothing to take back.\n');
  } else {
    const names = revoked.map((subject) => `"${subject.name}"`).join(', ');
    context.terminal.err.write(`No longer trusted: ${names}.\n`);
  }
  return EXIT.ok;
}

type Outcome = 'trusted' | 'refused' | 'not-needed' | 'already-trusted';

const WORDS: Readonly<Record<Outcome, (name: string) => string>> = {
  trusted: (name) => `Trusted "${name}".\nTry it: plugboard tools ${name}\n`,
  refused: (name) => `"${name}" stays as it is: it does not start.\n`,
  'not-needed': (name) => `"${name}" needs no trust: it is in your own settings.\n`,
  'already-trusted': (name) => `"${name}" is trusted already.\n`,
};

function report(context: Context, name: string, outcome: Outcome): ExitCode {
  if (context.isJson) printJson(context, { kind: outcome, name });
  else context.terminal.err.write(WORDS[outcome](name));
  return outcome === 'refused' ? EXIT.denied : EXIT.ok;
}
