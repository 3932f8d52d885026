// Explains why a server cannot be used and what to do: one entry for each kind of failure.

import { isUrl, shortageFix, systemClock } from '@plugboard/base';
import type { ProcessEvidence, Unavailable } from '@plugboard/host';
import type { FieldChange } from '@plugboard/host/configuration';
import { authorizationWords } from './authorization-words.ts';
import { blockingRule } from './blocking-rule.ts';
import { clause } from './diagnostics.ts';
import type { ServerProblem, ShownError } from './error.ts';
import { helperWords } from './helper-words.ts';
import { exitWords, evidenceLines, missingVariable } from './process-evidence.ts';
import { networkFix } from './network-fix.ts';
import type { Standpoint } from './place.ts';
import { oneLine } from './sanitise.ts';
import { brokerWords } from './shared-words.ts';
import { type Subject, typed } from './subject.ts';
import { ageOf, duration } from './times.ts';
import { quoted } from './visible.ts';

/** The maximum length of a server's error message. */
const SHOWN_COLUMNS = 1000;
/** A JSON-RPC error code. */
const INVALID_PARAMS = -32_602;

type Reasons = { readonly [Reason in Unavailable as Reason['kind']]: Reason };

type Explanations = {
  readonly [Kind in keyof Reasons]: (
    reason: Reasons[Kind],
    /** The server as a command names it. */
    server: string,
    from: Standpoint,
  ) => ServerProblem;
};

export function unavailableError(subject: Subject, reason: Unavailable): ShownError {
  const { server, where } = subject;
  const {
    message,
    fix,
    details = [],
  } = explain(reason.kind, reason, {
    server: typed(subject),
    from: subject.from,
  });
  return {
    kind: reason.kind,
    message: `server "${server}" ${message}`,
    where,
    ...(fix === undefined ? {} : { fix }),
    ...(details.length === 0 ? {} : { details }),
    ...(reason.kind === 'rpc' ? { rpc: rpcError(reason) } : {}),
  };
}

function rpcError({ code, message, data }: Reasons['rpc']): NonNullable<ShownError['rpc']> {
  return { code, message, ...(data === undefined ? {} : { data }) };
}

function explain<Kind extends keyof Reasons>(
  kind: Kind,
  reason: Reasons[Kind],
  { server, from }: Pick<Subject, 'server' | 'from'>,
): ServerProblem {
  return EXPLANATIONS[kind](reason, server, from);
}

const EXPLANATIONS: Explanations = {
  // The program does not start.
  'command-not-found': ({ command, searched }) => ({
    message: `could not start: there is no command "${command}"`,
    fix: `install ${command}, or correct "command" in its entry`,
    // A path is not searched for.
    details: /[/\\]/.test(command) ? [] : [`looked for in: ${searched}`],
  }),
  'not-executable': ({ command }) => ({
    message: `could not start: "${command}" is not a program that may be run`,
    fix: `make it executable (chmod +x ${command}), or correct "command" in its entry`,
  }),
  'bad-cwd': ({ cwd }) => ({
    message: `could not start: there is no folder "${cwd}" to run it in`,
    fix: 'create the folder, or correct "cwd" in its entry',
  }),
  'spawn-failed': ({ message, command, code }) => ({
    message: `could not start: ${message}`,
    fix: shortageFix(code) ?? `run it yourself to see more: ${command}`,
  }),

  'broker-failed': ({ reason }, server) => brokerWords(reason, server),

  // The program starts, but does not serve.
  exited: ({ exit, evidence }, server) => ({
    message: `ended ${exitWords(exit)}`,
    fix: afterExit(missingVariable(evidence.stderr), server),
    details: evidenceLines(evidence),
  }),
  'broken-frame': ({ line, evidence }, server) => ({
    message: 'answered with something that is not valid JSON',
    fix: `update or replace the server; all it said: plugboard logs ${server}`,
    details: evidenceLines(evidence, line),
  }),
  'answers-untaken': ({ answers, bytes, limit, ms }, server) => ({
    message: `was stopped: it asked on and on, and did not take the answers: ${answers} of them (${bytes} bytes) waited${ms === 0 ? '' : ` for ${duration(ms)}`}, and ${limit.answers} (${limit.bytes} bytes) may`,
    fix: `update or replace the server: it must read what it is answered. What it asked: plugboard trace ${server}`,
  }),
  timeout: ({ ms, evidence, during }) => ({
    message: `did not ${during === 'listing' ? 'list what it has' : 'answer'} within ${duration(ms)}`,
    fix:
      during === 'listing'
        ? 'if it is only slow, raise "listTimeout" (milliseconds) in its entry'
        : `${hasStderr(evidence) ? 'fix what it complains about, if it does' : 'check that it is an MCP server'}; if it only starts slowly, raise "connectTimeout" (milliseconds) in its entry`,
    details: evidence === undefined ? [] : evidenceLines(evidence),
  }),
  'still-installing': ({ runner, ms, evidence }) => ({
    message: `was not started: ${runner} was still fetching and installing its package after ${duration(ms)}`,
    fix: `check your network, and run the command of its entry once by hand: what ${runner} has fetched, it keeps`,
    details: evidenceLines(evidence),
  }),
  'runtime-too-old': ({ runtime, needs, has, evidence }) => ({
    message: `needs ${needs === undefined ? `a newer ${runtime}` : `${runtime} ${needs}`}${has === undefined ? '' : `, and was started with ${has}`}`,
    fix: `install a newer ${runtime} and put it first in PATH, or use an older version of the server: name it in its entry, like package@1.0.0`,
    details: evidenceLines(evidence),
  }),
  closed: (_reason, server) => ({
    message: 'closed the connection',
    fix: `see whether it works: plugboard doctor ${server}`,
  }),

  // A remote server cannot be reached, or rejects the connection.
  unreachable: ({ url, code }) => ({
    message: `cannot be reached at ${url} (${code})`,
    fix: networkFix(code),
  }),
  unauthorized: ({ url, reason, since }, server) =>
    reason === undefined
      ? {
          message: `does not take at ${url} what its entry gives it`,
          fix: 'put a valid token into its entry: "headers": { "Authorization": "Bearer ${TOKEN}" }',
        }
      : { ...authorizationWords(reason, server), details: demandedSince(since, server) },
  'credentials-expired': ({ url }, server) => ({
    message: `no longer takes at ${url} what it was given`,
    fix: `run the command again; if it happens again: plugboard doctor ${server}`,
  }),
  'helper-failed': ({ reason }) => helperWords(reason),
  http: ({ url, status, refusal }) => ({
    message: `answered HTTP ${status} at ${url}${refusal === undefined ? '' : `: ${refusal.message}`}`,
    fix:
      status === 404 || status === 405 || status === 501
        ? `check ${isAtMcp(url) ? 'the host and the path' : 'the path'} of "url" in its entry: MCP servers often listen at /mcp; older ones at /sse, with "type": "sse"`
        : 'the trouble is on its side: try again later, or ask who runs it',
  }),
  'not-mcp': ({ url, contentType }) => ({
    message: `does not speak MCP at ${url}: it answered ${contentWords(contentType)}`,
    fix: isAtMcp(url)
      ? 'open that address in a browser and see what answers, often a sign-in page or a proxy; then correct "url" in its entry'
      : 'correct "url" in its entry: this is not an MCP endpoint; try adding /mcp',
  }),

  // The server violates the protocol or a limit, or refuses the request.
  rpc: ({ code, message, data }, server) => ({
    // SDKs put the code in front of the message, sometimes twice.
    message: `refused with error ${code}: ${oneLine(message.replace(/^(?:MCP error -?\d+: )+/, ''), SHOWN_COLUMNS)}`,
    details: data === undefined ? [] : [`data: ${oneLine(JSON.stringify(data), SHOWN_COLUMNS)}`],
    fix:
      code === INVALID_PARAMS
        ? `see what its tools take: plugboard tools ${server} --schema`
        : `see what it logged: plugboard logs ${server}; if it is about what you asked, ask otherwise`,
  }),
  'too-large': ({ bytes, limit }) => ({
    message: `sent an answer of ${bytes} bytes, more than the ${limit} allowed`,
    fix: 'ask for less at a time',
  }),
  'invalid-result': ({ detail }) => ({
    message: `sent a result that breaks the protocol: ${detail}`,
    fix: 'update the server, or report this to its authors',
  }),
  'wrong-era': ({ wanted, detail }) => ({
    message: `does not speak the ${wanted} protocol`,
    details: [detail],
    fix: 'remove "protocol" from its entry, so that it is found out',
  }),
  'session-expired': ({ status, url }) => ({
    message: `answered HTTP ${status} at ${url}, as if it had forgotten the session`,
    fix: 'run the command again',
  }),
  'crash-loop': ({ crashes, last }, server, from) => ({
    ...explain(last.kind, last, { server, from }),
    message: `crashed ${crashes} times within a minute and is left alone for now`,
    fix: 'read its last output above and fix the cause; it can start again in a minute',
  }),
  'unsupported-transport': ({ transport }) => ({
    message: `uses the transport "${transport}", which this version cannot speak yet`,
    fix: 'use its Streamable HTTP or stdio form, if it has one',
  }),
  unexpected: ({ message, code }) => ({
    message: `failed: ${message}`,
    fix: shortageFix(code) ?? 'try again; if it happens again, report it',
  }),

  // The server was never contacted.
  disabled: (_reason, server) => ({
    message: 'is disabled',
    fix: `use it again: plugboard enable ${server}`,
  }),
  untrusted: ({ standing }, server) => ({
    message:
      standing.kind === 'changed'
        ? `${changedFiles(standing.changes)}has changed since you trusted it`
        : 'came with this folder or a plugin, and is not trusted yet',
    fix: `see what it would run, and let it start: plugboard trust ${server}`,
  }),
  blocked: ({ rule }, server, from) => ({
    message: `is blocked: ${blockingRule(rule, from)}`,
    fix:
      rule.scope === 'enterprise'
        ? 'ask the owner of this machine'
        : `see the rule, and change it if it is yours: plugboard explain ${server}`,
  }),
  unresolved: ({ problems }) => ({
    message: 'is not completely configured',
    fix: problems.map(({ suggestion }) => clause(suggestion)).join('; '),
    details: problems.map(({ message }) => clause(message)),
  }),
  cancelled: () => ({ message: 'was abandoned, because the command was stopped' }),
};

/** Whether the path already ends in /mcp or /sse, so that advice to add it would not help. */
function isAtMcp(url: string): boolean {
  return isUrl(url) && /\/(?:mcp|sse)\/?$/.test(new URL(url).pathname);
}

function contentWords(contentType: string): string {
  if (contentType === '') return 'without a content type';
  return /^text\/html\b/i.test(contentType) ? `with a web page (${contentType})` : contentType;
}

function hasStderr(evidence: ProcessEvidence | undefined): boolean {
  return evidence !== undefined && evidence.stderr.length > 0;
}

function afterExit(missing: string | undefined, server: string): string {
  return missing === undefined
    ? `fix what it complains about; all it said: plugboard logs ${server}`
    : `if it may have ${missing}, name it in its entry, since it sees no other variables of yours: "env": { "${missing}": "\${${missing}}" }`;
}

/** Empty if the server has just demanded the sign-in. */
function demandedSince(since: number | undefined, server: string): readonly string[] {
  if (since === undefined) return [];
  const age = ageOf(Math.max(0, systemClock.now() - since));
  return [`it said so ${age}, and was not asked again; to ask it: plugboard doctor ${server}`];
}

/** Names the changed files, if nothing else has changed. */
function changedFiles(changes: readonly FieldChange[]): string {
  const files = changes.flatMap(({ field }) => /^files\.(.+)$/s.exec(field)?.[1] ?? []);
  if (files.length === 0 || files.length < changes.length) return '';
  return `runs ${files.map(quoted).join(', ')}, which `;
}
