/** Loaded into an instance before anything else: at SIGWINCH its clock is set an hour ahead, and at the next one back. */
const real = Date.now;
let ahead = 0;
const Original = globalThis.Date;
globalThis.Date = class extends Original {
  constructor(...args) {
    if (args.length === 0) super(real() + ahead);
    else super(...args);
  }

  static now() {
    return real() + ahead;
  }
};
process.on('SIGWINCH', () => {
  ahead = ahead === 0 ? 3_600_000 : 0;
});
