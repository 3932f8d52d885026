// Sanitises the media type of a binary that a server states, and chooses the file extension for it. No text of the
// server becomes part of a file name; types that a system or a browser would run get an extension that is not run.

const SHAPE = /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,80}$/;
const UNKNOWN = 'application/octet-stream';

/** Without parameters and in lower case; `application/octet-stream` for an invalid type. */
export function mediaTypeOf(stated: string | undefined): string {
  const [type = ''] = (stated ?? '').slice(0, 400).split(';');
  const clean = type.trim().toLowerCase();
  return SHAPE.test(clean) ? clean : UNKNOWN;
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/tiff', 'tiff'],
  ['image/bmp', 'bmp'],
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
  ['audio/mp4', 'm4a'],
  ['audio/aac', 'aac'],
  ['audio/ogg', 'ogg'],
  ['audio/opus', 'opus'],
  ['audio/flac', 'flac'],
  ['audio/webm', 'webm'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
  ['video/quicktime', 'mov'],
  ['application/pdf', 'pdf'],
  ['application/zip', 'zip'],
  ['application/gzip', 'gz'],
  ['application/x-tar', 'tar'],
  ['application/json', 'json'],
  ['application/jsonl', 'jsonl'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.sqlite3', 'sqlite'],
  ['application/wasm', 'wasm'],
  ['text/csv', 'csv'],
  ['text/markdown', 'md'],
]);

/** Without a dot. */
export function endingOf(mediaType: string): string {
  const known = ENDINGS.get(mediaType);
  if (known !== undefined) return known;
  if (mediaType.endsWith('+json')) return 'json';
  // A page or a drawing opened with a double click would run the scripts in it.
  return mediaType.startsWith('text/') || mediaType.endsWith('xml') ? 'txt' : 'bin';
}
