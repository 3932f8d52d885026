// How a server is started, in the shape of a stdio entry of `.mcp.json`.

export interface StdioEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
