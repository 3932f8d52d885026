// Counts which tools models use, in a file of the user's state, for the plan of the next conversation. A conversation plans
// by the counts at its beginning. Each use is added to the file at once, under its lock, so that processes share the
// counts. If the file cannot be written, uses are not stored.

import { isAbsolute, join } from 'node:path';
import { type Clock, systemClock } from '@plugboard/base';
import { ensureFolder, readOwnFile, withFileLock, writeFileAtomically } from '../platform/index.ts';
import {
  chanceOf,
  formatCounts,
  MOST_COUNT_BYTES,
  type NewUses,
  readCounts,
  type UseCounts,
  type UsedTool,
  withUses,
} from './use-counts.ts';

export interface ToolUsageOptions {
  /** The folder of the user's state. */
  readonly state: string;
  readonly clock?: Clock;
}

/** The uses of one conversation. */
export interface ConversationUses {
  /** The probability that a tool is used, from 0 to 1, by the counts at the beginning of the conversation. */
  chanceOf(tool: UsedTool): number;
  /** Records a call by the model, while tools of these servers were offered. */
  used(tool: UsedTool, servers: Iterable<string>): void;
}

export class ToolUsage {
  readonly #state: string;
  readonly #clock: Clock;
  #counts: UseCounts;
  #writing: Promise<void> = Promise.resolve();
  /** The number of uses that are not in the file yet. */
  #waiting = 0;

  private constructor({ state, clock = systemClock }: ToolUsageOptions, counts: UseCounts) {
    this.#state = state;
    this.#clock = clock;
    this.#counts = counts;
  }

  /** Never rejects: an unreadable file counts as empty. */
  static async open(options: ToolUsageOptions): Promise<ToolUsage> {
    return new ToolUsage(options, await readFile(fileIn(options.state)));
  }

  conversation(): ConversationUses {
    const known = this.#counts;
    const servers = new Set<string>();
    const tools = new Set<string>();
    return {
      chanceOf: (tool) => chanceOf(known, tool),
      used: (tool, offered) => {
        const key = JSON.stringify([tool.server, tool.tool]);
        if (tools.has(key)) return;
        tools.add(key);
        const fresh = new Set([...offered, tool.server].filter((server) => !servers.has(server)));
        for (const server of fresh) servers.add(server);
        this.#add({ servers: fresh, tools: [tool] });
      },
    };
  }

  /** Resolves when all uses until now are in the file. Never rejects. */
  settled(): Promise<void> {
    return this.#writing;
  }

  #add(added: NewUses): void {
    const now = this.#clock.now();
    this.#counts = withUses(this.#counts, added, now);
    this.#waiting += 1;
    this.#writing = this.#writing.then(async () => {
      try {
        await this.#write(added, now);
      } catch {
        // The counts only serve the next plan: a full disk must not disturb a conversation.
      } finally {
        this.#waiting -= 1;
      }
    });
  }

  async #write(added: NewUses, now: number): Promise<void> {
    const file = fileIn(this.#state);
    if (!isAbsolute(file)) return;
    await ensureFolder(this.#state);
    await withFileLock(file, {}, async () => {
      const counts = withUses(await readFile(file), added, now);
      await writeFileAtomically(file, formatCounts(counts), { mode: 0o600 });
      // Includes the uses of other processes, for the next conversation.
      if (this.#waiting === 1) this.#counts = counts;
    });
  }
}

function fileIn(state: string): string {
  return join(state, 'tool-usage.json');
}

async function readFile(file: string): Promise<UseCounts> {
  const read = await readOwnFile(file, { maxBytes: MOST_COUNT_BYTES });
  return read.ok ? readCounts(read.value) : new Map();
}
