// What Swagger UI leaves out: a width for phones, dark colours, open operations without a padlock, and pictures.

const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);

// Swagger UI has dark colours, but no switch for them in this layout: the page follows the device.

const isDark = matchMedia('(prefers-color-scheme: dark)');
const setColours = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
isDark.addEventListener('change', setColours);
setColours();

// A padlock says that a token is needed. An operation that takes one but does not need it has an empty requirement.
// Its requests still send the token, which Swagger UI reads from the contract and not from what is shown.

const openOperations = () => ({
  wrapComponents: {
    OperationSummary:
      (Original, { React }) =>
      (props) => {
        const isOpen = props.operationProps.get('security')?.some((requirement) => requirement.isEmpty());
        const operationProps = isOpen ? props.operationProps.delete('security') : props.operationProps;
        return React.createElement(Original, { ...props, operationProps });
      },
  },
});

const swaggerUi = window.SwaggerUIBundle;
window.SwaggerUIBundle = Object.assign(
  (config) => swaggerUi({ ...config, plugins: [...config.plugins, openOperations] }),
  swaggerUi,
);

// Swagger UI shows the text of an SVG picture; people want to see the picture. As an image it cannot run anything.

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
