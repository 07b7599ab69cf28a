import type { ButtonHTMLAttributes } from 'preact';

/** A button that does something on the page; one that submits a form is a `button` of type "submit". */
export const Button = (attributes: ButtonHTMLAttributes) => <button type="button" {...attributes} />;
