export type { CallRecord, RecordedClient } from './call-record.ts';
export { decisionView } from './decision-view.ts';
export {
  type CallQuery,
  Recorder,
  type RecorderLimits,
  type ServerFigures,
  type TrafficChange,
} from './recorder.ts';
