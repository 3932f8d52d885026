// Computes the length of a value as indented JSON without writing it, and stops as soon as it is too
// long. Pure.

import { isObject, type Json } from '@plugboard/base';

const INDENT = 2;

/** Exact up to `most`; any larger number for a longer value. */
export function jsonLength(value: Json, most: number): number {
  return lengthAt(value, 0, most);
}

function lengthAt(value: Json, depth: number, most: number): number {
  if (typeof value === 'string') return textLength(value, most);
  if (Array.isArray(value)) return listLength(value, depth, most);
  if (isObject(value)) return objectLength(value, depth, most);
  return JSON.stringify(value).length;
}

function textLength(text: string, most: number): number {
  return text.length > most ? text.length : JSON.stringify(text).length;
}

function listLength(list: readonly Json[], depth: number, most: number): number {
  if (list.length === 0) return 2;
  let length = frameLength(list.length, depth);
  for (const item of list) {
    if (length > most) return length;
    length += lengthAt(item, depth + 1, most - length);
  }
  return length;
}

function objectLength(object: Readonly<Record<string, Json>>, depth: number, most: number): number {
  const keys = Object.keys(object);
  if (keys.length === 0) return 2;
  let length = frameLength(keys.length, depth);
  for (const key of keys) {
    if (length > most) return length;
    length += textLength(key, most - length) + ': '.length;
    length += lengthAt(object[key] ?? null, depth + 1, most - length);
  }
  return length;
}

/** Brackets, commas, and a line with its indent for each item and for the last bracket. */
function frameLength(items: number, depth: number): number {
  const itemLine = 1 + INDENT * (depth + 1);
  return 2 + (items - 1) + items * itemLine + 1 + INDENT * depth;
}
