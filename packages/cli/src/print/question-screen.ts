// The screens for a question of a server: who asks and why, each field with its format, and the answers before they are
// sent. Text of the server has a bar in front of each line, so that it cannot look like text of the command.

import {
  demandOf,
  type FieldProblem,
  FORMAT_WORDS,
  type FormField,
  type InputField,
  type Json,
} from '@plugboard/base';
import type { AskedForm, AskedPage } from '@plugboard/host';
import { quoted, visible } from './visible.ts';

export const SEND_QUESTION = 'Send them? [y]es, [e]dit, [d]ecline or [c]ancel: ';
export const EDIT_QUESTION = 'Which one? Its number: ';
export const OPEN_QUESTION = 'Open it in your browser? [y]es, [d]ecline or [c]ancel: ';
export const ANOTHER_QUESTION = '  another, or nothing: ';
export const DONE_QUESTION = 'Press Enter once you are done there, or Ctrl-C to cancel: ';
export const OPENED = 'Opened in your browser.\n';
export const FINISHED = 'The server says that you are done there.\n';

/** The capital letter is the default. For a form that seems to ask for a password, the default is to decline. */
export function answerQuestion({ soundsSecret }: AskedForm): string {
  return soundsSecret
    ? 'Answer? [y]es, [D]ecline or [c]ancel: '
    : 'Answer? [Y]es, [d]ecline or [c]ancel: ';
}

export function formScreen(server: string, form: AskedForm): string {
  return [
    `Server ${quoted(server)} asks:`,
    ...barred(form.message),
    ...(form.soundsSecret
      ? [
          'warning: it seems to want a password or a token. Servers must not ask for those like this:',
          '  decline, unless you know why it does.',
        ]
      : []),
    '',
  ].join('\n');
}

export function pageScreen(server: string, page: AskedPage): string {
  return [
    `Server ${quoted(server)} wants you to visit a page:`,
    ...barred(page.message),
    `  url:  ${visible(page.url)}`,
    `  host: ${visible(page.host)}`,
    ...page.warnings.map((warning) => `warning: ${pageWarning(warning, page)}`),
    '',
  ].join('\n');
}

export function pageWarning(
  warning: AskedPage['warnings'][number],
  { readsAs = '' }: AskedPage,
): string {
  switch (warning) {
    case 'punycode':
      return `the host has letters of other alphabets and reads ${quoted(readsAs)}: it may pose as another`;
    case 'ip-address':
      return 'the host is a number, which does not show whose it is';
    case 'this-machine':
      return 'it leads to a program on this machine';
    default:
      return warning satisfies never;
  }
}

export function notOpened(url: string): string {
  return `No browser could be opened. Open the page yourself: ${visible(url)}\n`;
}

/** The text above a field, and the prompt. */
export function fieldScreen(
  field: InputField,
  { isHidden, fallback }: { readonly isHidden: boolean; readonly fallback?: string },
): { readonly above: string; readonly ask: string } {
  const lines = [
    ...(field.description === undefined ? [] : barred(field.description)),
    ...('options' in field
      ? field.options.map(({ title }, index) => `  ${index + 1}. ${visible(title)}`)
      : []),
  ];
  const hints = [...hintsOf(field), ...(isHidden ? ['not shown'] : [])].join(', ');
  const empty =
    fallback ?? (field.default === undefined ? undefined : shownValue(field, field.default));
  return {
    above: lines.map((line) => `${line}\n`).join(''),
    ask: `${visible(field.title)} (${hints})${empty === undefined ? '' : ` [${empty}]`}: `,
  };
}

export function hintsOf(field: InputField): readonly string[] {
  const need = field.isRequired ? [] : ['optional'];
  switch (field.kind) {
    case 'text': {
      const { minLength, maxLength, format } = field;
      // A minimum of one character says nothing, since an empty text is no answer.
      const length = range((minLength ?? 0) < 2 ? undefined : minLength, maxLength);
      const size = length === undefined ? [] : [`${length} characters`];
      return [format === undefined ? 'text' : FORMAT_WORDS[format], ...size, ...need];
    }
    case 'number': {
      const bounds = range(field.minimum, field.maximum);
      const what = field.isInteger ? 'a whole number' : 'a number';
      return [what, ...(bounds === undefined ? [] : [bounds]), ...need];
    }
    case 'boolean':
      return ['yes or no', ...need];
    case 'choice':
      return [`one of 1 to ${field.options.length}`, ...need];
    case 'choices': {
      const count = range(field.minItems, field.maxItems);
      const many = count === undefined ? 'any' : count;
      return [`${many} of 1 to ${field.options.length}, with commas between`, ...need];
    }
    case 'path':
      return [field.what === 'file' ? 'a file' : 'a folder', ...need];
    case 'paths':
      return [field.what === 'file' ? 'files' : 'folders', 'one by one', ...need];
    default:
      return field satisfies never;
  }
}

function range(least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? undefined : `at most ${most}`;
}

export function problemWords(problem: FieldProblem): string {
  switch (problem.kind) {
    case 'missing':
      return 'an answer is needed';
    case 'not-offered':
      return `${quoted(problem.value)} is none of them`;
    case 'chosen-twice':
      return `${quoted(problem.value)} is there twice`;
    case 'unknown-field':
      return 'the form has no such field';
    default:
      return `${demandOf(problem)}, please`;
  }
}

type Content = Readonly<Record<string, Json>>;

export function reviewScreen(
  server: string,
  fields: readonly FormField[],
  content: Content,
): string {
  const lines = fields.map((field, index) => {
    const value = content[field.name];
    const shown = value === undefined ? '(nothing)' : shownValue(field, value);
    return `  ${index + 1}. ${visible(field.title)} = ${shown}`;
  });
  return [`Your answers to server ${quoted(server)}:`, ...lines, ''].join('\n');
}

function shownValue(field: InputField, value: Json | readonly string[]): string {
  if (field.kind === 'text' && field.soundsSecret) return '(not shown)';
  if (field.kind === 'boolean') return value === true ? 'yes' : 'no';
  if (!('options' in field))
    return visible(typeof value === 'string' ? value : JSON.stringify(value));
  // The value of a choice was validated: it is one text or several.
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [value as string];
  const titles = chosen.map(
    (one) => field.options.find((option) => option.value === one)?.title ?? one,
  );
  return titles.length === 0 ? '(none)' : visible(titles.join(', '));
}

function barred(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `  | ${visible(line)}`);
}
