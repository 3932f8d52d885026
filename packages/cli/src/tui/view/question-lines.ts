// The question of a server as lines: the server, its message, each field with its constraints and value, and the answers. Text
// of the server stands behind a bar or after a label, without invisible characters.

import type { FieldProblem, FormField, Json } from '@plugboard/base';
import type { AskedForm, AskedPage } from '@plugboard/host';
import { hintsOf, pageWarning, problemWords } from '../../print/question-screen.ts';
import { visible } from '../../print/visible.ts';
import { widthOf } from '../../print/width.ts';
import { choiceLines, keyHints, typedLines } from './choice-lines.ts';
import {
  barred,
  type Canvas,
  cutSpans,
  indented,
  inset,
  type Line,
  span,
  spread,
  wrapSpans,
} from './spans.ts';
import { windowFrom } from './window.ts';

export interface FormLook {
  /** The index of the current field; the number of fields for the last row, which sends or declines. */
  readonly field: number;
  readonly values: Readonly<Record<string, Json>>;
  /** The text of the current field, if it takes text. */
  readonly editor: { readonly text: string; readonly cursor: number };
  /** The option under the cursor in the current field; in the last row, send or decline. */
  readonly option: number;
  /** The problem with the current field. */
  readonly problem?: FieldProblem;
}

export interface FormQuestion {
  readonly kind: 'form';
  readonly form: AskedForm;
  readonly state: FormLook;
}

export interface PageQuestion {
  readonly kind: 'page';
  readonly page: AskedPage;
  /** 0: open the page, 1: decline. */
  readonly selected: number;
}

export interface QuestionCanvas extends Canvas {
  /** The maximum number of rows; unlimited by default. */
  readonly rows?: number | undefined;
}

export function questionLines(
  server: string,
  question: FormQuestion | PageQuestion,
  canvas: QuestionCanvas,
): readonly Line[] {
  return question.kind === 'form'
    ? formLines(server, question, canvas)
    : pageLines(server, question, canvas);
}

function headLine(server: string, words: string, canvas: Canvas): Line {
  const { key } = canvas.theme.symbols;
  return [
    span(`${key} `, { role: 'accent' }),
    span(visible(server), { isBold: true }),
    span(` ${words}`),
  ];
}

function barredLines(text: string, canvas: Canvas): readonly Line[] {
  if (text.trim() === '') return [];
  const shown = text
    .split('\n')
    .map((line) => visible(line))
    .join('\n');
  return barred(wrapSpans([span(shown)], canvas.width - 4), canvas.theme);
}

function describedLines(text: string, canvas: Canvas): readonly Line[] {
  // The whole field is already indented by two columns.
  return barredLines(text, { ...canvas, width: canvas.width + 2 }).map(([bar, ...rest]) => [
    span((bar?.text ?? '').trimStart(), { role: 'dim' }),
    ...rest,
  ]);
}

function warningLines(words: string, canvas: Canvas): readonly Line[] {
  const sign = span(`${canvas.theme.symbols.warning} `, { role: 'warning' });
  return indented(wrapSpans([span(words, { role: 'warning' })], canvas.width - 2), sign);
}

function formLines(
  server: string,
  { form, state }: FormQuestion,
  canvas: QuestionCanvas,
): readonly Line[] {
  const { fields } = form;
  const place = state.field < fields.length ? `${state.field + 1} of ${fields.length}` : '';
  const head = spread(headLine(server, 'asks', canvas), [span(place, { role: 'dim' })], {
    columns: canvas.width,
    theme: canvas.theme,
  });
  const isSending = state.field >= fields.length;
  const widest = Math.max(0, ...fields.map(({ title }) => widthOf(visible(title))));
  const titles = Math.min(widest, MOST_TITLE, Math.floor(canvas.width / 2));
  const above = [
    head,
    ...messageLines(form.message, canvas),
    ...(form.soundsSecret ? [[], ...warningLines(SECRET_WARNING, canvas)] : []),
    [],
  ];
  const below = [
    ...(fields.length === 0 ? [] : [[]]),
    ...choiceLines(SEND_CHOICES, isSending ? state.option : -1, canvas),
    [],
    ...keyHints(
      isSending
        ? ['arrows and Enter', 'Shift-Tab back', 'Esc cancels']
        : hintsFor(fields[state.field]),
      canvas,
    ),
  ];
  const all = fields.map((field, index) =>
    fieldLines(field, { index, last: fields.length - 1, titles, state }, canvas),
  );
  const { rows = Number.POSITIVE_INFINITY } = canvas;
  const shown = fittingFields(all, state.field, {
    room: rows - above.length - below.length,
    canvas,
  });
  return [...above, ...shown, ...below];
}

/** Cuts a long message of the server: the fields below it matter more. */
function messageLines(message: string, canvas: QuestionCanvas): readonly Line[] {
  const lines = barredLines(message, canvas);
  const most = Math.max(2, Math.floor((canvas.rows ?? Number.POSITIVE_INFINITY) / 3));
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), moreLine(lines.length - most + 1, 'lines', canvas)];
}

function moreLine(count: number, what: string, { width, theme }: Canvas): Line {
  const words = `  ${theme.symbols.ellipsis} ${count} more ${what}`;
  return cutSpans([span(words, { role: 'dim' })], width, theme);
}

/** The current field, and as many around it as there is room for. */
function fittingFields(
  fields: readonly (readonly Line[])[],
  current: number,
  { room, canvas }: { readonly room: number; readonly canvas: Canvas },
): readonly Line[] {
  const rowsOf = (from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, lines) => sum + lines.length, 0);
  if (rowsOf(0, fields.length) <= room) return fields.flat();
  // Two rows say how many fields are left out above and below.
  const most = room - 2;
  let from = Math.min(current, fields.length - 1);
  let to = from + 1;
  for (;;) {
    if (to < fields.length && rowsOf(from, to + 1) <= most) to += 1;
    else if (from > 0 && rowsOf(from - 1, to) <= most) from -= 1;
    else break;
  }
  return [
    ...(from === 0 ? [] : [moreLine(from, 'above', canvas)]),
    ...fields.slice(from, to).flat(),
    ...(to === fields.length ? [] : [moreLine(fields.length - to, 'below', canvas)]),
  ];
}

const SEND_CHOICES = [
  { key: '', label: 'Send' },
  { key: '', label: 'Decline' },
];

const SECRET_WARNING =
  'It seems to want a password or a token. Servers must not ask for those like this: decline, unless you know why it does.';

function hintsFor(field: FormField | undefined): readonly string[] {
  const last = ['Shift-Tab back', 'Esc cancels'];
  switch (field?.kind) {
    case 'choice':
      return ['arrows choose', 'Enter goes on', ...last];
    case 'choices':
      return ['arrows move', 'Space chooses', 'Enter goes on', ...last];
    case 'boolean':
      return ['y or n', 'Enter goes on', ...last];
    default:
      return ['Enter goes on', ...last];
  }
}

/** Unlike `hintsOf`, for options that are chosen and not typed as numbers. */
function fieldHints(field: FormField): readonly string[] {
  const need = field.isRequired ? [] : ['optional'];
  switch (field.kind) {
    case 'text':
    case 'number':
      return hintsOf(field);
    case 'boolean':
      return ['yes or no', ...need];
    case 'choice':
      return ['one of these', ...need];
    case 'choices': {
      const { minItems: least, maxItems: most } = field;
      const bounds = [
        ...(least === undefined || least === 0 ? [] : [`at least ${least}`]),
        ...(most === undefined ? [] : [`at most ${most}`]),
      ];
      return [...(bounds.length === 0 ? ['any of these'] : bounds), ...need];
    }
    default:
      return field satisfies never;
  }
}

interface FieldPlace {
  readonly index: number;
  readonly last: number;
  /** The width of the widest title. */
  readonly titles: number;
  readonly state: FormLook;
}

const MOST_TITLE = 30;

function fieldLines(
  field: FormField,
  { index, last, titles, state }: FieldPlace,
  canvas: Canvas,
): readonly Line[] {
  const isCurrent = state.field === index;
  const { pointer } = canvas.theme.symbols;
  const sign = span(isCurrent ? `${pointer} ` : '  ', { role: 'accent', isBold: true });
  const title = span(visible(field.title), isCurrent ? { isBold: true } : {});
  const inside = inset(canvas, 2);
  if (!isCurrent) {
    const given = valueWords(field, state.values, canvas);
    const gap = ' '.repeat(Math.max(2, titles + 3 - widthOf(title.text)));
    return [cutSpans([sign, title, span(gap), given], canvas.width, canvas.theme)];
  }
  const hints = span(`  ${fieldHints(field).join(', ')}`, { role: 'dim' });
  const problem =
    state.problem === undefined
      ? []
      : wrapSpans([span(visible(problemWords(state.problem)), { role: 'bad' })], inside.width);
  return [
    ...(index === 0 ? [] : [[]]),
    ...indented(wrapSpans([title, hints], inside.width), sign),
    ...indented(
      [
        ...describedLines(field.description ?? '', inside),
        ...inputLines(field, state, inside),
        ...problem,
      ],
      span('  '),
    ),
    ...(index === last ? [] : [[]]),
  ];
}

function valueWords(
  field: FormField,
  values: FormLook['values'],
  { theme }: Canvas,
): ReturnType<typeof span> {
  const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
  if (value === undefined) return span(field.isRequired ? 'needed' : 'optional', { role: 'dim' });
  if (field.kind === 'text' && field.soundsSecret) return span('(not shown)', { role: 'dim' });
  if (field.kind === 'boolean') return span(value === true ? 'yes' : 'no');
  if (!('options' in field))
    return span(visible(typeof value === 'string' ? value : JSON.stringify(value)));
  const chosen: readonly Json[] = Array.isArray(value) ? value : [value];
  const titles = field.options
    .filter((option) => chosen.includes(option.value))
    .map(({ title }) => visible(title));
  return titles.length === 0
    ? span('none', { role: 'dim' })
    : span(titles.join(` ${theme.symbols.dot} `));
}

function inputLines(field: FormField, state: FormLook, canvas: Canvas): readonly Line[] {
  const { symbols } = canvas.theme;
  switch (field.kind) {
    case 'text':
    case 'number': {
      const { text, cursor } = state.editor;
      const isSecret = field.kind === 'text' && field.soundsSecret;
      return typedLines(
        isSecret ? { text: '*'.repeat(text.length), cursor } : { text, cursor },
        canvas,
      );
    }
    case 'boolean': {
      const value = Object.hasOwn(state.values, field.name) ? state.values[field.name] : undefined;
      const mark = (isOn: boolean): string => (isOn ? symbols.chosen : symbols.unchosen);
      return [
        cutSpans(
          [span(`${mark(value === true)} yes   ${mark(value === false)} no`)],
          canvas.width,
          canvas.theme,
        ),
      ];
    }
    case 'choice':
    case 'choices':
      return optionLines(field, state, canvas);
    default:
      return field satisfies never;
  }
}

type ChoiceField = Extract<FormField, { readonly options: unknown }>;

const MOST_OPTIONS = 8;

/** As many as fit, including the current one. */
function optionLines(field: ChoiceField, state: FormLook, canvas: Canvas): readonly Line[] {
  const { symbols } = canvas.theme;
  const given = Object.hasOwn(state.values, field.name) ? state.values[field.name] : undefined;
  const chosen: readonly Json[] = Array.isArray(given) ? given : [];
  const start = state.option - MOST_OPTIONS + 2;
  const { shown, above } = windowFrom(field.options, start, MOST_OPTIONS);
  const lines = shown.map((option, index) => {
    const isCurrent = above + index === state.option;
    const isOn = field.kind === 'choice' ? isCurrent : chosen.includes(option.value);
    const marks =
      field.kind === 'choice'
        ? [symbols.unchosen, symbols.chosen]
        : [symbols.unchecked, symbols.checked];
    return cutSpans(
      [
        span(isCurrent ? `${symbols.pointer} ` : '  ', { role: 'accent' }),
        span(`${marks[isOn ? 1 : 0] ?? ''} `, isOn ? { role: 'accent' } : { role: 'dim' }),
        span(visible(option.title), isCurrent ? { isBold: true } : {}),
      ],
      canvas.width,
      canvas.theme,
    );
  });
  const hidden = field.options.length - lines.length;
  return hidden <= 0
    ? lines
    : [
        ...lines,
        cutSpans(
          [span(`  ${symbols.ellipsis} ${hidden} more`, { role: 'dim' })],
          canvas.width,
          canvas.theme,
        ),
      ];
}

function pageLines(
  server: string,
  { page, selected }: PageQuestion,
  canvas: QuestionCanvas,
): readonly Line[] {
  const inside = canvas.width - 11;
  const row = (label: string, lines: readonly Line[]): readonly Line[] =>
    indented(lines, span(`  ${label.padEnd(9)}`, { role: 'dim' }));
  return [
    ...wrapSpans(headLine(server, 'wants you to visit a page', canvas), canvas.width),
    ...messageLines(page.message, canvas),
    [],
    ...row('host', wrapSpans([span(visible(page.host), { isBold: true, role: 'accent' })], inside)),
    ...row('address', wrapSpans([span(visible(page.url))], inside)),
    ...page.warnings.flatMap((warning) => [
      [],
      ...warningLines(pageWarning(warning, page), canvas),
    ]),
    [],
    ...choiceLines(
      [
        { key: 'o', label: 'Open it in your browser' },
        { key: 'd', label: 'Decline' },
      ],
      selected,
      canvas,
    ),
    [],
    ...keyHints(['arrows and Enter, or the letter', 'Esc cancels'], canvas),
  ];
}
