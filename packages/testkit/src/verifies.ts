// Declares which requirement of docs/requirements.md a test verifies. scripts/requirements.ts reads these calls from
// the sources, so the ids must be string literals.

export function verifies(...ids: readonly string[]): void {
  for (const id of ids) {
    if (!REQUIREMENT_ID.test(id)) throw new TypeError(`not a requirement id: ${id}`);
  }
}

const REQUIREMENT_ID = /^[A-Z]{3}-(\d{2}|UI)$/;
