export { type AppsOrigin, serveApps } from './apps.ts';
export { Console } from './console.ts';
export { ConsoleFront } from './console-front.ts';
export type { OwnSettings } from './own-settings.ts';
export { readPage } from './page.ts';
