// Sets a maximum for the memory of a WebAssembly module. The engine counts only the memory of values; fragmentation, and copies
// while a block grows, would have no bound.
// https://webassembly.github.io/spec/core/binary/modules.html#memory-section

const PAGE_BYTES = 64 * 1024;
const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
/** One memory with a minimum and no maximum, as the engine is built. */
const WITHOUT_MAXIMUM = [1, 0];

export function withMaximumMemory(module: Uint8Array, bytes: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (module[at] === MEMORY_SECTION) {
      const [count, flags] = module.subarray(size.next, end);
      if (count !== WITHOUT_MAXIMUM[0] || flags !== WITHOUT_MAXIMUM[1]) break;
      const minimum = module.subarray(size.next + 2, end);
      const content = [1, 1, ...minimum, ...numberBytes(Math.ceil(bytes / PAGE_BYTES))];
      const section = [MEMORY_SECTION, ...numberBytes(content.length), ...content];
      return Buffer.concat([module.subarray(0, at), Buffer.from(section), module.subarray(end)]);
    }
    at = end;
  }
  throw new TypeError('the module has no memory that could be given a maximum');
}

function readNumber(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let next = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next] ?? 0;
    next += 1;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return { value, next };
  }
}

/** LEB128. */
function numberBytes(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...numberBytes(Math.floor(value / 128))];
}
