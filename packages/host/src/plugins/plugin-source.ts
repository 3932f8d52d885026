// What one plugin contributes: its servers, each with its place, and its problems. Which servers count, and
// how they merge with other sources, is left to the code that loads the configuration.

import { type Diagnostic, type Finding, locate, type WrittenServer } from '../config/index.ts';
import type { LocatedJson } from './located-json.ts';
import { type Answers, NO_ANSWERS } from './bundle/bundle-entry.ts';
import type { Question } from './bundle/question.ts';

export interface PluginSource {
  readonly plugin: string;
  /** The manifest, or the folder if there is none. */
  readonly file: string;
  readonly folder: string;
  readonly from: 'user' | 'project';
  /** With names of the form `plugin:<plugin>:<server>`. */
  readonly servers: readonly WrittenServer[];
  /** About the plugin; an error in one server is with that server. */
  readonly diagnostics: readonly Diagnostic[];
  /** Variables for its entries, in addition to the environment. */
  readonly variables: Readonly<Record<string, string>>;
}

/** A plugin with the details that are needed to install it. */
export interface ReadPlugin {
  readonly source: PluginSource;
  readonly kind: 'folder' | 'bundle' | 'unknown';
  readonly version: string | undefined;
  readonly description: string | undefined;
  readonly questions: readonly Question[];
  /** The questions that must be answered before the plugin can be used. */
  readonly missing: readonly Question[];
  readonly answers: Answers;
}

/** The details of a plugin whose manifest has none. */
export const NO_DETAILS = {
  version: undefined,
  description: undefined,
  questions: [],
  missing: [],
  answers: NO_ANSWERS,
} as const;

/** Adds the position to a finding about a file of a plugin. */
export function placed(
  finding: Finding,
  { keyAt, valueAt }: Pick<LocatedJson, 'keyAt' | 'valueAt'>,
): Diagnostic {
  const { server: _, ...diagnostic } = locate(finding, { server: '', keyAt, valueAt });
  return diagnostic;
}
