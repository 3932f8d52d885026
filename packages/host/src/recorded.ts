// The records of servers, frames and log lines, as a separate entrance: a program that only shows them need not load the
// client of servers.

export { fingerprintOf } from './catalog/index.ts';
export type { FrameRecord } from './protocol/index.ts';
export {
  type LogLine,
  readLog,
  readTrace,
  type RecordFiles,
  recordFiles,
} from './records/index.ts';
