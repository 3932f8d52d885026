export type { ProcessEvidence, ProtocolFailure } from './failure.ts';
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
export type { CallOptions, Session } from './session.ts';
