// The columns of the table of fields. What the host does with a field of an entry follows from its row in
// launch-fields.ts or conduct-fields.ts; what people read about it is in entry-words.ts, which no command loads.

import type { AnyShape } from '../text/index.ts';
import type { EntryForm } from './transports.ts';

/**
 * What counts where several sources state a field. `strongest`: the first counts alone. `unite`: lists of what is
 * denied are added up. `all`: each is a list of what is allowed, and every one of them must allow it. `strictest`:
 * deny before ask before allow. `least`: of numbers the smallest, and no before yes.
 */
export type MergeRule = 'strongest' | 'unite' | 'all' | 'strictest' | 'least';

export interface FieldRow {
  /** What it may hold. Each key of an object is merged by itself. */
  readonly shape: AnyShape;
  /** How it is written, for suggestions. */
  readonly example: string;
  /** It says what is started or reached. Such fields only make sense together, so no two sources mix them. */
  readonly isTarget?: true;
  /** The form of the only entries that it has an effect on (transports.ts). */
  readonly of?: EntryForm;
  /** A field of another form that makes it count there as well. */
  readonly alsoWith?: string;
  /** What a server has whose entry does not state it. */
  readonly absent?: unknown;
  /** For the whole field, or for each key of an object; `strongest` by default. */
  readonly merge?: MergeRule | Readonly<Record<string, MergeRule>>;
  /** What may be in its texts as `${…}`: nothing by default, `variables`, or secrets as well. */
  readonly fills?: 'variables' | 'secrets';
  /**
   * It is the user's secret, or gives access to one, so another source cannot have it sent elsewhere. The parts that
   * are listed must not even be written in a file.
   */
  readonly secret?: true | readonly string[];
  /** How it is shown without its secrets: as it is by default. */
  readonly shown?: ShownAs;
}

/**
 * `program`, `words` and `line`: a command, its arguments, or both in one text. `url`: without credentials. `masked`:
 * each value hidden. `options`: each hidden unless it is known to be no secret.
 */
export type ShownAs = 'plain' | 'program' | 'words' | 'line' | 'url' | 'masked' | 'options';
