// The tools of the MCP server "everything", as functions with types.
// Written by "plugboard generate": do not edit it, but write it again.

import type { CallSettings, Host, ToolOutcome } from "@plugboard/host";

export type EchoArguments = {
  /** Message to echo */
  message: string;
};

export type GetAnnotatedMessageArguments = {
  /** Type of message to demonstrate different annotation patterns */
  messageType: "error" | "success" | "debug";
  /** Whether to include an example image Default: false */
  includeImage?: boolean;
};

export type GetEnvArguments = { [name: string]: unknown };

export type GetResourceLinksArguments = {
  /** Number of resource links to return (1-10) Default: 3 */
  count?: number;
};

export type GetResourceReferenceArguments = {
  /** Default: "Text" */
  resourceType?: "Text" | "Blob";
  /** ID of the text resource to fetch Default: 1 */
  resourceId?: number;
};

export type GetRootsListArguments = { [name: string]: unknown };

export type GetStructuredContentArguments = {
  /** Choose city */
  location: "New York" | "Chicago" | "Los Angeles";
};

export type GetStructuredContentResult = {
  /** Temperature in celsius */
  temperature: number;
  /** Weather conditions description */
  conditions: string;
  /** Humidity percentage */
  humidity: number;
};

export type GetSumArguments = {
  /** First number */
  a: number;
  /** Second number */
  b: number;
};

export type GetTinyImageArguments = { [name: string]: unknown };

export type GzipFileAsResourceArguments = {
  /** Name of the output file Default: "README.md.gz" */
  name?: string;
  /** URL or data URI of the file content to compress Default: "https://raw.githubusercontent.com/modelcontextprotocol/servers/refs/heads/main/README.md" */
  data?: string;
  /** How the resulting gzipped file should be returned. 'resourceLink' returns a link to a resource that can be read later, 'resource' returns a full resource object. Default: "resourceLink" */
  outputType?: "resourceLink" | "resource";
};

export type SimulateResearchQueryArguments = {
  /** The research topic to investigate */
  topic: string;
  /** Simulate an ambiguous query that requires clarification (triggers input_required status) Default: false */
  ambiguous?: boolean;
};

export type ToggleSimulatedLoggingArguments = { [name: string]: unknown };

export type ToggleSubscriberUpdatesArguments = { [name: string]: unknown };

export type TriggerElicitationRequestArguments = { [name: string]: unknown };

export type TriggerLongRunningOperationArguments = {
  /** Duration of the operation in seconds Default: 10 */
  duration?: number;
  /** Number of steps in the operation Default: 5 */
  steps?: number;
};

export type TriggerUrlElicitationArguments = {
  /** The URL the user should open */
  url: string;
  /** Message shown to the user before opening the URL Default: "Please open the link to complete this action." */
  message?: string;
  /** Optional explicit elicitation ID. Defaults to a random UUID. */
  elicitationId?: string;
  /** Controls which elicitation mechanism is used. When false (default), sends an elicitation/create request (request path). When true, throws a UrlElicitationRequiredError (MCP error code -32042) so the client handles the URL elicitation via the error path rather than waiting for a response. To clear the error, satisfy the prerequisite and retry this call with the same arguments; the retry ignores errorPath and proceeds, so the client does not loop on the same error. Default: false */
  errorPath?: boolean;
};

export interface EverythingTools {
  /** Echo Tool: Echoes back the input string */
  readonly echo: (given: EchoArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Annotated Message Tool: Demonstrates how annotations can be used to provide metadata about content. */
  readonly "get-annotated-message": (given: GetAnnotatedMessageArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Print Environment Tool: Returns all environment variables, helpful for debugging MCP server configuration */
  readonly "get-env": (given?: GetEnvArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Resource Links Tool: Returns up to ten resource links that reference different types of resources */
  readonly "get-resource-links": (given?: GetResourceLinksArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Resource Reference Tool: Returns a resource reference that can be used by MCP clients */
  readonly "get-resource-reference": (given?: GetResourceReferenceArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Roots List Tool: Lists the current MCP roots provided by the client. Demonstrates the roots protocol capability even though this server doesn't access files. */
  readonly "get-roots-list": (given?: GetRootsListArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Structured Content Tool: Returns structured content along with an output schema for client data validation */
  readonly "get-structured-content": (given: GetStructuredContentArguments, settings?: CallSettings) => Promise<ToolOutcome<GetStructuredContentResult>>;
  /** Get Sum Tool: Returns the sum of two numbers */
  readonly "get-sum": (given: GetSumArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Get Tiny Image Tool: Returns a tiny MCP logo image. */
  readonly "get-tiny-image": (given?: GetTinyImageArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** GZip File as Resource Tool: Compresses a single file using gzip compression. Depending upon the selected output type, returns either the compressed data as a gzipped resource or a resource link, allowing it to be downloaded in a subsequent request during the current session. */
  readonly "gzip-file-as-resource": (given?: GzipFileAsResourceArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Simulate Research Query: Simulates a deep research operation that gathers, analyzes, and synthesizes information. Demonstrates MCP task-based operations with progress through multiple stages. If 'ambiguous' is true and client supports elicitation, sends an elicitation request for clarification. */
  readonly "simulate-research-query": (given: SimulateResearchQueryArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Toggle Simulated Logging: Toggles simulated, random-leveled logging on or off. */
  readonly "toggle-simulated-logging": (given?: ToggleSimulatedLoggingArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Toggle Subscriber Updates: Toggles simulated resource subscription updates on or off. */
  readonly "toggle-subscriber-updates": (given?: ToggleSubscriberUpdatesArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Trigger Elicitation Request Tool: Trigger a Request from the Server for User Elicitation */
  readonly "trigger-elicitation-request": (given?: TriggerElicitationRequestArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Trigger Long Running Operation Tool: Demonstrates a long running operation with progress updates. */
  readonly "trigger-long-running-operation": (given?: TriggerLongRunningOperationArguments, settings?: CallSettings) => Promise<ToolOutcome>;
  /** Trigger URL Elicitation Tool: Trigger a URL elicitation so the client can direct the user to a browser flow. Supports two mechanisms: the request path (elicitation/create, default) which awaits the user's response, and the error path (UrlElicitationRequiredError, -32042) which signals the client to handle URL elicitation via the error response. Set errorPath=true to use the error path. */
  readonly "trigger-url-elicitation": (given: TriggerUrlElicitationArguments, settings?: CallSettings) => Promise<ToolOutcome>;
}

/** Calls the tools of "everything" through a host, or a conversation of it. */
export function everythingTools(
  host: Pick<Host, "call">,
  server = "everything",
): EverythingTools {
  const calling = (tool: string) => (given: object = {}, settings: CallSettings = {}) =>
    host.call({ server, tool }, given as Parameters<Host["call"]>[1], {
      result: "whole",
      ...settings,
    }) as Promise<never>;
  return {
    echo: calling("echo"),
    "get-annotated-message": calling("get-annotated-message"),
    "get-env": calling("get-env"),
    "get-resource-links": calling("get-resource-links"),
    "get-resource-reference": calling("get-resource-reference"),
    "get-roots-list": calling("get-roots-list"),
    "get-structured-content": calling("get-structured-content"),
    "get-sum": calling("get-sum"),
    "get-tiny-image": calling("get-tiny-image"),
    "gzip-file-as-resource": calling("gzip-file-as-resource"),
    "simulate-research-query": calling("simulate-research-query"),
    "toggle-simulated-logging": calling("toggle-simulated-logging"),
    "toggle-subscriber-updates": calling("toggle-subscriber-updates"),
    "trigger-elicitation-request": calling("trigger-elicitation-request"),
    "trigger-long-running-operation": calling("trigger-long-running-operation"),
    "trigger-url-elicitation": calling("trigger-url-elicitation"),
  };
}
