export {
  type OpenTranscript,
  type TranscriptEntry,
  Transcripts,
  type TranscriptsOptions,
} from './transcripts.ts';
export { TypedLines, type TypedLinesOptions } from './typed-lines.ts';
