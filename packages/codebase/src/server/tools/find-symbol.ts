// `find_symbol`: where a name is declared, and on request who calls or uses it, each use with its enclosing symbol.

import { toolFailure } from '@plugboard/base';
import { z } from 'zod';
import {
  type FoundSymbol,
  parseNamePath,
  signatureAt,
  type SymbolIndex,
  type SymbolUse,
} from '../../symbols/index.ts';
import { maxTokens, TextBudget } from './budget.ts';
import { SourceLines } from './source-lines.ts';
import {
  servedNote,
  type ServedReferences,
  servedReferences,
  usesAt,
} from './served-references.ts';
import { defineTool, inputOf } from './tool.ts';
import { indexCoverage, reportIndexing } from './progress.ts';
import { shownPath } from './shown-path.ts';

const MOST_DEFINITIONS = 40;
const MOST_OTHERS = 10;

interface ShownUse {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly in?: string;
  readonly is_call: boolean;
}

export const findSymbol = defineTool({
  name: 'find_symbol',
  title: 'Find a symbol and its references',
  description:
    'Finds where a function, class, method, type or constant is declared, by its name or name path, in every language. ' +
    'With references it also lists who calls or uses it, with line and enclosing symbol. ' +
    'Example: {"name": "Model.save", "references": "callers"}. Says when several share the name.',
  input: inputOf({
    name: z
      .string()
      .trim()
      .min(1)
      .max(400)
      .describe('"save", "Model.save", "http.Server/listen"; folders and files may come first'),
    references: z
      .enum(['none', 'callers', 'all'])
      .default('none')
      .describe('callers: calls only; all: every use'),
    path: z.string().optional().describe('Only declarations in this file or folder'),
    max_results: z.int().min(1).max(1000).default(100).describe('References to list'),
    max_tokens: maxTokens(4000),
  }),
  async run(input, call) {
    const { parts, signal } = call;
    const namePath = parseNamePath(input.name);
    if (namePath === undefined) return toolFailure('name has no letters; example: "Model.save"');
    const under = parts.root.normal(input.path ?? '.');
    if (!under.ok) return toolFailure(under.error.message);
    using _ = reportIndexing(call);
    const index = await parts.index.symbols(signal);
    const { definitions, others, near } = index.find(namePath, under.value);
    const coverage = await indexCoverage(parts);
    if (definitions.length === 0) return noSuchSymbol(input.name, { others, near, coverage });
    const source = new SourceLines(parts.root);
    const budget = new TextBudget(input.max_tokens);
    const declared = await withSignatures(definitions, source, budget);
    const used =
      input.references === 'none'
        ? undefined
        : await referencesTo(definitions, {
            ...{ index, source, budget, ...input },
            served: await servedReferences(definitions, { parts, source, signal }),
          });
    return {
      kind: 'done',
      text: [
        declaredText(declared, definitions.length),
        ...(used?.lines ?? []),
        ...coverage.notes,
      ].join('\n'),
      data: {
        definitions: declared.map(({ text: _text, ...rest }) => rest),
        total: definitions.length,
        is_ambiguous: definitions.length > 1,
        ...used?.data,
        ...coverage.data,
      },
    };
  },
});

type ShownDefinition = ReturnType<typeof definitionData> & {
  readonly signature: string;
  readonly text: string;
};

function definitionData({ file, path, kind, line, startLine, endLine }: FoundSymbol) {
  return { path: file, symbol: path, kind, line, start_line: startLine, end_line: endLine };
}

async function withSignatures(
  definitions: readonly FoundSymbol[],
  source: SourceLines,
  budget: TextBudget,
): Promise<readonly ShownDefinition[]> {
  const shown: ShownDefinition[] = [];
  for (const one of definitions.slice(0, MOST_DEFINITIONS)) {
    const signature = signatureAt(await source.of(one.file), one.line);
    const text = `${shownPath(one.file)}:${one.line}-${one.endLine} ${one.kind} ${one.path}\n  ${one.line}| ${signature}`;
    if (!budget.take(text) && shown.length > 0) break;
    shown.push({ ...definitionData(one), signature, text });
  }
  return shown;
}

function declaredText(shown: readonly ShownDefinition[], total: number): string {
  const rest = total - shown.length;
  return [
    ...(total > 1 ? [`${total} symbols have this name; more of its path tells them apart.`] : []),
    ...shown.map(({ text }) => text),
    ...(rest > 0 ? [`${rest} more are not listed: name more of the path, or pass path.`] : []),
  ].join('\n');
}

interface NoSymbol {
  readonly others: readonly FoundSymbol[];
  readonly near: readonly string[];
  readonly coverage: Awaited<ReturnType<typeof indexCoverage>>;
}

function noSuchSymbol(name: string, { others, near, coverage }: NoSymbol) {
  const known = others
    .slice(0, MOST_OTHERS)
    .map((one) => `${one.path} in ${shownPath(one.file)}:${one.line}`);
  const hint =
    known.length > 0
      ? `Of that name there is ${known.join('; ')}.`
      : near.length > 0
        ? `In other letters there is ${near.join(', ')}.`
        : 'Try search_code for its text, or search_by_embedding for what it does.';
  return {
    kind: 'done' as const,
    text: [
      `No symbol ${JSON.stringify(name)} is declared in the files that were read. ${hint}`,
      ...coverage.notes,
    ].join('\n'),
    data: {
      definitions: [],
      total: 0,
      is_ambiguous: false,
      others: others.slice(0, MOST_OTHERS).map(definitionData),
      near: [...near],
      ...coverage.data,
    },
  };
}

interface ReferenceRequest {
  readonly index: SymbolIndex;
  readonly source: SourceLines;
  readonly budget: TextBudget;
  readonly references: 'none' | 'callers' | 'all';
  readonly max_results: number;
  /** The references from language servers; `undefined` if none was asked. */
  readonly served: ServedReferences | undefined;
}

async function referencesTo(definitions: readonly FoundSymbol[], request: ReferenceRequest) {
  const { index, references, max_results } = request;
  const named = index.uses(definitions);
  const byServer = request.served?.kind === 'found' ? request.served : undefined;
  const all = byServer === undefined ? named.uses : usesAt(byServer.places, named.uses, index);
  const { rivals, isOutsideName } =
    byServer === undefined ? named : { rivals: [], isOutsideName: false };
  const wanted = references === 'callers' ? all.filter(({ isCall }) => isCall) : all;
  // A line is listed once, however often it contains the name.
  const uses = wanted.filter(
    ({ file, line }, at) => file !== wanted[at - 1]?.file || line !== wanted[at - 1]?.line,
  );
  const files = new Set(uses.map(({ file }) => file)).size;
  const what = references === 'callers' ? 'calls' : 'uses';
  const head = `${uses.length} ${what} in ${files} files${uses.length === 0 ? '.' : ':'}`;
  const doubt = rivals
    .slice(0, MOST_OTHERS)
    .map((one) => `${one.path} (${shownPath(one.file)}:${one.line})`);
  const isDoubtful =
    byServer === undefined && (definitions.length > 1 || rivals.length > 0 || isOutsideName);
  const owners =
    doubt.length > 0
      ? `another of that name: ${doubt.join(', ')}`
      : isOutsideName
        ? 'values of the language or of a library, or to an attribute, which have that name as well'
        : 'any of these';
  const warning = isDoubtful
    ? [`Ambiguous: names are compared, not types. Some may belong to ${owners}.`]
    : [];
  const { shown, lines } = await shownUses(uses.slice(0, max_results), request);
  const rest = uses.length - shown.length;
  return {
    lines: [
      '',
      head,
      ...servedNote(request.served),
      ...warning,
      ...lines,
      ...(rest > 0 ? [`${rest} more are not listed.`] : []),
    ],
    data: {
      references: shown,
      references_total: uses.length,
      references_files: files,
      references_ambiguous: isDoubtful,
      ...(byServer === undefined ? {} : { references_by: byServer.by }),
      ...(rivals.length === 0 ? {} : { rivals: rivals.slice(0, MOST_OTHERS).map(definitionData) }),
    },
  };
}

async function shownUses(
  uses: readonly SymbolUse[],
  { index, source, budget }: ReferenceRequest,
): Promise<{ readonly shown: readonly ShownUse[]; readonly lines: readonly string[] }> {
  const shown: ShownUse[] = [];
  const lines: string[] = [];
  for (const file of new Set(uses.map((use) => use.file))) {
    const own = uses.filter((use) => use.file === file);
    const around = index.around(
      file,
      own.map(({ line }) => line),
    );
    if (!budget.take(file)) break;
    lines.push(shownPath(file));
    for (const { line, isCall } of own) {
      const inside = around.get(line)?.path;
      const text = await source.line(file, line);
      const words = `  ${line}| ${text}${inside === undefined ? '' : `  (in ${inside})`}`;
      if (!budget.take(words)) return { shown, lines };
      lines.push(words);
      shown.push({
        ...{ path: file, line, text },
        ...(inside === undefined ? {} : { in: inside }),
        is_call: isCall,
      });
    }
  }
  return { shown, lines };
}
