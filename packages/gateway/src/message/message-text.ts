// A message as text. A result that is passed on untouched is written as its server wrote it.

import { isObject } from '@plugboard/base';
import { resultText } from '@plugboard/host/relay';

export function messageText(message: object): string {
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  const text = isObject(result) ? resultText(result) : undefined;
  return text === undefined
    ? JSON.stringify(message)
    : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}
