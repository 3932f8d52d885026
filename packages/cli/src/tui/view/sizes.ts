// Numbers in readable form: times, tokens, bytes, money, counts.

export function timeWords(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} m ${String(seconds % 60).padStart(2, '0')} s`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}

/** The time of something that still runs, in whole seconds so that it does not flicker. */
export function elapsedWords(ms: number): string {
  return ms < 1000 || !Number.isFinite(ms)
    ? ''
    : timeWords(ms < 10_000 ? Math.floor(ms / 1000) * 1000 : ms).replace('.0 s', ' s');
}

export function countWords(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1_000_000) return `${trimmed(count / 1000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

export function byteWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${trimmed(bytes / 1024)} kB`;
  return `${trimmed(bytes / 1024 / 1024)} MB`;
}

export function costWords(dollars: number): string {
  return dollars > 0 && dollars < 0.01 ? '< $0.01' : `$${dollars.toFixed(2)}`;
}

export function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

function trimmed(number: number): string {
  return number < 10 ? number.toFixed(1).replace('.0', '') : String(Math.round(number));
}
