// Estimates the size of a message as JSON without writing it, so that long texts cost nothing.

export function sizeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length + 2;
    case 'number':
      return String(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      return Array.isArray(value) ? sizeOfList(value) : sizeOfObject(value);
    default:
      // JSON omits it.
      return 0;
  }
}

function sizeOfList(list: readonly unknown[]): number {
  let size = 2 + Math.max(0, list.length - 1);
  for (const item of list) size += sizeOf(item);
  return size;
}

/** Avoids `Object.entries`, because this runs for every call. */
function sizeOfObject(object: object): number {
  let size = 1;
  for (const key in object) {
    const value = (object as Readonly<Record<string, unknown>>)[key];
    // Quotes, colon, and a comma or the closing brace.
    if (value !== undefined && Object.hasOwn(object, key)) size += key.length + 4 + sizeOf(value);
  }
  return Math.max(2, size);
}
