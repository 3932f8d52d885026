// The columns of the table of fields. The row of a field, in launch-fields.ts or conduct-fields.ts, decides
// how the host treats it; its description for people is in entry-words.ts, which no command loads.

import type { AnyShape } from '../text/index.ts';
import type { EntryForm } from './transports.ts';

/**
 * How to combine the values of several sources. `strongest`: only the first one counts. `unite`: lists of
 * what is denied are united. `all`: lists of what is allowed, all of which must allow it. `strictest`: deny
 * before ask before allow. `least`: the smallest number, or false before true.
 */
export type MergeRule = 'strongest' | 'unite' | 'all' | 'strictest' | 'least';

export interface FieldRow {
  /** The valid values. Each key of an object is merged by itself. */
  readonly shape: AnyShape;
  /** An example for suggestions. */
  readonly example: string;
  /**
   * The field names what is started or reached. Such fields belong together, so those of two sources are
   * never mixed.
   */
  readonly isTarget?: true;
  /** The form of entries on which the field has an effect (transports.ts); all forms if absent. */
  readonly of?: EntryForm;
  /** A field of another form that gives this field an effect there as well. */
  readonly alsoWith?: string;
  /** The default value. */
  readonly absent?: unknown;
  /** For the whole field, or for each key of an object; `strongest` by default. */
  readonly merge?: MergeRule | Readonly<Record<string, MergeRule>>;
  /** Which placeholders its texts may contain: none by default, `variables`, or `secrets` as well. */
  readonly fills?: 'variables' | 'secrets';
  /**
   * The field is a secret of the user or gives access to one, so another source cannot send it elsewhere. The listed
   * parts must not even be written in a file.
   */
  readonly secret?: true | readonly string[];
  /** How to show the field without its secrets; `plain` by default. */
  readonly shown?: ShownAs;
}

/**
 * `program`, `words` and `line`: a command, its arguments, or both in one text. `url`: without credentials. `masked`:
 * with each value hidden. `options`: with each value hidden unless it is known not to be a secret.
 */
export type ShownAs = 'plain' | 'program' | 'words' | 'line' | 'url' | 'masked' | 'options';
