// The stream of generateContent of Gemini. https://ai.google.dev/api/generate-content

import {
  dataLine,
  type FailureTable,
  type FullCall,
  type FullUsage,
  type StopReason,
  type Wire,
  type WireFailure,
} from './wire.ts';

const STOPS: Readonly<Record<StopReason, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  filtered: 'SAFETY',
};

export class GoogleWire implements Wire {
  readonly #model: string;
  #isMalformed = false;

  constructor(model: string) {
    this.#model = model;
  }

  begin(): string {
    return '';
  }

  text(delta: string): string {
    return this.#parts([{ text: delta }]);
  }

  reasoning(text: string): string {
    return this.#parts([{ text, thought: true }]);
  }

  /** Arguments are an object, so invalid ones appear only in the end of the answer. */
  call(call: FullCall): string {
    if (typeof call.arguments === 'string') {
      this.#isMalformed = true;
      return '';
    }
    const functionCall = { id: call.id, name: call.tool, args: call.arguments };
    return this.#parts([{ functionCall, thoughtSignature: 'dGhvdWdodA==' }]);
  }

  end(stop: StopReason, usage: FullUsage): string {
    const finishReason = this.#isMalformed ? 'MALFORMED_FUNCTION_CALL' : STOPS[stop];
    const usageMetadata = {
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
      cachedContentTokenCount: usage.cacheRead,
    };
    const content = { parts: [{ text: '' }], role: 'model' };
    return this.#chunk({ candidates: [{ content, finishReason, index: 0 }], usageMetadata });
  }

  failure({ body }: WireFailure): string {
    return dataLine(body);
  }

  #parts(parts: readonly object[]): string {
    return this.#chunk({ candidates: [{ content: { parts, role: 'model' }, index: 0 }] });
  }

  #chunk(fields: object): string {
    return dataLine({ ...fields, modelVersion: this.#model, responseId: 'scripted' });
  }
}

function failure(code: number, status: string, message: string): WireFailure {
  return { status: code, body: { error: { code, message, status } } };
}

const BAD_KEY = {
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason: 'API_KEY_INVALID',
  domain: 'googleapis.com',
};

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
export const GOOGLE_FAILURES: FailureTable = {
  'bad-key': {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'API key not valid. Please pass a valid API key.',
        status: 'INVALID_ARGUMENT',
        details: [BAD_KEY],
      },
    },
  },
  'no-access': failure(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  'unknown-model': failure(404, 'NOT_FOUND', 'models/gemini-nonesuch is not found'),
  'context-overflow': failure(
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ),
  'no-credit': failure(402, 'FAILED_PRECONDITION', 'Billing is not enabled for this project'),
  'rate-limited': failure(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota'),
  overloaded: failure(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  'server-error': failure(500, 'INTERNAL', 'An internal error has occurred'),
};
