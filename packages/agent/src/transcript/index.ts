export { OpenTranscript } from './open-transcript.ts';
export type { TranscriptTurn } from './transcript-replay.ts';
export { type TranscriptEntry, Transcripts, type TranscriptsOptions } from './transcripts.ts';
export { TypedLines, type TypedLinesOptions } from './typed-lines.ts';
