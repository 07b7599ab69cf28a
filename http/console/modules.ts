/** The modules that a served module needs before it runs, by their addresses below `/console/`. */
export const neededBy = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/\b(?:from|import)\s*["'](\.[^"'\n]+)["']/g)].map(([, target = '']) =>
    new URL(target, `http://console/${path}`).pathname.slice(1),
  );
