// Classifies errors of the SDK by type, code and status. Pure.

import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/client';
import { isObject, parseJson } from '@plugboard/base';
import { type FailureContext, rpcFailure } from './classify.ts';
import { UNREADABLE } from './frame/failed-answer.ts';
import { firstWords, type ProtocolFailure } from './neutral/failure.ts';

/** Returns `undefined` for a value that is not an error of the SDK. */
export function sdkFailureOf(
  thrown: unknown,
  context: FailureContext,
): ProtocolFailure | undefined {
  if (thrown instanceof UnsupportedProtocolVersionError) {
    return { kind: 'wrong-era', wanted: 'modern', detail: firstWords(thrown.message) };
  }
  if (thrown instanceof ProtocolError) return rpcFailure(thrown);
  if (thrown instanceof SdkHttpError) {
    const refusal = refusalIn(thrown.data['text']);
    const { status } = thrown;
    return {
      kind: 'http',
      url: context.url,
      status,
      ...(refusal === undefined ? {} : { refusal }),
    };
  }
  if (thrown instanceof SdkError) return sdkFailure(thrown, context);
  // The SDK throws this for a body that is not a message; its text is a report for programmers.
  if (isObject(thrown) && thrown['name'] === 'ZodError') return UNREADABLE;
  return undefined;
}

/** The JSON-RPC error in the body of an HTTP error. */
function refusalIn(body: unknown): { code: number; message: string } | undefined {
  if (typeof body !== 'string') return undefined;
  const parsed = parseJson(body, { maxLength: 64 * 1024, maxDepth: 64 });
  const error = parsed.ok && isObject(parsed.value) ? parsed.value['error'] : undefined;
  if (!isObject(error)) return undefined;
  const { code, message } = error;
  return typeof code === 'number' && typeof message === 'string' && message !== ''
    ? { code, message: firstWords(message) }
    : undefined;
}

function sdkFailure(error: SdkError, context: FailureContext): ProtocolFailure {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return { kind: 'timeout', ms: context.timeoutMs };
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.ConnectionClosed:
      return context.end() ?? { kind: 'closed' };
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return { kind: 'invalid-result', detail: firstWords(error.message) };
    case SdkErrorCode.EraNegotiationFailed:
      return eraFailure(error, context.end());
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return { kind: 'not-mcp', url: context.url, contentType: contentTypeOf(error.data) };
    default:
      return context.end() ?? { kind: 'unexpected', message: firstWords(error.message) };
  }
}

/** The SDK closes the connection if negotiation fails; only an end that the server caused says more. */
function eraFailure(error: SdkError, end: ProtocolFailure | undefined): ProtocolFailure {
  if (end !== undefined && end.kind !== 'closed') return end;
  return { kind: 'wrong-era', wanted: 'modern', detail: firstWords(error.message) };
}

function contentTypeOf(data: unknown): string {
  return isObject(data) && typeof data['contentType'] === 'string'
    ? firstWords(data['contentType'])
    : '';
}
