// The environment of a command: the variables that programs need, and the folders of development tools. Never keys: all
// other variables are left out. Pure.

import { minimalEnvironment } from '@plugboard/host/processes';

/** Folders and names, none of which is a secret. */
const NAMED = [
  'LOGNAME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_CACHE_HOME',
  'XDG_STATE_HOME',
  'XDG_RUNTIME_DIR',
  'NVM_DIR',
  'NVM_BIN',
  'FNM_DIR',
  'VOLTA_HOME',
  'PNPM_HOME',
  'BUN_INSTALL',
  'DENO_DIR',
  'PYENV_ROOT',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'GOPATH',
  'GOROOT',
  'CARGO_HOME',
  'RUSTUP_HOME',
  'JAVA_HOME',
  'SDKMAN_DIR',
  'GRADLE_USER_HOME',
  'ANDROID_HOME',
  'DOTNET_ROOT',
  'GEM_HOME',
  'RBENV_ROOT',
  'HOMEBREW_PREFIX',
  'NIX_PROFILES',
  'NIX_SSL_CERT_FILE',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
];

/** No user can operate a pager, enter a password or see colours. */
const QUIET = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};

export function commandEnvironment(
  source: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const named = NAMED.flatMap((name) => {
    const value = source[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return minimalEnvironment(source, { ...Object.fromEntries(named), ...QUIET });
}
