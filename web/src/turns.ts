/** Tells the player that it is their turn: by title, badge and a quiet sound. */
import { signal } from '@preact/signals';
import { Turns } from './generated/operations.ts';
import { listen } from './live.ts';
import { keep, recall, session } from './session.ts';

/** The matches in which the player may act now. */
export const waitingTurns = signal<readonly { id: string; game: string }[]>([]);

export const soundOn = signal(recall<boolean>('atoll.sound') ?? true);
export function toggleSound(): void {
  soundOn.value = !soundOn.value;
  keep('atoll.sound', soundOn.value);
  if (soundOn.value) chime();
}

/** An effect that follows the player who is signed in. */
export function watchTurns(): (() => void) | undefined {
  const player = session.value?.id;
  waitingTurns.value = [];
  if (!player) return;
  return listen(
    Turns,
    {},
    {
      next: ({ turns: { match, acting } }) => {
        const others = waitingTurns.peek().filter(({ id }) => id !== match.id);
        waitingTurns.value = acting ? [...others, { id: match.id, game: match.game.name }] : others;
        showBadge(waitingTurns.peek().length);
      },
    },
  );
}

function showBadge(count: number): void {
  const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.();
  shown?.catch(() => {});
}

let audio: AudioContext | undefined;

/** Two soft tones. A browser in which nobody has clicked yet stays silent. */
export function chime(): void {
  if (!soundOn.peek() || !('AudioContext' in window)) return;
  if (!navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  for (const [frequency, from] of [
    [523, 0],
    [784, 0.12],
  ] as const) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, now + from);
    volume.gain.linearRampToValueAtTime(0.07, now + from + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + from + 0.4);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + from);
    tone.stop(now + from + 0.45);
  }
}

let flashing: ReturnType<typeof setInterval> | undefined;

/** The title of the page. While it calls for attention and the page is hidden, it changes every second. */
export function title(text: string, calling = false): void {
  clearInterval(flashing);
  document.title = text;
  if (!calling) return;
  const mark = () => {
    const away = document.visibilityState === 'hidden';
    document.title = away && document.title === text ? '● Your turn' : text;
  };
  flashing = setInterval(mark, 1000);
}
