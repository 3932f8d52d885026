// One sign-in, by browser or by device code.

import type { Credential } from './credential.ts';
import { deviceSignIn } from './device-sign-in.ts';
import type { SignInTerms } from './keep-sign-in.ts';
import type { LoginWay } from './login-way.ts';
import type { AuthorizationPorts, AuthorizationResult } from './ports.ts';
import { signIn } from './sign-in.ts';

export function signInBy(
  way: LoginWay,
  terms: SignInTerms & { readonly signal: AbortSignal },
  ports: AuthorizationPorts,
): AuthorizationResult<Credential> {
  return way.kind === 'browser'
    ? signIn({ ...terms, browser: way.browser }, ports)
    : deviceSignIn({ ...terms, show: way.show }, ports);
}
