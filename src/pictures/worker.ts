/**
 * A thread that turns SVG into PNG. Drawing takes a tenth of a second or more, for which it would block everything
 * else.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

export interface Drawing {
  id: number;
  svg: string;
  width: number;
}

export type Drawn = { id: number; png: Uint8Array } | { id: number; error: string };

const require = createRequire(import.meta.url);
await initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
// Fonts are included, because a container has none.
const fontBuffers = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(
  (name) => new Uint8Array(readFileSync(require.resolve(`dejavu-fonts-ttf/ttf/${name}`))),
);
const font = { fontBuffers, defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' };

function draw({ id, svg, width }: Drawing): Drawn {
  try {
    const drawing = new Resvg(svg, { fitTo: { mode: 'width', value: width }, font });
    const png = drawing.render().asPng();
    drawing.free();
    return { id, png };
  } catch (error) {
    return { id, error: String(error) };
  }
}

parentPort?.on('message', (drawing: Drawing) => parentPort?.postMessage(draw(drawing)));
