/**
 * Loaded into an instance before anything else. At each SIGWINCH its clock is set again: an hour ahead, right, an hour
 * behind, right, and so on. It reports this on standard output, which tells the campaign that it happened.
 */
const HOUR = 3_600_000;
const OFFSETS = [0, HOUR, 0, -HOUR];

const Original = globalThis.Date;
const real = Original.now;
let jumps = 0;
let offset = 0;
globalThis.Date = class extends Original {
  constructor(...args) {
    if (args.length === 0) super(real() + offset);
    else super(...args);
  }

  static now() {
    return real() + offset;
  }
};
process.on('SIGWINCH', () => {
  offset = OFFSETS[++jumps % OFFSETS.length];
  console.log(`chaos: the clock is ${offset / HOUR} h ahead`);
});
