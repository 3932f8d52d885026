// Recognizes on stderr that a server needs a newer runtime than the installed one. Package runners and runtimes report this
// only as text; no other module classifies text of stderr.

import type { ProcessEvidence, ProtocolFailure } from '../neutral/failure.ts';

type RuntimeTooOld = Extract<ProtocolFailure, { readonly kind: 'runtime-too-old' }>;

/** Returns `undefined` if the output of the failed server shows no sign of this. */
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
  const hasLine = (pattern: RegExp): boolean => stderr.some((line) => pattern.test(line));
  // npm refuses to install the package, or Node lacks a module.
  if (hasLine(/^npm (?:error|ERR!) (?:code EBADENGINE|notsup)/)) return true;
  if (hasLine(/ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module: node:/)) return true;
  if (
    hasLine(/^SyntaxError: The requested module '(?:node:)?\w+' does not provide an export named/)
  ) {
    return true;
  }
  const isWarned = hasLine(/^npm warn EBADENGINE|^npm WARN EBADENGINE/);
  if (kind === 'timeout') return isWarned;
  // A published package with a syntax error or a missing function was made for a newer runtime.
  const isPackage = hasLine(/[/\\]node_modules[/\\]/);
  const isCrash = hasLine(/^Node\.js v\d+/);
  if (isCrash && isPackage && hasLine(/^SyntaxError: /)) return true;
  return isCrash && isWarned && hasLine(/^(?:Syntax|Type|Reference)?Error(?: \[\w+\])?: /);
}
