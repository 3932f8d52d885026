import { hostname } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { type Machine, machineId } from '../../src/platform/machine-id.ts';

const ID = '0123456789abcdef0123456789abcdef';

const linux = (...files: readonly string[]): Machine => ({
  platform: 'linux',
  files,
  run: () => Promise.reject(new Error('nothing is run here')),
});

const answering = (platform: NodeJS.Platform, answer: string): Machine => ({
  platform,
  files: [],
  run: (command) => Promise.resolve(`${command}\n${answer}`),
});

describe("a machine's id", () => {
  it('is the same every time', async () => {
    expect(await machineId()).toBe(await machineId());
    expect(await machineId()).not.toBe('');
  });

  it('is in the first file that has one', async () => {
    await using folder = await tempFolder();
    const missing = join(folder.path, 'missing');
    const empty = await folder.write('empty', '');
    const unset = await folder.write('unset', 'uninitialized\n');
    const set = await folder.write('set', `${ID}\n`);
    expect(await machineId(linux(missing, empty, unset, set))).toBe(ID);
  });

  it.each([
    [
      'darwin',
      `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000227, registered>
    {
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "IOPlatformUUID" = "2F1A9C3E-7B54-5D10-9E8F-0123456789AB"
    }
`,
    ],
    [
      'win32',
      String.raw`
HKEY_LOCAL_MACHINE\SOFTWARE\Microsoft\Cryptography
    MachineGuid    REG_SZ    2f1a9c3e-7b54-5d10-9e8f-0123456789ab
`,
    ],
  ] as const)('is what the system reports on %s', async (platform, answer) => {
    expect(await machineId(answering(platform, answer))).toBe(
      '2f1a9c3e-7b54-5d10-9e8f-0123456789ab',
    );
  });

  it.each([
    ['no file has one', linux()],
    ['the system says something else', answering('darwin', 'no such class')],
    ['the system cannot be asked', { ...linux(), platform: 'win32' }],
  ] as const)('is its name if %s', async (_, machine) => {
    expect(await machineId(machine)).toBe(hostname());
  });
});
