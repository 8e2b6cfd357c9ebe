// What Swagger UI leaves out: a width for phones, and pictures.

const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);

// It shows the text of an SVG picture; people want to see the picture. As an image it cannot run anything.

const shown = new WeakMap();

function showPicture(block) {
  const text = block.querySelector('pre')?.textContent.trim() ?? '';
  if (shown.get(block)?.text === text) return;
  shown.get(block)?.picture.remove();
  if (!text.startsWith('<svg') || !text.endsWith('</svg>')) return;
  const picture = document.createElement('img');
  picture.alt = 'The picture that was answered';
  picture.className = 'answered-picture';
  picture.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  shown.set(block, { text, picture });
  block.before(picture);
}

new MutationObserver(() => {
  for (const block of document.querySelectorAll('.live-responses-table .highlight-code')) showPicture(block);
}).observe(document.body, { childList: true, subtree: true, characterData: true });
