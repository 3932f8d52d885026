// Reads the text of one message of a client, within bounds and in exactly one way.

import { parseJson } from '@plugboard/base';
import {
  hasDuplicateKeys,
  INVALID_REQUEST,
  PARSE_ERROR,
  readMessage,
  type RpcMessage,
} from '../message/index.ts';
import { MESSAGE_LIMITS } from './limits.ts';

export function readText(text: string): RpcMessage {
  const parsed = parseJson(text, MESSAGE_LIMITS);
  if (!parsed.ok)
    return unreadable(PARSE_ERROR, 'The message is not JSON, or it is too long or too deep');
  if (hasDuplicateKeys(text, parsed.value)) {
    return unreadable(INVALID_REQUEST, 'An object has the same key twice');
  }
  return readMessage(parsed.value);
}

function unreadable(code: number, message: string): RpcMessage {
  return { kind: 'unsound', id: null, error: { code, message } };
}
