// The door of `web`: pages of the open web as text for a model.

export { type PagePart, WebPages } from './pages.ts';
