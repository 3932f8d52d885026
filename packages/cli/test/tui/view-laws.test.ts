// Properties of everything that is drawn, whatever models, servers and users write.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@plugboard/base';
import type { FormField } from '@plugboard/host';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../src/print/width.ts';
import { drawApproval } from '../../src/tui/view/approval-lines.ts';
import { callLines } from '../../src/tui/view/call-lines.ts';
import { completionLines } from '../../src/tui/view/completion-lines.ts';
import { mcpPanelLines } from '../../src/tui/view/mcp-panel-lines.ts';
import { reasoningLines, userLines } from '../../src/tui/view/message-lines.ts';
import { noticeLines } from '../../src/tui/view/notice-lines.ts';
import { openingLines } from '../../src/tui/view/opening-lines.ts';
import { questionLines } from '../../src/tui/view/question-lines.ts';
import { type Canvas, type Line, toAnsi } from '../../src/tui/view/spans.ts';
import { statusWords } from '../../src/tui/view/status-words.ts';
import { DEFAULT_THEME, PLAIN_THEME } from '../../src/tui/view/theme.ts';
import { APPROVALS, CALLS, FORM, OPENING, PAGE, SERVERS } from './gallery/samples.ts';
import { forbiddenIn, nastyText, withoutStyles } from './nasty-text.ts';

const theme = DEFAULT_THEME;

type Draw = (text: string, canvas: Canvas) => readonly Line[];

function given(text: string): JsonObject {
  return { [text]: text, list: [text, 1, null], path: text, command: text };
}

const nastyFields = (text: string): readonly FormField[] =>
  FORM.fields.map((field) => ({
    ...field,
    title: text,
    description: text,
    ...('options' in field
      ? {
          options: [
            { value: 'a', title: text },
            { value: text, title: 'b' },
          ],
        }
      : {}),
  }));

const form = (text: string, field: number): Parameters<typeof questionLines>[1] => ({
  kind: 'form',
  form: { ...FORM, message: text, soundsSecret: true, fields: nastyFields(text) },
  state: {
    field,
    values: { name: text, regions: [text] },
    editor: { text, cursor: Math.min(3, text.length) },
    option: 0,
    problem: { kind: 'not-offered', value: text },
  },
});

const DRAWN: Readonly<Record<string, Draw>> = {
  user: (text, canvas) =>
    userLines(
      [
        { kind: 'text', text },
        { kind: 'attachment', label: text, text },
        { kind: 'image', mediaType: text, data: '' },
      ],
      canvas,
    ),
  reasoning: (text, canvas) => [
    ...reasoningLines(text, { ...canvas, isFolded: true }),
    ...reasoningLines(text, { ...canvas, isFolded: false }),
  ],
  call: (text, canvas) =>
    Object.values(CALLS).flatMap((call) =>
      [true, false].flatMap((isFolded) =>
        callLines(
          {
            ...call,
            agent: text,
            server: text,
            tool: text,
            arguments: given(text),
            progress: { done: 1, total: 3, message: text },
            answer: {
              id: '',
              tool: '',
              isError: false,
              parts: [
                { kind: 'text', text },
                { kind: 'image', mediaType: text, data: '' },
              ],
            },
          },
          { ...canvas, isFolded, now: 12_345 },
        ),
      ),
    ),
  approval: (text, canvas) =>
    [
      {},
      { editing: text, problem: text },
      { reason: text, cursor: 1 },
      { rows: 19, offset: 2 },
    ].flatMap(
      (state) =>
        drawApproval(
          {
            ...APPROVALS['change']!,
            server: text,
            tool: 'run_command',
            asker: text,
            why: text,
            arguments: given(text),
            preview: { path: text, before: 'a\nb\n', after: text },
          },
          { selected: 0, ...state },
          canvas,
        ).lines,
    ),
  form: (text, canvas) =>
    Array.from({ length: 7 }, (_, field) => questionLines(text, form(text, field), canvas)).flat(),
  page: (text, canvas) =>
    questionLines(
      text,
      {
        kind: 'page',
        page: { ...PAGE, message: text, url: text, host: text, readsAs: text },
        selected: 1,
      },
      canvas,
    ),
  panel: (text, canvas) =>
    SERVERS.flatMap((_, selected) =>
      mcpPanelLines(
        SERVERS.map((one) => ({ ...one, name: text, detail: text, source: text })),
        { selected, rows: 14, notice: { level: 'error', text, fix: text } },
        canvas,
      ),
    ),
  opening: (text, canvas) => [
    ...openingLines({ ...OPENING, folder: text, version: text, resumedFrom: text }, canvas),
    ...openingLines(
      { ...OPENING, model: { kind: 'none', problem: text, ways: [{ provider: text, set: text }] } },
      canvas,
    ),
  ],
  status: (text, canvas) => [
    statusWords(
      { model: text, tokens: 12_345, cost: 0.5, servers: SERVERS, busy: text, hint: text },
      canvas,
    ),
    statusWords({ model: text, servers: [] }, canvas),
  ],
  completion: (text, canvas) =>
    completionLines(
      Array.from({ length: 12 }, () => ({ text, label: text, detail: text })),
      9,
      canvas,
    ),
  notice: (text, canvas) => noticeLines({ level: 'warning', text, fix: text }, canvas),
};

describe('any text on the screen', () => {
  it.each(Object.entries(DRAWN))(
    'is drawn within the width, without terminal sequences: %s',
    (_, draw) => {
      fc.assert(
        fc.property(nastyText, fc.integer({ min: 1, max: 100 }), (text, width) => {
          const lines = draw(text, { width, theme }).map((line) => toAnsi(line, theme));
          expect(
            lines.find((line) => forbiddenIn(line) !== undefined || line.includes('\n')),
          ).toBeUndefined();
          // In fewer columns, signs and the text after them do not fit together.
          if (width < 12) return;
          expect(lines.filter((line) => widthOf(withoutStyles(line)) > width)).toEqual([]);
        }),
        { numRuns: 40 },
      );
    },
  );
});

describe('the first screen', () => {
  it('is plain without colour', () => {
    const drawn = (look: Canvas['theme']): string =>
      openingLines(OPENING, { width: 80, theme: look })
        .map((line) => toAnsi(line, look))
        .join('\n');
    expect(drawn(PLAIN_THEME)).not.toContain('\u001B');
    expect(drawn(DEFAULT_THEME)).toContain('\u001B[1mPlugboard');
  });

  it('does not import the code that draws the rest', () => {
    const seen = new Set<string>();
    const outside = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (?!type )[^;]*? from '([^']+)';/gms,
      )) {
        if (specifier.startsWith('.')) follow(fileURLToPath(new URL(specifier, `file://${file}`)));
        else outside.add(specifier);
      }
    };
    follow(fileURLToPath(new URL('../../src/tui/view/opening-lines.ts', import.meta.url)));
    // Contains only a table of widths.
    expect([...outside]).toEqual(['get-east-asian-width']);
  });
});
