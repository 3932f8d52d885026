// A value from a server, short enough for a message.

const SHOWN_LENGTH = 60;

export function shortJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').slice(0, SHOWN_LENGTH);
}
