// A program to start, such as a stdio server, a helper or a hook. `startDetached` (spawn-process.ts) and
// `launchInSession` (session-launch.ts) give each field its effect.

export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: only the mark is added. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}
