// The hosts whose servers can be imported. If two hosts use one name for different servers, the first host keeps it.

import { claudeCode } from './claude-code.ts';
import { claudeDesktop } from './claude-desktop.ts';
import { cline } from './cline.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { ForeignHost } from './foreign-host.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { vscode } from './vscode.ts';
import { windsurf } from './windsurf.ts';
import { zed } from './zed.ts';

export const FOREIGN_HOSTS: readonly ForeignHost[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  windsurf,
  codex,
  gemini,
  opencode,
  zed,
  cline,
];
