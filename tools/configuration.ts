import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { accepted, variables } from '../src/config.ts';

// npm run docs: writes docs/configuration.md. A test checks that it agrees with the schema in src/config.ts.

export const CONFIGURATION = 'docs/configuration.md';

export function configurationPage(): string {
  const rows = variables.map(([name, schema]) => {
    const value = Array.isArray(schema.default) ? schema.default.join(',') : schema.default;
    const byDefault = value === undefined || value === '' ? 'unset' : `\`${value}\``;
    return `| \`${name}\` | ${byDefault} | ${schema.description} | ${accepted(schema)} |`;
  });
  return `# Configuration

The server is configured by its environment alone. A wrong value stops the start with a sentence that names it; an empty one counts as unset.

| variable | default | what it does | accepted |
|---|---|---|---|
${rows.join('\n')}

This page is written by \`npm run docs\` from the schema in \`src/config.ts\`.
`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(CONFIGURATION, configurationPage());
