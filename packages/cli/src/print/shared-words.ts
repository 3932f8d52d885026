// Servers that hosts share, in words: why the broker of one cannot be used.

import type { Unavailable } from '@plugboard/host';

type BrokerProblem = Extract<Unavailable, { readonly kind: 'broker-failed' }>['reason'];

interface Words {
  /** Goes on after the name of the server. */
  readonly message: string;
  readonly fix: string;
}

const UNSAFE: Readonly<Record<Extract<BrokerProblem, { kind: 'unsafe' }>['why'], string>> = {
  link: 'is a link',
  'wrong-type': 'is something else than it should be',
  foreign: 'belongs to another user',
  'open-to-others': 'is open to other users',
};

export function brokerWords(problem: BrokerProblem, server: string): Words {
  switch (problem.kind) {
    case 'unsafe':
      return {
        message: `cannot be shared: ${problem.path} ${UNSAFE[problem.why]}`,
        fix: `look at what it is, and remove it: rm -r ${problem.path}`,
      };
    case 'unusable':
      return {
        message: `cannot be shared: ${problem.path} cannot be used (${problem.code})`,
        fix: 'mend the folder, or remove "shared" from its entry',
      };
    case 'did-not-start':
      return {
        message: `cannot be shared: its broker did not start: ${problem.detail}`,
        fix: 'try again; if it stays, remove "shared" from its entry',
      };
    case 'refused':
      return {
        message:
          problem.why === 'full'
            ? 'is shared by too many programs already'
            : 'is shared by a broker that does not know this entry',
        fix: `end it, for all who use it: plugboard stop ${server}`,
      };
    default:
      return problem satisfies never;
  }
}
