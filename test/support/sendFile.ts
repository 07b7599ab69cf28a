type Upload = Readonly<{
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>> | null;
}>;
type Content = string | Uint8Array;

/** The body of a form, and its media type, which names the boundary. */
export const formOf = async (
  fields: Readonly<Record<string, string>>,
  content: Content,
): Promise<Readonly<{ body: Buffer; mimeType: string }>> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([content]));
  const whole = new Response(form);
  const mimeType = whole.headers.get('content-type') ?? '';
  return { body: Buffer.from(await whole.arrayBuffer()), mimeType };
};

/** Sends a file as a session's `uploads[]` says; without a media type none is told. */
export const sendFile = async (
  { method, url, headers, fields }: Upload,
  content: Content,
  mimeType?: string,
): Promise<Response> => {
  const typed = mimeType === undefined ? {} : { 'content-type': mimeType };
  if (fields === null)
    return fetch(url, {
      method,
      headers: { ...typed, ...headers },
      body: content as NonNullable<RequestInit['body']>,
    });
  const form = await formOf({ ...fields, ...(mimeType && { 'Content-Type': mimeType }) }, content);
  return fetch(url, { method, headers: { ...headers, 'content-type': form.mimeType }, body: form.body });
};
