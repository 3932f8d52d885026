// What package runners and runtimes say on stderr when a server needs another runtime than the one that is here. It is
// text, for want of anything better, and it is read here alone.

import type { ProcessEvidence, ProtocolFailure } from '../neutral/failure.ts';

type RuntimeTooOld = Extract<ProtocolFailure, { readonly kind: 'runtime-too-old' }>;

/** `undefined` if no sign of it is there. `failure` is how the server failed. */
export function tooOldRuntime(failure: ProtocolFailure): RuntimeTooOld | undefined {
  if (failure.kind !== 'exited' && failure.kind !== 'timeout') return undefined;
  const { evidence } = failure;
  if (evidence === undefined || !hasSigns(evidence, failure.kind)) return undefined;
  const text = evidence.stderr.join('\n');
  const needs = /EBADENGINE\s+required: \{[^}]*?node: '([^'\n]{1,80})'/.exec(text)?.[1];
  const has =
    /EBADENGINE\s+current: \{[^}]*?node: '([^'\n]{1,40})'/.exec(text)?.[1] ??
    /^Node\.js (v\d+\.\d+\.\d+)/m.exec(text)?.[1];
  return {
    kind: 'runtime-too-old',
    runtime: 'Node.js',
    ...(needs === undefined ? {} : { needs }),
    ...(has === undefined ? {} : { has }),
    evidence,
  };
}

function hasSigns({ stderr }: ProcessEvidence, kind: 'exited' | 'timeout'): boolean {
  const says = (pattern: RegExp): boolean => stderr.some((line) => pattern.test(line));
  // npm refuses to install it, or Node lacks what it is built on.
  if (says(/^npm (?:error|ERR!) (?:code EBADENGINE|notsup)/)) return true;
  if (says(/ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:/)) return true;
  if (says(/^SyntaxError: The requested module '(?:node:)?\w+' does not provide an export named/)) {
    return true;
  }
  const isWarned = says(/^npm warn EBADENGINE|^npm WARN EBADENGINE/);
  if (kind === 'timeout') return isWarned;
  // A package that was published does not parse, or calls what is not there, only in a runtime too old for it.
  const isPackage = says(/[/\\]node_modules[/\\]/);
  const isCrash = says(/^Node\.js v\d+/);
  if (isCrash && isPackage && says(/^SyntaxError: /)) return true;
  return isCrash && isWarned && says(/^(?:Syntax|Type|Reference)?Error(?: \[\w+\])?: /);
}
