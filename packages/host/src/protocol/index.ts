export type { ProcessEvidence, ProtocolFailure } from './failure.ts';
export type { InProcessServer } from './in-process.ts';
export type { EraPreference, Launch } from './launch.ts';
export type {
  ContentBlock,
  Era,
  Progress,
  RejectedTool,
  ResourceContents,
  ServerIdentity,
  ToolAnnotations,
  ToolDefinition,
  ToolPage,
  ToolResult,
} from './model.ts';
export { open, type OpenPorts } from './open.ts';
export type { CallOptions, Session, ToolCall } from './session.ts';
