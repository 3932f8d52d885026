// The exit codes, which tell scripts how a command ended.

import type { AuthorizationProblem, CallOutcome, Unavailable } from '@plugboard/host';

export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 129 | 130 | 143;

export const EXIT = {
  ok: 0,
  /** Wrong use of the command, or a problem on this machine. */
  usage: 1,
  /** The tool or the server failed. */
  server: 2,
  network: 3,
  authorization: 4,
  denied: 5,
  /** Ctrl-C ended the command. As in shells: 128 plus the number of the signal. */
  interrupted: 130,
} as const satisfies Record<string, ExitCode>;

/** The exit code after a signal. It replaces the exit code of the command. */
export const EXIT_OF_SIGNAL = {
  SIGHUP: 129,
  SIGINT: EXIT.interrupted,
  SIGTERM: 143,
} as const satisfies Record<string, ExitCode>;

export function exitCodeOfOutcome(outcome: CallOutcome): ExitCode {
  switch (outcome.kind) {
    case 'result':
      return EXIT.ok;
    case 'unknown-server':
    case 'unknown-tool':
    case 'invalid-arguments':
    case 'cancelled':
      return EXIT.usage;
    case 'tool-error':
    case 'timeout':
      return EXIT.server;
    case 'protocol-error':
      return OF_REASON[outcome.failure.kind];
    case 'needs-auth':
      return EXIT.authorization;
    case 'denied':
    case 'quarantined':
      return EXIT.denied;
    case 'not-connected':
      return OF_REASON[outcome.reason.kind];
    default:
      return outcome satisfies never;
  }
}

const OF_REASON: Readonly<Record<Unavailable['kind'], ExitCode>> = {
  disabled: EXIT.usage,
  untrusted: EXIT.usage,
  unresolved: EXIT.usage,
  'helper-failed': EXIT.usage,
  blocked: EXIT.denied,
  unreachable: EXIT.network,
  unauthorized: EXIT.authorization,
  'credentials-expired': EXIT.authorization,
  'answers-untaken': EXIT.server,
  'bad-cwd': EXIT.server,
  'broken-frame': EXIT.server,
  'broker-failed': EXIT.server,
  cancelled: EXIT.server,
  closed: EXIT.server,
  'command-not-found': EXIT.server,
  'crash-loop': EXIT.server,
  exited: EXIT.server,
  http: EXIT.server,
  'invalid-result': EXIT.server,
  'not-executable': EXIT.server,
  'not-mcp': EXIT.server,
  rpc: EXIT.server,
  'runtime-too-old': EXIT.server,
  'session-expired': EXIT.server,
  'spawn-failed': EXIT.server,
  'still-installing': EXIT.server,
  timeout: EXIT.server,
  'too-large': EXIT.server,
  unexpected: EXIT.server,
  'unsupported-transport': EXIT.server,
  'wrong-era': EXIT.server,
};

export function exitCodeOfProblem(problem: AuthorizationProblem): ExitCode {
  switch (problem.kind) {
    case 'unreachable':
      return EXIT.network;
    case 'bad-settings':
    case 'store-failed':
      return EXIT.usage;
    case 'not-signed-in':
      return problem.reason === 'cancelled' ? EXIT.usage : EXIT.authorization;
    default:
      return EXIT.authorization;
  }
}
