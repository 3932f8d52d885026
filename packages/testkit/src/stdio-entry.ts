// How to start a server, in the form of a stdio entry of `.mcp.json`.

export interface StdioEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
