import { describe, expect, it } from 'vitest';
import { userPaths } from '../../src/platform/index.ts';

describe("the user's paths", () => {
  const home = '/home/ada';
  const usual = {
    home,
    config: '/home/ada/.config/plugboard',
    state: '/home/ada/.local/state/plugboard',
    cache: '/home/ada/.cache/plugboard',
  };

  it('are the usual ones on Linux and macOS', () => {
    expect([userPaths({}, 'linux', home), userPaths({}, 'darwin', home)]).toEqual([usual, usual]);
  });

  it('follow the XDG variables', () => {
    const env = { XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s/', XDG_CACHE_HOME: '/x' };
    expect(userPaths(env, 'linux', home)).toEqual({
      home,
      config: '/c/plugboard',
      state: '/s/plugboard',
      cache: '/x/plugboard',
    });
  });

  it('do not follow XDG variables that are relative or empty', () => {
    const env = { XDG_CONFIG_HOME: 'c', XDG_STATE_HOME: '', XDG_CACHE_HOME: './x' };
    expect(userPaths(env, 'linux', home)).toEqual(usual);
  });

  it('are the usual ones on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', XDG_CONFIG_HOME: '/c' };
    expect(userPaths(env, 'win32', 'C:\\Users\\ada')).toEqual({
      home: 'C:\\Users\\ada',
      config: 'D:\\Roaming\\plugboard',
      state: 'C:\\Users\\ada\\AppData\\Local\\plugboard\\State',
      cache: 'C:\\Users\\ada\\AppData\\Local\\plugboard\\Cache',
    });
  });
});
