// node page.mjs PAGE.html - writes a page: PAGE.html has its heading, in the first line, and its main
// part, and this program adds the head and the navigation. A page NAME has NAME.js and NAME.css if
// there are files of these names.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const links = { index: 'Start', train: 'Train', draw: 'Draw', look: 'Look inside' };

const [path] = process.argv.slice(2);
const name = basename(path, '.html');
const [, title, main] = /^<h1>(.*)<\/h1>\n([^]*)$/.exec(readFileSync(path, 'utf8'));
const has = ending => existsSync(join(dirname(path), name + ending));
const own = [...has('.css') ? [`<link rel="stylesheet" href="${name}.css">`] : [],
  ...has('.js') ? [`<script type="module" src="${name}.js"></script>`] : []];
const link = ([to, text]) =>
  `<a href="${to}.html"${to === name ? ' aria-current="page"' : ''}>${text}</a>`;
const status = has('.js')
  ? '<p id="status" role="status" aria-live="polite">The library is being loaded.</p>\n' : '';

process.stdout.write(`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} - libglnn</title>
  <link rel="stylesheet" href="pages.css">
  <link rel="icon" href="data:,">
${own.map(line => `  ${line}\n`).join('')}</head>
<body>
<header>
  <h1>${title}</h1>
  <nav>${Object.entries(links).map(link).join(' ')}</nav>
</header>
${status}${main}</body>
</html>
`);
