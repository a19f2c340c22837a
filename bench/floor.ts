import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { hash } from '@node-rs/argon2';
import pg from 'pg';

// The floor for both servers: one prepared query by an indexed column behind node:http, and argon2id alone.
// It reads Portico's own table, with as many connections, and answers with the same JSON.

const HASHES = 8;
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 });
const session = {
  name: 'session',
  text: `select users.id, users.email, users.first_name, users.last_name, users.confirmed_at
    from sessions join users on users.id = sessions.user_id where sessions.token_hash = $1`,
};

const server = createServer((request, response) => {
  const answer = async () => {
    if (request.url === '/hash') {
      for (let count = 0; count < HASHES; count += 1)
        await hash('sturdy arch 42', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
      return {};
    }
    const token = request.headers.cookie?.split('=')[1] ?? '';
    const { rows } = await pool.query({ ...session, values: [createHash('sha256').update(token).digest()] });
    const [row] = rows as Record<string, unknown>[];
    const { id, email, first_name: first, last_name: last, confirmed_at: confirmed } = row ?? {};
    return { id, email, full_name: `${String(first)} ${String(last)}`.trim(), confirmed: confirmed ? 1 : 0 };
  };
  const send = (body: string) =>
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  answer().then(
    (person) => send(JSON.stringify({ success: true, response: person })),
    (error: unknown) => response.destroy(error as Error),
  );
});
server.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('ready'));
