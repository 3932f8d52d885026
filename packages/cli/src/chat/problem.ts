// An error in the form in which a chat shows it.

import type { ShownError } from '../print/error.ts';
import type { SubmitResult } from './chat.ts';

export type Problem = Extract<SubmitResult, { readonly kind: 'problem' }>;

export function chatProblem({
  message,
  details = [],
  fix,
}: Pick<ShownError, 'message' | 'details' | 'fix'>): Problem {
  return { kind: 'problem', message: [message, ...details].join('\n'), fix };
}
