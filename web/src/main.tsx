import { effect } from '@preact/signals';
import { render } from 'preact';
import './style/base.css';
import './style/frame.css';
import './style/lobby.css';
import './style/game.css';
import './style/table.css';
import './style/targets.css';
import './style/pages.css';
import './style/phones.css';
import { App } from './app.tsx';
import { restoreSession } from './sign-in.ts';
import { watchTurns } from './turns.ts';

const root = document.getElementById('app') as HTMLElement;
root.replaceChildren();
render(<App />, root);
effect(watchTurns);
void restoreSession();

if ('serviceWorker' in navigator) {
  void navigator.serviceWorker.register('/sw.js').catch(() => {});
  // The service worker asks for our address, so that it does not notify us of what we already see.
  navigator.serviceWorker.addEventListener('message', ({ ports: [port] }) => port?.postMessage(location.pathname));
  navigator.serviceWorker.startMessages();
}
