// The port through which every room reports what it did. The surface decides where it goes and how
// it reads. Fields must already be free of secrets.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

export const silentLogger: Logger = { log() {} };
