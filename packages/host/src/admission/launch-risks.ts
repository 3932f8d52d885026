// Finds what a person should check before approving a server. These are hints, not a protection: a server
// without any can still do whatever a program can.

import { isObject } from '@plugboard/base';
import { shownAs } from '../config/index.ts';
import { findInlineCode, type InlineCode } from './inline-code.ts';
import type { TrustLaunch } from './trust-subject.ts';
import { findUnpinned, type UnpinnedPackage } from './unpinned-packages.ts';

export type LaunchRisk =
  | ({ readonly kind: 'inline-code' } & InlineCode)
  | ({ readonly kind: 'unpinned' } & UnpinnedPackage)
  /** A variable that decides which code programs run, or whom they talk to. */
  | { readonly kind: 'steering-variable'; readonly name: string; readonly value: string }
  /** The server receives the value of a variable or a secret of the user. */
  | { readonly kind: 'receives'; readonly placeholder: string; readonly fields: readonly string[] }
  /** The field contains characters that are invisible or look like others. */
  | { readonly kind: 'odd-characters'; readonly field: string };

export function risksOf(launch: TrustLaunch): readonly LaunchRisk[] {
  const commands = [argvOf(launch.command, launch.args), helperArgv(launch.headersHelper)];
  const variables = { ...launch.envFileValues, ...launch.env };
  return [
    ...commands.flatMap((argv): readonly LaunchRisk[] => {
      const code = findInlineCode(argv);
      return code === undefined ? [] : [{ kind: 'inline-code', ...code }];
    }),
    ...commands
      .flatMap(findUnpinned)
      .map((unpinned): LaunchRisk => ({ kind: 'unpinned', ...unpinned })),
    ...Object.entries(variables)
      .filter(([name]) => STEERING.test(name))
      .map(([name, value]): LaunchRisk => ({ kind: 'steering-variable', name, value })),
    ...received(launch),
    ...oddFields(launch),
  ];
}

function argvOf(command: string | undefined, args: readonly string[] = []): readonly string[] {
  return command === undefined ? [] : [command, ...args];
}

/** Splits a helper that is written as one text at its blanks, which is enough for a hint. */
function helperArgv(helper: string | readonly string[] = []): readonly string[] {
  return typeof helper === 'string' ? helper.split(/\s+/) : helper;
}

/** Variable names are case-insensitive on Windows, and so they are here. */
const STEERING = new RegExp(
  `^(?:${[
    // Which files are loaded or run.
    'PATH|PATHEXT|HOME|XDG_(?:CONFIG|DATA)_(?:HOME|DIRS)|SHELL|COMSPEC|IFS|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4',
    'PROMPT_COMMAND|ZDOTDIR|DYLD_.*|GCONV_PATH|GLIBC_TUNABLES',
    'LD_(?:PRELOAD|LIBRARY_PATH|AUDIT|ORIGIN_PATH|DEBUG.*|PROFILE.*|BIND_.*|32_.*|64_.*)',
    'NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|ELECTRON_RUN_AS_NODE|BUN_OPTIONS',
    'PYTHONPATH|PYTHONHOME|PYTHONSTARTUP|PYTHONUSERBASE|PYTHONBREAKPOINT',
    'PERL5?LIB|PERL5OPT|PERL5DB|RUBYLIB|RUBYOPT|GEM_HOME|GEM_PATH|BUNDLE_GEMFILE',
    'PHPRC|PHP_INI_SCAN_DIR|LUA_INIT.*|R_PROFILE.*|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS',
    '_?JAVA_(?:TOOL_)?OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS',
    '(?:COR|CORECLR)_(?:ENABLE_PROFILING|PROFILER.*)|RUSTC_WRAPPER|GOFLAGS',
    'GIT_(?:SSH.*|ASKPASS|EXEC_PATH|.*EDITOR|PAGER|EXTERNAL_DIFF|PROXY_COMMAND|TEMPLATE_DIR|CONFIG.*)',
    'SSH_ASKPASS|SUDO_ASKPASS|EDITOR|VISUAL|PAGER|BROWSER|LESSOPEN|LESSCLOSE',
    // Where packages come from.
    'NPM_CONFIG_.*|YARN_.*|PNPM_.*|UV_.*|PIP_.*|PIPX_.*|COREPACK_.*|CARGO_.*|GOPROXY',
    'DOCKER_(?:HOST|CONFIG|CONTEXT|CERT_PATH|TLS_VERIFY)|DENO_(?:DIR|CERT|TLS_CA_STORE)',
    // Variables that decide whom it talks to, and whether it verifies that.
    '(?:HTTPS?|ALL|NO)_PROXY|NODE_TLS_REJECT_UNAUTHORIZED|NODE_EXTRA_CA_CERTS|SSLKEYLOGFILE',
    'SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|CURL_HOME|KUBECONFIG',
    'AWS_CONFIG_FILE|RES_OPTIONS|HOSTALIASES|LOCALDOMAIN',
  ].join('|')})$`,
  'i',
);

/** Captures the name in `${NAME}` and `${NAME:-default}`, and `secret:NAME` in `${secret:NAME}`. */
const PLACEHOLDER = /\$\$\{|\$\{([A-Za-z_]\w*|secret:[^}]*)(?::-[^}]*)?\}/g;

function received(launch: TrustLaunch): readonly LaunchRisk[] {
  const found = new Map<string, Set<string>>();
  for (const [field, text] of nestedTexts(launch)) {
    for (const [, name] of text.matchAll(PLACEHOLDER)) {
      if (name === undefined) continue;
      const placeholder = `\${${name}}`;
      found.set(placeholder, (found.get(placeholder) ?? new Set()).add(field));
    }
  }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([placeholder, fields]) => ({ kind: 'receives', placeholder, fields: [...fields] }));
}

const VALUES: ReadonlySet<string> = new Set(['masked', 'options']);

/** Except in the values of variables and headers, which may be text in any script. */
function oddFields(launch: TrustLaunch): readonly LaunchRisk[] {
  const read = Object.entries(launch).filter(([field]) => !VALUES.has(shownAs(field)));
  return [...nestedTexts(Object.fromEntries(read))]
    .filter(([, text]) => /[^\t\n\r -~]/.test(text))
    .map(([field]) => field)
    .filter((field, index, all) => all.indexOf(field) === index)
    .map((field) => ({ kind: 'odd-characters', field }));
}

/** Every text of a launch with the name of its field. */
function* nestedTexts(value: unknown, field = ''): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [field, value];
  if (Array.isArray(value)) for (const item of value) yield* nestedTexts(item, field);
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    yield* nestedTexts(item, field === '' ? key : `${field}.${key}`);
  }
}
