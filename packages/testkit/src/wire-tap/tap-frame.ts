// What the wire tap records of each line that passes.

export interface TapFrame {
  readonly direction: 'to-server' | 'to-client';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Length of the line, its newline included where it had one. */
  readonly bytes: number;
  readonly text: string;
}
