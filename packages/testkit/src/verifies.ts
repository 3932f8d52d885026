// A test says which promise of docs/requirements.md it keeps. The ledger reads these calls from the
// sources (scripts/requirements.ts), so the ids must be written as string literals.

export function verifies(...ids: readonly string[]): void {
  for (const id of ids) {
    if (!REQUIREMENT_ID.test(id)) throw new TypeError(`not a requirement id: ${id}`);
  }
}

const REQUIREMENT_ID = /^[A-Z]{3}-(\d{2}|UI)$/;
