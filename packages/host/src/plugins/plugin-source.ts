// What one plugin contributes: its servers, each with its place, and what is wrong with it. Which of its
// servers count, and how they merge with other sources, is left to the code that loads the configuration.

import { type Diagnostic, type Finding, locate, type WrittenServer } from '../config/index.ts';
import type { LocatedJson } from './located-json.ts';
import { type Answers, NO_ANSWERS } from './bundle/bundle-entry.ts';
import type { Question } from './bundle/question.ts';

export interface PluginSource {
  readonly plugin: string;
  /** Its manifest, or the folder where there is none. */
  readonly file: string;
  readonly folder: string;
  readonly from: 'user' | 'project';
  /** Named `plugin:<plugin>:<server>`. */
  readonly servers: readonly WrittenServer[];
  /** About the plugin; what breaks one server is with that server. */
  readonly diagnostics: readonly Diagnostic[];
  /** What placeholders in its entries mean, beside the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A plugin as it was read, with what installing it needs to know. */
export interface ReadPlugin {
  readonly source: PluginSource;
  readonly kind: 'folder' | 'bundle' | 'unknown';
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly questions: readonly Question[];
  /** Questions that must be answered before it can be used. */
  readonly missing: readonly Question[];
  readonly answers: Answers;
}

/** For a plugin whose manifest says none of this. */
export const NO_DETAILS = {
  version: undefined,
  description: undefined,
  questions: [],
  missing: [],
  answers: NO_ANSWERS,
} as const;

/** A finding about a file that is not an entry, at its place. */
export function placed(
  finding: Finding,
  { keyAt, valueAt }: Pick<LocatedJson, 'keyAt' | 'valueAt'>,
): Diagnostic {
  const { server: _, ...diagnostic } = locate(finding, { server: '', keyAt, valueAt });
  return diagnostic;
}
