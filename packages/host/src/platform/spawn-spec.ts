// A program to start: what a stdio server, a helper or a hook has in common. `startDetached` (spawn-process.ts) and
// `launchInSession` (session-launch.ts) give each field its effect.

export interface SpawnSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** All of the environment: nothing is added but its mark. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}
