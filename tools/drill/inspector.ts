/** Runs a line of script inside a process that was started with --inspect; returns before it ends. */
export async function runInside(port: number, script: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error('the process has nothing to inspect');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the process does not let itself be inspected')));
  });
  // In a task of its own, so that the inspector has answered when it begins.
  const expression = `setTimeout(() => { ${script} }, 50); 0`;
  const begun = new Promise((resolve) => socket.addEventListener('message', resolve));
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }));
  await begun;
  socket.close();
}
