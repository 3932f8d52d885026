// Converts an answer into images and text, in the order of the tool's result. Other parts are described in words.
// Providers refuse an empty answer, so there is always some content. Pure.

import type { CallOutcome } from '../host/index.ts';
import { type Answer, outcomeAnswer } from '../model-tools/index.ts';
import { type Part, partForModel, toText } from '../output/index.ts';

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly data: string; readonly mimeType: string };

/** The types that every provider accepts; other images are described in words. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

export function contentOf(answer: Answer): readonly Content[] {
  const content = partsForModel(answer)
    .map(toContent)
    .filter((each) => each.kind === 'image' || each.text !== '');
  return content.length > 0 ? content : [{ kind: 'text', text: NOTHING }];
}

/** The answer to a call, for a program with its own format. */
export interface AnswerContent {
  readonly isError: boolean;
  readonly content: readonly Content[];
}

/** `resultTool`: the name by which the model can call `read_result`; notes on cut results then mention it. */
export function answerContent(
  given: CallOutcome | Answer,
  { resultTool }: { readonly resultTool?: string } = {},
): AnswerContent {
  const answer = 'kind' in given ? outcomeAnswer(given) : given;
  const complete = resultTool === undefined ? answer : withResultTool(answer, resultTool);
  return { isError: complete.isError, content: contentOf(complete) };
}

/** The same answer, whose notes on cut results name the tool that reads the rest. */
export function withResultTool(answer: Answer, resultTool: string): Answer {
  const parts = answer.parts.map((part): Part => {
    if (part.kind !== 'note' || part.file === undefined) return part;
    const { id } = part.file;
    return { ...part, text: `${part.text} Read on or search in it: ${resultTool} {"id":"${id}"}` };
  });
  return { ...answer, parts };
}

/** For providers that accept only text. */
export function answerText(answer: Answer): string {
  return toText(partsForModel(answer)) || NOTHING;
}

/** An error is passed on unchanged. */
function partsForModel({ isError, parts, texts = 'verbatim' }: Answer): readonly Part[] {
  return isError ? parts : parts.map((part) => partForModel(part, texts));
}

const NOTHING = '(The tool gave no output.)';

function toContent(part: Part): Content {
  return part.kind === 'image' && IMAGES.has(part.mimeType)
    ? part
    : { kind: 'text', text: toText([part]) };
}
