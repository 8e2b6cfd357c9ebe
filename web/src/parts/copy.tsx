import { useState } from 'preact/hooks';

/** A link to share. It is also shown as text, so that it can be copied without the button. */
export function CopyLink({ link, label }: { link: string; label: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      if (navigator.share && matchMedia('(pointer: coarse)').matches) await navigator.share({ url: link });
      else await navigator.clipboard.writeText(link);
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    } catch {
      document.querySelector<HTMLInputElement>('.copy-link input')?.select();
    }
  };
  return (
    <div class="copy-link">
      <label class="field">
        <span>{label}</span>
        <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void copy()}>
        {done ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}
