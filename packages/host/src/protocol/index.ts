export type { ProcessEvidence, ProtocolFailure } from './failure.ts';
export type { Answer, InboundPort, Question } from './inbound.ts';
export type { InProcessServer } from './in-process.ts';
export type { Launch } from './launch.ts';
export type {
  ContentBlock,
  Era,
  Progress,
  RejectedTool,
  ServerIdentity,
  ToolAnnotations,
  ToolDefinition,
  ToolPage,
  ToolResult,
} from './model.ts';
export { open, type OpenPorts } from './open.ts';
export type { CallOptions, ListKind, ServerLog, Session } from './session.ts';
export type { FrameRecord, Recorder } from './trace/recorder.ts';
