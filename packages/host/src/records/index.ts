export { readLog, readTrace } from './read-records.ts';
export { type LogLine, type RecordFiles, recordFiles } from './record-files.ts';
export { Records } from './records.ts';
