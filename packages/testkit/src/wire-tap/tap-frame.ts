// One line in the log of the wire tap.

export interface TapFrame {
  readonly direction: 'to-server' | 'to-client';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Length of the line, including its newline, if any. */
  readonly bytes: number;
  readonly text: string;
}
