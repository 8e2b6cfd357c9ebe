/** Required by a server under test: names the packages that it has loaded when it ends. */
process.once('exit', () => {
  const names = Object.keys(require.cache).map((file) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  console.log(`loaded: ${[...new Set(names)].sort().join(' ')}`);
});
