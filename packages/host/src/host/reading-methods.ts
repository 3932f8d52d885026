// The methods with which a client only reads. Their requests can be sent again after a lost connection.

/** Whether modern clients may cache the results, by method. */
const READING_METHODS: ReadonlyMap<string, 'cacheable' | 'not-cacheable'> = new Map([
  ['tools/list', 'cacheable'],
  ['prompts/list', 'cacheable'],
  ['prompts/get', 'not-cacheable'],
  ['resources/list', 'cacheable'],
  ['resources/templates/list', 'cacheable'],
  ['resources/read', 'cacheable'],
  ['skills/list', 'cacheable'],
  ['skills/get', 'not-cacheable'],
  ['completion/complete', 'not-cacheable'],
  ['server/discover', 'cacheable'],
]);

export function isReading(method: string): boolean {
  return READING_METHODS.has(method);
}

export function isCacheable(method: string): boolean {
  return READING_METHODS.get(method) === 'cacheable';
}
