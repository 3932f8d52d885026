// The door of `web`: reads web pages as text for a model.

export { type PagePart, WebPages } from './pages.ts';
