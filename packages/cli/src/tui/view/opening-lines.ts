// The first screen as lines: the program, the folder and the model; without a model, what to set to get one, and what works
// without. Printed before the drawing library is loaded, so it must not import it.

import { widthOf } from '../../print/width.ts';
import type { ModelWay, Opening } from '../../chat/index.ts';
import { clean, cleanLine } from './clean.ts';
import { type Canvas, cutSpans, indented, inset, type Line, span, wrapSpans } from './spans.ts';
import type { Theme } from './theme.ts';

export function openingLines(opening: Opening, canvas: Canvas): readonly Line[] {
  const { width, theme } = canvas;
  const { model } = opening;
  const head: Line = [
    span(`${theme.symbols.key} `, { role: 'accent' }),
    span('Plugboard', { isBold: true }),
    span(` ${cleanLine(opening.version)}`, { role: 'dim' }),
  ];
  return [
    cutSpans(head, width, theme),
    [],
    ...factLines(openingFacts(opening), canvas),
    [],
    ...(model.kind === 'none' ? [...noModelLines(model, canvas), []] : []),
    ...indented(hintLines(opening, canvas), span('  ')),
  ];
}

interface Fact {
  readonly name: string;
  readonly value: string;
}

function openingFacts(opening: Opening): readonly Fact[] {
  const { folder, model, resumedFrom } = opening;
  return [
    { name: 'folder', value: folder },
    ...(model.kind === 'chosen' ? [{ name: 'model', value: model.name }] : []),
    ...serverFacts(opening),
    ...problemFacts(opening),
    ...(resumedFrom === undefined
      ? []
      : [{ name: 'resumed', value: `the conversation of ${resumedFrom}` }]),
  ];
}

/** The first problem in its own words, and how many more there are. */
function problemFacts({ problems }: Opening): readonly Fact[] {
  const [first] = problems;
  if (first === undefined) return [];
  const more = problems.length === 1 ? 'see /mcp' : `and ${problems.length - 1} more: see /mcp`;
  return [{ name: 'problem', value: `${first.text} (${more})` }];
}

/** The same numbers as in the status line. */
function serverFacts({ servers, untrusted = 0, builtIn }: Opening): readonly Fact[] {
  const usable = servers - untrusted;
  const blocked = {
    name: 'blocked',
    value: `${untrusted} of this folder, not trusted yet: see /mcp`,
  };
  const own = usable <= 0 ? '' : `${usable} of yours, connected with your first message; `;
  const known = { name: 'servers', value: `${own}${builtIn} built in` };
  return untrusted === 0 ? [known] : [known, blocked];
}

const FACT_INDENT = 11;

function factLines(facts: readonly Fact[], { width, theme }: Canvas): readonly Line[] {
  const room = Math.max(1, width - FACT_INDENT);
  return facts.flatMap(({ name, value }) =>
    indented(
      wrapSpans([span(shortPath(cleanLine(value), room, theme))], room),
      span(`  ${name.padEnd(FACT_INDENT - 2)}`, { role: 'dim' }),
      span(' '.repeat(FACT_INDENT)),
    ).map((line) => cutSpans(line, width, theme)),
  );
}

/** Cuts a long path at its beginning, since its end says more. */
function shortPath(text: string, columns: number, { symbols }: Theme): string {
  if (widthOf(text) <= columns || !/^[~/]|^[A-Z]:\\/.test(text)) return text;
  const parts = text.split(/(?=[/\\])/);
  while (parts.length > 1 && widthOf(parts.join('')) > columns - widthOf(symbols.ellipsis))
    parts.shift();
  return `${symbols.ellipsis}${parts.join('')}`;
}

type NoModel = Extract<Opening['model'], { readonly kind: 'none' }>;

function noModelLines({ ways, problem }: NoModel, canvas: Canvas): readonly Line[] {
  const inside = inset(canvas, 2);
  const sign = span(`${canvas.theme.symbols.warning} `, { role: 'warning' });
  const title = problem === undefined ? 'No model yet' : clean(problem).trim();
  return [
    ...indented(wrapSpans([span(title, { isBold: true })], inside.width), sign),
    ...indented(
      [
        ...wrapSpans(
          [span('To talk with a model, set one of these and start again:')],
          inside.width,
        ),
        [],
        ...wayLines(ways, inside),
        [],
        ...wrapSpans([span('Without a model, these work all the same:')], inside.width),
        [],
        ...commandLines(inside),
      ],
      span('  '),
    ),
  ];
}

function wayLines(ways: readonly ModelWay[], { width }: Canvas): readonly Line[] {
  const column = Math.max(0, ...ways.map(({ provider }) => widthOf(cleanLine(provider))));
  return ways.flatMap(({ provider, set }) => {
    const name = cleanLine(provider);
    const isBeside = width - column - 2 >= 30;
    const lines = wrapSpans(
      [span(cleanLine(set), { role: 'accent' })],
      isBeside ? width - column - 2 : width - 2,
    );
    if (!isBeside) return [...wrapSpans([span(name)], width), ...indented(lines, span('  '))];
    return indented(lines, span(`${name}${' '.repeat(column - widthOf(name))}  `));
  });
}

const WITHOUT_MODEL = [
  ['/mcp', 'servers: how they are, sign in, switch on and off'],
  ['/tools', 'the tools that they offer'],
  ['/call', 'call a tool by hand'],
  ['/search', 'search the code of this folder'],
  ['/read', 'read a resource of a server'],
] as const;

function commandLines({ width, theme }: Canvas): readonly Line[] {
  return WITHOUT_MODEL.map(([command, words]) =>
    cutSpans(
      [span(command.padEnd(9), { role: 'accent' }), span(words, { role: 'dim' })],
      width,
      theme,
    ),
  );
}

function hintLines({ servers, model }: Opening, { width, theme }: Canvas): readonly Line[] {
  const { dot } = theme.symbols;
  // Mentions are only useful with a model.
  const mention = model.kind === 'none' ? [] : ['@ for files and resources'];
  const hints = ['/ for commands', ...mention, '/help for keys'];
  const more = servers === 0 ? ['plugboard add for servers'] : [];
  return wrapSpans([span([...hints, ...more].join(` ${dot} `), { role: 'dim' })], width - 2);
}
