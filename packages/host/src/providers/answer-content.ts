// An answer as pictures and text, in the order in which the tool gave them. What is neither is named in
// words. Providers refuse an answer without anything in it, so there is always something. Pure.

import type { CallOutcome } from '../host/index.ts';
import { type Answer, outcomeAnswer } from '../model-tools/index.ts';
import { type Part, partForModel, toText } from '../output/index.ts';

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string };

/** What every provider takes. Others are named in words. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

export function contentOf(answer: Answer): readonly Content[] {
  const content = partsForModel(answer)
    .map(toContent)
    .filter((each) => each.kind === 'image' || each.text !== '');
  return content.length > 0 ? content : [{ kind: 'text', text: NOTHING }];
}

/** What a call came to, for a program with its own form. */
export interface AnswerContent {
  readonly isError: boolean;
  readonly content: readonly Content[];
}

/** `resultTool`: by what name the model can call `read_result`; notes on cut results then say so. */
export function answerContent(
  given: CallOutcome | Answer,
  { resultTool }: { readonly resultTool?: string } = {},
): AnswerContent {
  const answer = 'kind' in given ? outcomeAnswer(given) : given;
  const told = resultTool === undefined ? answer : withWayOn(answer, resultTool);
  return { isError: told.isError, content: contentOf(told) };
}

/** The same answer, whose notes on cut results name the tool that reads on. */
export function withWayOn(answer: Answer, resultTool: string): Answer {
  const parts = answer.parts.map((part): Part => {
    if (part.kind !== 'note' || part.file === undefined) return part;
    const { id } = part.file;
    return { ...part, text: `${part.text} Read on or search in it: ${resultTool} {"id":"${id}"}` };
  });
  return { ...answer, parts };
}

/** For providers that take only text. */
export function answerText(answer: Answer): string {
  return toText(partsForModel(answer)) || NOTHING;
}

/** An error is read as it came. */
function partsForModel({ isError, parts, texts = 'verbatim' }: Answer): readonly Part[] {
  return isError ? parts : parts.map((part) => partForModel(part, texts));
}

const NOTHING = '(The tool gave no output.)';

function toContent(part: Part): Content {
  return part.kind === 'image' && IMAGES.has(part.mimeType)
    ? part
    : { kind: 'text', text: toText([part]) };
}
