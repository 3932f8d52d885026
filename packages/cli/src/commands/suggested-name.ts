// Derives a name for a server that is added without one, from its command or URL. Pure.

import { isUrl } from '@plugboard/base';
import { checkName, packageIn, plainName } from '@plugboard/host/configuration';

/** A valid name that is not among the `taken` names of other servers. */
export function suggestedName(target: readonly string[], taken: ReadonlySet<string>): string {
  const plain = plainName(wordFor(target)) || 'server';
  const base = checkName(plain) === undefined ? plain : `my-${plain}`;
  const candidate = (number: number): string =>
    number === 1 ? base : `${base.slice(0, 60)}-${number}`;
  let number = 1;
  while (taken.has(candidate(number))) number += 1;
  return candidate(number);
}

function wordFor(target: readonly string[]): string {
  const [first = ''] = target;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) return wordForUrl(first);
  const spec = packageIn(target);
  return spec === undefined ? wordForProgram(target) : wordForPackage(spec);
}

/** Common first labels of hosts, which say nothing about the server. */
const COMMON_LABELS: ReadonlySet<string> = new Set([
  'mcp',
  'api',
  'www',
  'sse',
  'server',
  'remote',
]);

/** `linear` for `https://mcp.linear.app/sse`. */
function wordForUrl(url: string): string {
  const host = isUrl(url) ? new URL(url).hostname : '';
  const labels = host.split('.');
  if (labels.length < 2 || /^[\d.]+$|:/.test(host)) return host;
  while (labels.length > 2 && COMMON_LABELS.has(labels[0] ?? '')) labels.shift();
  return labels[0] ?? '';
}

/** `files` for `@acme/server-files@1.2`, and `playwright` for `@playwright/mcp`, whose own name says nothing. */
function wordForPackage(spec: string): string {
  const bare = spec
    .replace(/^(?:npm|jsr|git\+\w+|github):/, '')
    .replace(/[#?].*$/, '')
    .replace(/(?<=.)@(?:sha256:)?[^/@]*$/, '')
    .replace(/(?:\[[^\]]*\])?(?:[=<>~!]=?.*)?$/, '')
    .replace(/:[^/:]*$/, '')
    .replace(/\.git$/, '');
  const parts = bare.split(/[/\\]/).filter((part) => part !== '');
  const own = withoutCommonWords(parts.at(-1) ?? '');
  return own === '' ? (parts.at(-2) ?? 'server').replace(/^@/, '') : own;
}

const INTERPRETER =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pythonw?|py|ruby|php|perl|java|uv|dotnet|bash|sh)$/;
const COMMON_FILES = /^(?:index|main|server|cli|app|start|run|__main__|mcp)$/i;

/** From the script of an interpreter, or from the program. */
function wordForProgram([program = '', ...rest]: readonly string[]): string {
  const name = fileName(program);
  if (!INTERPRETER.test(name.toLowerCase())) return withoutCommonWords(name) || name;
  const script = rest.find((word) => !word.startsWith('-') && word !== 'run') ?? program;
  const folders = script
    .split(/[/\\]/)
    .filter((part) => !/^(?:\.{0,2}|src|dist|build|bin)$/.test(part));
  const file = fileName(folders.at(-1) ?? script);
  const word = COMMON_FILES.test(file) ? (folders.at(-2) ?? file) : file;
  return withoutCommonWords(word) || word;
}

function fileName(path: string): string {
  const file = path.split(/[/\\]/).at(-1) ?? '';
  return file.replace(/\.(?:[cm]?[jt]sx?|py|rb|php|pl|jar|exe|cmd|bat|ps1|sh|dll)$/i, '');
}

/** `files` for `mcp-server-files`, `server-files`, `files-mcp` and `files_mcp_server`. */
function withoutCommonWords(name: string): string {
  return name
    .replace(/^(?:(?:mcp|server)(?:[-_.]|$))+/i, '')
    .replace(/(?:(?:[-_.]|^)(?:mcp|server))+$/i, '');
}
