// Refusals on disk, one small file each, shared by all processes of the user. A file's name begins with a hash of its
// server; it contains a date, an account and a problem, and nothing secret.

import { join } from 'node:path';
import { type Clock, isObject, type Logger, messageOf, parseJson } from '@plugboard/base';
import {
  ensureFolder,
  listFolder,
  readTextFile,
  removeFile,
  sweepFolder,
  writeFileAtomically,
} from '../platform/index.ts';
import type { AuthorizationProblem } from '../protocol/index.ts';
import type { ServerKey } from './credential.ts';
import { recordName, SERVER_FIELDS } from './record-name.ts';
import {
  isEndedBy,
  isRecent,
  isRemembered,
  type Refusal,
  type RefusalKey,
  type RefusalMemory,
  REMEMBERED_MS,
} from './refusal-memory.ts';

export interface RefusalFilesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface StoredRefusal extends Refusal {
  readonly account: string;
}

const FORMAT = 1;
const LIMITS = { maxLength: 16 * 1024, maxDepth: 8 };
const MAX_FILES = 500;

export function refusalFiles({ folder, clock, logger }: RefusalFilesOptions): RefusalMemory {
  const fileOf = (key: RefusalKey): string => join(folder, `${prefixOf(key)}${key.entry}.json`);
  return {
    async recall(key) {
      const kept = await readRefusal(fileOf(key));
      return kept !== undefined && isRecent(kept, clock.now()) ? kept : undefined;
    },
    async remember(key, { problem, at }) {
      const text = JSON.stringify({ format: FORMAT, account: key.account, at, problem });
      try {
        await ensureFolder(folder);
        await writeFileAtomically(fileOf(key), `${text}\n`, { mode: 0o600 });
        await sweepFolder(folder, { now: at, keptMs: REMEMBERED_MS, maxFiles: MAX_FILES });
      } catch (thrown) {
        logger.log('warn', 'could not keep that a server wants a sign-in', {
          reason: messageOf(thrown),
        });
      }
    },
    async forget(signedIn) {
      const its = prefixOf(signedIn.server);
      for (const { name } of await listFolder(folder)) {
        const path = join(folder, name);
        const kept = name.startsWith(its) ? undefined : await readRefusal(path);
        const isOver = name.startsWith(its) || (kept !== undefined && isEndedBy(kept, signedIn));
        if (isOver) await removeFile(path);
      }
    },
  };
}

function prefixOf(server: ServerKey): string {
  return `${recordName(server, SERVER_FIELDS)}-`;
}

/** `undefined` if it is not what this file writes. */
async function readRefusal(path: string): Promise<StoredRefusal | undefined> {
  const text = await readTextFile(path, { maxBytes: LIMITS.maxLength });
  const parsed = text.ok ? parseJson(text.value, LIMITS) : text;
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const { format, account, at, problem } = parsed.value;
  if (format !== FORMAT || typeof account !== 'string' || typeof at !== 'number') return undefined;
  if (!isProblem(problem) || !isRemembered(problem)) return undefined;
  return { account, at, problem };
}

/** The problems that are remembered have only text fields. */
function isProblem(value: unknown): value is AuthorizationProblem {
  return isObject(value) && Object.values(value).every((field) => typeof field === 'string');
}
