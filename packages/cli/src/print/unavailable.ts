// Why a server cannot be used and what to do about it, in words. One case for each way to fail.

import type { ProcessEvidence, Unavailable } from '@plugboard/host';
import type { ShownError } from './error.ts';

export interface Subject {
  readonly server: string;
  /** Where it is configured. */
  readonly where: string | undefined;
}

export function unavailableError(subject: Subject, reason: Unavailable): ShownError {
  const { message, fix, details } = explain(subject, reason);
  return {
    kind: reason.kind,
    message: `server "${subject.server}" ${message}`,
    where: subject.where,
    fix,
    ...(details === undefined ? {} : { details }),
  };
}

interface Explanation {
  readonly message: string;
  readonly fix: string;
  readonly details?: readonly string[];
}

function explain({ server }: Subject, reason: Unavailable): Explanation {
  switch (reason.kind) {
    case 'command-not-found':
      return {
        message: `could not start: the command "${reason.command}" was not found`,
        fix: `install ${reason.command}, or correct "command"; the PATH searched was ${reason.searched}`,
      };
    case 'not-executable':
      return {
        message: `could not start: "${reason.command}" is not a program that may be run`,
        fix: `make it executable (chmod +x ${reason.command}), or correct "command"`,
      };
    case 'bad-cwd':
      return {
        message: `could not start: its folder "${reason.cwd}" does not exist`,
        fix: 'create the folder, or correct "cwd"',
      };
    case 'spawn-failed':
      return {
        message: `could not start: ${reason.message}`,
        fix: `run the command yourself to see more: ${reason.command}`,
      };
    case 'exited':
      return {
        message: `ended ${exitWords(reason.exit)}`,
        fix: `read its last words above, mend its command or environment, then run: plugboard tools ${server}`,
        details: lastWords(reason.evidence),
      };
    case 'broken-frame':
      return {
        message: 'answered with something that is not valid JSON',
        fix: 'update or replace the server: its first answer cannot be read',
        details: [reason.line, ...lastWords(reason.evidence)],
      };
    case 'timeout':
      return {
        message: `did not answer within ${seconds(reason.ms)}`,
        fix: 'raise "connectTimeout" (milliseconds) in its entry if it is slow to start; check that it is an MCP server',
        details: reason.evidence === undefined ? [] : lastWords(reason.evidence),
      };
    default:
      return explainRemote(reason);
  }
}

type RemoteReason = Exclude<
  Unavailable,
  {
    readonly kind:
      | 'command-not-found'
      | 'not-executable'
      | 'bad-cwd'
      | 'spawn-failed'
      | 'exited'
      | 'broken-frame'
      | 'timeout';
  }
>;

function explainRemote(reason: RemoteReason): Explanation {
  switch (reason.kind) {
    case 'unreachable':
      return {
        message: `cannot be reached at ${reason.url} (${reason.code})`,
        fix: networkFix(reason.code),
      };
    case 'unauthorized':
      return {
        message: `wants a sign-in (HTTP ${reason.status}) at ${reason.url}`,
        fix: 'add a header with a token: "headers": { "Authorization": "Bearer ${TOKEN}" }',
      };
    case 'http':
      return {
        message: `answered HTTP ${reason.status} at ${reason.url}`,
        fix:
          reason.status === 404 || reason.status === 405
            ? 'check the path of "url": MCP servers often listen at /mcp'
            : 'check the server, then try again',
      };
    case 'not-mcp':
      return {
        message: `does not speak MCP at ${reason.url}: it answered ${reason.contentType || 'no content type'}`,
        fix: 'check "url": it leads to a web page, not to an MCP endpoint; try adding /mcp',
      };
    default:
      return explainOther(reason);
  }
}

type OtherReason = Exclude<
  RemoteReason,
  { readonly kind: 'unreachable' | 'unauthorized' | 'http' | 'not-mcp' }
>;

function explainOther(reason: OtherReason): Explanation {
  switch (reason.kind) {
    case 'disabled':
      return { message: 'is disabled', fix: 'remove "disabled" from its entry' };
    case 'untrusted':
      return { message: 'is not trusted yet', fix: 'look at what it would run, then trust it' };
    case 'blocked':
      return { message: `is blocked by ${reason.rule}`, fix: 'ask the owner of this machine' };
    case 'unresolved':
      return {
        message: 'is not completely configured',
        fix: reason.problems.map(({ suggestion }) => suggestion).join(' '),
        details: reason.problems.map(({ message }) => message),
      };
    case 'closed':
      return { message: 'closed the connection', fix: 'try again' };
    case 'cancelled':
      return { message: 'was given up on', fix: 'run the command again' };
    case 'rpc':
      return {
        message: `refused with error ${reason.code}: ${reason.message}`,
        fix: 'see what the server says; it may need other arguments or another version',
      };
    case 'too-large':
      return {
        message: `sent an answer of ${reason.bytes} bytes, more than the ${reason.limit} allowed`,
        fix: 'ask for less at once',
      };
    case 'invalid-result':
      return {
        message: `sent a result that breaks the protocol: ${reason.detail}`,
        fix: 'update the server, or report this to its authors',
      };
    case 'wrong-era':
      return {
        message: `does not speak the ${reason.wanted} protocol: ${reason.detail}`,
        fix: 'remove "protocol" from its entry, so that it is found out',
      };
    case 'unsupported-transport':
      return {
        message: `uses the transport "${reason.transport}", which this version cannot speak yet`,
        fix: 'use its Streamable HTTP or stdio form, if it has one',
      };
    case 'unexpected':
      return { message: `failed: ${reason.message}`, fix: 'try again; if it stays, report it' };
    default:
      return reason satisfies never;
  }
}

function exitWords({ code, signal }: { code: number | null; signal: string | null }): string {
  if (signal !== null) return `by signal ${signal}`;
  return code === 0 ? 'at once, without an error' : `with exit code ${code ?? 'unknown'}`;
}

const SHOWN_LINES = 8;

function lastWords({ stderr, strayLines, lastStrayLine }: ProcessEvidence): readonly string[] {
  const stray =
    strayLines === 0
      ? []
      : [`wrote ${strayLines} lines to stdout that are not MCP, the last: ${lastStrayLine ?? ''}`];
  const said = stderr.length === 0 ? ['(it wrote nothing to stderr)'] : stderr.slice(-SHOWN_LINES);
  return [...said, ...stray];
}

function networkFix(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there: start the server, or correct the port in "url"';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host name is not known: correct "url", or check your network';
    default:
      return code.includes('CERT') || code.includes('TLS') || code.includes('SSL')
        ? 'its certificate is not accepted: check the date, the host name and the CA'
        : 'check "url" and your network, then try again';
  }
}

function seconds(ms: number): string {
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
