// Errors of signing in and of importing tokens. None of them contains a token.

import type { AuthorizationProblem, ImportProblem } from '@plugboard/host';
import { authorizationWords } from './authorization-words.ts';
import type { ShownError } from './error.ts';
import { type Subject, typed } from './subject.ts';

type AffectedServer = Pick<Subject, 'server' | 'where' | 'adHoc'>;

export function importError(problem: ImportProblem, subject: AffectedServer): ShownError {
  const { kind } = problem;
  const { server, where } = subject;
  const errorOf = (message: string, fix: string): ShownError => ({ kind, message, where, fix });
  switch (problem.kind) {
    case 'not-tokens':
      return errorOf(
        'the input is not a JSON object',
        'give what a token endpoint answers: { "access_token": "…", "refresh_token": "…", "expires_in": 3600 }',
      );
    case 'bad-field':
      return errorOf(
        `"${problem.field}" is missing or not what it should be`,
        `correct "${problem.field}", and import again`,
      );
    case 'expired':
      return errorOf(
        'the token has expired, and there is no "refresh_token" to renew it with',
        'get another one, and import that',
      );
    case 'bound-token':
      return errorOf(
        'the token is not of the type "Bearer": it is bound to a key that is not here',
        `sign in instead: plugboard login ${server}`,
      );
    case 'machine':
      return errorOf(
        `server "${server}" gets its own tokens, as "oauth" in its entry says`,
        `see the state: plugboard auth status ${server}`,
      );
    case 'client-needed':
      return errorOf(
        'a "refresh_token" is taken only from the client that it was given to',
        'add "client_id" (and "client_secret", if it has one), or leave out "refresh_token"',
      );
    case 'other-client':
      return errorOf(
        `"${problem.field}" is not that of "oauth" in the entry of "${server}"`,
        problem.field === 'client_id'
          ? 'correct "clientId" there, or get a token for that client'
          : 'write it there, as "clientSecret": "${secret:NAME}", and leave it out here',
      );
    case 'other-issuer':
      return errorOf(
        `server "${server}" takes tokens of ${problem.named}, and these are of another issuer`,
        'get a token from there, or correct "issuer"',
      );
    default:
      return authorizationError(problem, subject);
  }
}

export function authorizationError(
  problem: AuthorizationProblem,
  subject: AffectedServer,
): ShownError {
  if (problem.kind === 'not-signed-in' && problem.reason === 'cancelled') {
    return { kind: 'cancelled', message: 'cancelled' };
  }
  const { server, where } = subject;
  const { message, fix } = authorizationWords(problem, typed(subject));
  return { kind: problem.kind, message: `server "${server}" ${message}`, where, fix };
}
