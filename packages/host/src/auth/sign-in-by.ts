// One sign-in, by browser or by device code.

import type { Result } from '@plugboard/base';
import type { AuthorizationProblem } from '../protocol/index.ts';
import type { Credential } from './credential.ts';
import { deviceSignIn } from './device-sign-in.ts';
import type { SignInTerms } from './keep-sign-in.ts';
import type { LoginWay } from './login-way.ts';
import type { AuthorizationPorts } from './ports.ts';
import { signIn } from './sign-in.ts';

export function signInBy(
  way: LoginWay,
  terms: SignInTerms & { readonly signal: AbortSignal },
  ports: AuthorizationPorts,
): Promise<Result<Credential, AuthorizationProblem>> {
  return way.kind === 'browser'
    ? signIn({ ...terms, browser: way.browser }, ports)
    : deviceSignIn({ ...terms, show: way.show }, ports);
}
