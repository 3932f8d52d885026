// The door of `remote`: copies of remote repositories, as folders of this machine.

export { RemoteClone } from './remote-clone.ts';
export { isRemote, readRemote } from './remote-address.ts';
