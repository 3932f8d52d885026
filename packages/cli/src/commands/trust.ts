// `plugboard trust [NAME] [--give FIELD] [--revoke]`: approves servers that came with this folder or a plugin, gives them the
// user's own values, or withdraws the approval. Exactly the shown version is approved, and any change needs a new approval.

import {
  type AdmittedServer,
  approve,
  CODEBASE,
  type FieldReport,
  notesOfConsent,
  type Origin,
  readTrust,
  revoke,
  trustSubject,
  type TrustSubject,
} from '@plugboard/host/configuration';
import { canAsk, type Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { admissionWords } from '../print/admission-words.ts';
import { printError } from '../print/error.ts';
import { fieldTitle } from '../print/field-value.ts';
import { printJson } from '../print/json.ts';
import { serverRows } from '../print/servers.ts';
import { trustScreen } from '../print/trust-screen.ts';
import { trustError } from '../print/trust-words.ts';
import { UsageError } from '../usage-error.ts';
import { askAboutText, isYes } from './ask-about-text.ts';
import { type CommandConfiguration, readConfigured, unknownServer } from './configured.ts';
import { askForFields, namedFields, withheldFields, withheldNote } from './handover.ts';

export interface TrustRequest {
  readonly name: string | undefined;
  readonly isRevoked: boolean;
  /** The user's own values that the server may have. */
  readonly give: readonly string[];
}

export async function trust(
  context: Context,
  { name, isRevoked, give }: TrustRequest,
): Promise<ExitCode> {
  if (give.length > 0 && (isRevoked || name === undefined)) {
    throw new UsageError(
      `--give goes with the name of one server${isRevoked ? ', and not with --revoke' : ''}`,
      'name it: plugboard trust NAME --give FIELD',
    );
  }
  const configured = await readConfigured();
  if (isRevoked) return revokeTrust(context, configured, name);
  return name === undefined
    ? trustAll(context, configured)
    : trustOne(context, configured, { name, give });
}

async function trustOne(
  context: Context,
  configured: CommandConfiguration,
  { name, give }: { readonly name: string; readonly give: readonly string[] },
): Promise<ExitCode> {
  const server = configured.configuration.servers.find((candidate) => candidate.name === name);
  if (server === undefined) throw unknownServer(name, configured);
  const { admission } = server;
  switch (admission.kind) {
    case 'untrusted': {
      const named = give.length === 0 ? undefined : namedFields(server, give);
      const outcome = await askAndApprove(context, configured, { ...server, admission, named });
      return report(context, name, { outcome, withheld: withheldFields(server, named ?? []) });
    }
    case 'admitted':
      return report(context, name, await trustMore(context, configured, { server, give }));
    case 'blocked':
    case 'suppressed':
      // An approval would have no effect now, but would count once the server is no longer blocked.
      printError(context, {
        kind: admission.kind,
        message: `"${name}" is not in use: ${admissionWords(name, admission, configured.environment)}`,
        fix: `see more: plugboard explain ${name}`,
      });
      return admission.kind === 'blocked' ? EXIT.denied : EXIT.usage;
    default:
      return admission satisfies never;
  }
}

type UntrustedServer = AdmittedServer & {
  readonly admission: Extract<AdmittedServer['admission'], { readonly kind: 'untrusted' }>;
};

/** Gives more of the user's own values to a server that may already start. */
async function trustMore(
  context: Context,
  configured: CommandConfiguration,
  { server, give }: { readonly server: AdmittedServer; readonly give: readonly string[] },
): Promise<TrustReport> {
  const subject = await trustSubject(server, configured);
  const before = (server.handover?.items ?? []).flatMap(({ field, isGiven }) =>
    isGiven ? [field] : [],
  );
  const given = [...new Set([...before, ...namedFields(server, give)])];
  if (subject === undefined) return { outcome: 'not-needed' };
  if (give.length > 0) {
    const approved = await approve(configured.environment, subject, { given });
    if (!approved.ok) throw trustError(approved.error, configured.environment);
  }
  if (!context.isJson) context.terminal.err.write(withheldNote(server, given));
  return {
    outcome: give.length > 0 ? 'given' : 'already-trusted',
    withheld: withheldFields(server, given),
  };
}

/**
 * Without a terminal, typing the name is the decision. On a terminal, the user sees the server first. `named` are the values
 * that the user gives on the command line. Without it, the user is asked about each value.
 */
export async function askAndApprove(
  context: Context,
  { configuration, environment }: CommandConfiguration,
  server: UntrustedServer & { readonly named?: readonly string[] | undefined },
): Promise<'trusted' | 'refused' | 'interrupted'> {
  const { name, handover, admission, named } = server;
  const { subject, standing } = admission;
  const { err } = context.terminal;
  let given = named ?? [];
  if (!context.isJson) {
    const origins = originsOf(configuration.explain(name));
    const items = handover?.items ?? [];
    const screen = trustScreen({ subject, standing, origins, items }, environment);
    if (canAsk(context)) {
      const answer = await askAboutText(context.terminal, screen, `\nLet "${name}" start? [y/N] `);
      if (answer === undefined) return 'interrupted';
      if (!isYes(answer)) return 'refused';
      const asked = named ?? (await askForFields(context, server));
      if (asked === undefined) return 'interrupted';
      given = asked;
    } else {
      err.write(screen);
    }
  }
  const approved = await approve(environment, subject, { given });
  if (!context.isJson) err.write(`\n${withheldNote(server, given)}`);
  if (!approved.ok) throw trustError(approved.error, environment);
  return 'trusted';
}

async function trustAll(context: Context, configured: CommandConfiguration): Promise<ExitCode> {
  const waiting = configured.configuration.servers.filter(isUntrusted);
  const { err } = context.terminal;
  if (context.isJson) {
    printJson(context, {
      servers: waiting.map(({ name, admission: { standing }, handover }) => ({
        name,
        standing,
        ...(handover === undefined ? {} : { withheld: handover.items.map(({ field }) => field) }),
      })),
    });
    return EXIT.ok;
  }
  if (waiting.length === 0) {
    err.write('No server here is waiting to be trusted.\n');
    return EXIT.ok;
  }
  if (!canAsk(context)) {
    throw new UsageError(
      `waiting to be trusted: ${waiting.map(({ name }) => name).join(', ')}`,
      'name the one you mean: plugboard trust NAME',
    );
  }
  const codes = new Set<ExitCode>();
  for (const server of waiting) {
    const outcome = await askAndApprove(context, configured, server);
    codes.add(report(context, server.name, { outcome }));
    if (outcome === 'interrupted') break;
  }
  return [EXIT.usage, EXIT.denied].find((code) => codes.has(code)) ?? EXIT.ok;
}

export function isUntrusted(server: AdmittedServer): server is UntrustedServer {
  return server.admission.kind === 'untrusted';
}

async function revokeTrust(
  context: Context,
  configured: CommandConfiguration,
  name: string | undefined,
): Promise<ExitCode> {
  const { environment } = configured;
  const chosen = await approvedOf(configured, name);
  if (name !== undefined && chosen.length === 0) {
    const isKnown = serverRows(configured).some((row) => row.name === name);
    if (!isKnown) throw unknownServer(name, configured);
  }
  const results = await Promise.all(chosen.map((subject) => revoke(environment, subject)));
  const failed = results.find((result) => !result.ok);
  if (failed?.ok === false) throw trustError(failed.error, environment);
  const names = [...new Set(chosen.map(({ name: each }) => notesOfConsent(each) ?? each))];
  if (context.isJson) {
    printJson(context, { kind: 'revoked', names });
  } else if (names.length === 0) {
    context.terminal.err.write('Nothing was trusted, so there is nothing to take back.\n');
  } else {
    const listed = names.map((each) => `"${each}"`).join(', ');
    context.terminal.err.write(`No longer trusted: ${listed}.\n`);
  }
  return EXIT.ok;
}

/** All approvals for this folder and its plugins. With a name, also those of removed plugins. */
async function approvedOf(
  configured: CommandConfiguration,
  name: string | undefined,
): Promise<readonly Pick<TrustSubject, 'name' | 'root'>[]> {
  const { configuration, environment } = configured;
  const known = await readTrust(environment);
  const [problem] = known.diagnostics;
  if (problem !== undefined) {
    throw trustError({ kind: 'unusable-store', diagnostic: problem }, environment);
  }
  const subjects = await Promise.all(
    configuration.servers.map((server) => trustSubject(server, configured)),
  );
  const roots = subjects.flatMap((subject) => subject?.root ?? []);
  const here = await Promise.all(
    [...new Set([configuration.root, ...roots])].map((root) => known.consentsIn(root)),
  );
  if (name === undefined) return here.flat();
  // A removed plugin has no folder, so all approvals are searched.
  const elsewhere = name.startsWith('plugin:') ? known.consents : [];
  return [...here.flat(), ...elsewhere].filter((consent) => consent.name === name);
}

type Outcome = 'trusted' | 'refused' | 'interrupted' | 'not-needed' | 'already-trusted' | 'given';

const WORDS: Readonly<Record<Outcome, (name: string) => string>> = {
  trusted: (name) => `Trusted "${name}".\nTry it: plugboard tools ${name}\n`,
  refused: (name) => `"${name}" stays as it is: it does not start.\n`,
  interrupted: (name) => `"${name}" stays as it is: it does not start.\n`,
  'not-needed': (name) =>
    `"${name}" needs no trust: it is ${name === CODEBASE ? 'built in' : 'in your own settings'}.\n`,
  'already-trusted': (name) => `"${name}" is trusted already.\n`,
  given: (name) => `"${name}" has what you gave it from its next start.\n`,
};

interface TrustReport {
  readonly outcome: Outcome;
  /** For programs: the user's own values that the server does not get. */
  readonly withheld?: readonly string[];
}

function report(context: Context, name: string, { outcome, withheld = [] }: TrustReport): ExitCode {
  const without = withheld.length === 0 ? {} : { withheld };
  if (context.isJson) printJson(context, { kind: outcome, name, ...without });
  else context.terminal.err.write(WORDS[outcome](name));
  if (outcome === 'interrupted') return EXIT.usage;
  return outcome === 'refused' ? EXIT.denied : EXIT.ok;
}

/** The place of each field of a server, by the name on the trust screen. */
export function originsOf(fields: readonly FieldReport[]): ReadonlyMap<string, Origin> {
  return new Map(
    fields.flatMap(({ path, from, lost }): readonly (readonly [string, Origin])[] => {
      // Withheld values are included, since the question is about them.
      const [first] = [...from, ...lost.filter(({ why }) => why === 'withheld')];
      return first === undefined ? [] : [[fieldTitle(path), first.origin]];
    }),
  );
}
