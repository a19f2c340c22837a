/** A connection to the inspector of a process started with --inspect. It sends one command at a time. */
export async function inspect(port: number) {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
  if (!target) throw new Error('the process has nothing to inspect');
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the process does not let itself be inspected')));
  });
  let lastId = 0;
  const ask = (method: string, params = {}) =>
    new Promise<object>((resolve, reject) => {
      const id = (lastId += 1);
      const take = ({ data }: MessageEvent) => {
        const message = JSON.parse(String(data)) as {
          id: number;
          result: object;
          error?: { message: string };
        };
        if (message.id !== id) return;
        socket.removeEventListener('message', take);
        if (message.error) reject(new Error(message.error.message));
        else resolve(message.result);
      };
      socket.addEventListener('message', take);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { ask, close: () => socket.close() };
}
