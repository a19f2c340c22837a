// Plain JavaScript, so that any Node can say that it is too old.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`Portico needs Node 24 or newer: this is ${process.version}. Use node_modules/.bin/node.`);
  // As for wrong settings: it stays wrong.
  process.exit(78);
}
await import('#server/main.ts');
