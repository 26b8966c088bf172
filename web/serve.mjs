// node web/serve.mjs FOLDER [PORT] [PAGE] - serves the files of a folder to browsers of this
// machine and prints the address of a page.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm',
  '.css': 'text/css' };

// Serves a folder on a port; 0: a free one. Its root leads to a page.
export async function serve(folder, port = 0, page = '') {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(folder, normalize(pathname));
    if (page && pathname === '/') {
      response.writeHead(302, { Location: `/${page}` }).end();
      return;
    }
    const type = types[extname(path)];
    if (!type || !statSync(path, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' });
    createReadStream(path).pipe(response);
  });
  await new Promise((done, fail) => server.on('error', fail).listen(port, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port = '8000', page = ''] = process.argv.slice(2);
  try {
    const { url } = await serve(resolve(folder), Number(port), page);
    console.log(`The pages are at ${url}/${page} (end with Ctrl-C).`);
  } catch (error) {
    console.error(error.code === 'EADDRINUSE'
      ? `Port ${port} has another user; choose one with make web-pages PORT=NUMBER.` : error.message);
    process.exit(1);
  }
}
