/** A line to the inspector of a process that was started with --inspect: asks one thing after the other. */
export async function inspect(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error('the process has nothing to inspect');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the process does not let itself be inspected')));
  });
  let asked = 0;
  const ask = (method: string, params = {}) =>
    new Promise<object>((resolve, reject) => {
      const id = (asked += 1);
      const take = ({ data }: MessageEvent) => {
        const told = JSON.parse(String(data)) as { id: number; result: object; error?: { message: string } };
        if (told.id !== id) return;
        socket.removeEventListener('message', take);
        if (told.error) reject(new Error(told.error.message));
        else resolve(told.result);
      };
      socket.addEventListener('message', take);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { ask, close: () => socket.close() };
}

/** Runs a line of script inside a process that was started with --inspect; returns before it ends. */
export async function runInside(port: number, script: string): Promise<void> {
  const { ask, close } = await inspect(port);
  // In a task of its own, so that the inspector has answered when it begins.
  await ask('Runtime.evaluate', { expression: `setTimeout(() => { ${script} }, 50); 0` });
  close();
}
