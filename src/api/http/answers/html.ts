/** Pages that the server renders itself. They work without scripts and load nothing from other hosts. */
import type { FastifyReply } from 'fastify';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => ESCAPES[c] as string);

/** A text in which everything inserted is escaped, except what `html` itself has made. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | null | undefined | false;

const written = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(written).join('');
  return part === null || part === undefined || part === false ? '' : escapeHtml(String(part));
};

export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, i) => text + (i < parts.length ? written(parts[i]) : '')).join(''));

export interface Page {
  title: string;
  body: Html;
  status?: number;
  /** A further origin to which its forms may lead. */
  formsTo?: string;
}

export function sendPage(reply: FastifyReply, { title, body, status = 200, formsTo }: Page): FastifyReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Atoll</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/oauth/page.css">
</head>
<body>
<header><a href="/">Atoll</a></header>
<main>
${body}
</main>
</body>
</html>
`;
  const forms = ["'self'", formsTo].filter(Boolean).join(' ');
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action ${forms}; frame-ancestors 'none'`,
      'x-frame-options': 'DENY',
      // With the stricter no-referrer, browsers send our own forms without stating their origin.
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    .send(document.text);
}
