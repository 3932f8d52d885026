// Who uses the console, and what they may see and answer. Administrators see everything. Any other principal sees the
// servers, which it can call, and only its own clients, calls and questions.

export interface Reader {
  readonly principal: string;
  readonly isAdministrator: boolean;
}

/** Who may see an event. */
export type Audience = 'everyone' | 'administrators' | { readonly principal: string };

export function mayRead({ principal, isAdministrator }: Reader, audience: Audience): boolean {
  if (isAdministrator || audience === 'everyone') return true;
  return audience !== 'administrators' && audience.principal === principal;
}
