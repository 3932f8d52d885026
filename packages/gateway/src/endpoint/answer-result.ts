// An answer to a model as the result of a call of a tool. Pure.

import type { JsonObject } from '@plugboard/base';
import type { AnswerContent } from '@plugboard/host/adapters';

export function answerResult({ isError, content }: AnswerContent): JsonObject {
  return {
    content: content.map((part) =>
      part.kind === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image', data: part.data, mimeType: part.mimeType },
    ),
    ...(isError ? { isError } : {}),
  };
}
