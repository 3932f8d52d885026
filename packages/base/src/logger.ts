// The port through which every room logs. The program decides where and how messages are shown. Fields must not contain
// secrets.

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Logger {
  log(level: LogLevel, message: string, fields?: LogFields): void;
}

export const silentLogger: Logger = { log() {} };
