// node interface.mjs MAP OUT HEADER... - reads the public headers and writes what JavaScript needs
// of them into the folder OUT:
//
//   exports.json   the functions that the module of wasm exports
//   interface.js   the same functions with their types
//   fields.c       a table of the fields of all structures, which the compiler completes with
//                  their places
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// What a page has no use for: files of other formats, which JavaScript reads by itself; functions of
// LAPACK; other processes; and what JavaScript has in another form.
const leftOut = new RegExp('^glnn_(sound_|handwriting_|image_(read|write|folder)|idx_(write|get)|npy_|codebook_' +
  '|safetensors_|csv_(file_|columns_(find|free))|pca_|lda_|projection_|preparation_(copy|free|set)|(class|target)_metrics_|curve_(add|continue|read|write)|field|description_' +
  '|device_list|dataset_open|dataset_format|last_error_set|log_write' +
  '|learner_(train|get_advice)$|gemm_get_plan' +
  '|task_|context_get_advice|context_release' +
  '|selftest|log_set|distortion_(add|get)|gmm_compute|batch_schedule_|schedule_get|network_compute_gradient|.*exchange)');

// Fields for what is not there, or what the package sets by itself.
const fieldsLeftOut = new RegExp('^glnn_(dataset_desc\\.(threads|map_file)' +
  '|train_desc\\.(report|user|checkpoint.*|resume|overwrite|exchange|on_device_lost|on_start)' +
  '|context_desc\\.(device|stage|writes|api|tier|debug|shader_dir|cache_dir|canvas))$|\\.reserved$');

// A header without comments and directives.
function declarationsOf(header) {
  return readFileSync(header, 'utf8').replace(/\/\*[^]*?\*\//g, ' ').replace(/^\s*#.*$/gm, '');
}

// "const float *" and "x" of "const float *x". Types have no const at their end.
function split(declaration) {
  const [, type, stars, name, counts] =
    /^(.*?)((?:\*|\s|\bconst\b)*)\b(\w+)((?:\[\w*\])*)$/.exec(declaration.trim());
  const pointers = stars.replace(/const|\s/g, '');
  return { type: (type.trim() + (pointers && ' ' + pointers)).trim(), name, isArray: counts !== '' };
}

function functionsOf(text) {
  const found = text.matchAll(/GLNN_API\s+([\w\s*]*?)\b(glnn_\w+)\(([^)]*)\);/g);
  return [...found].map(([, result, name, parameters]) => [name, {
    result: split(result + ' result').type,
    parameters: parameters.trim() === 'void' ? []
      : parameters.split(',').map(split).map(({ type, name: of, isArray }) =>
        [of, isArray ? type + ' *' : type]),
  }]);
}

function structuresOf(text) {
  const found = text.matchAll(/typedef struct (\w+) \{([^}]*)\} \w+;/g);
  return [...found].map(([, name, members]) => [name,
    members.split(';').map(member => member.trim()).filter(member => member && !member.includes('('))
      .map(split).filter(field => !fieldsLeftOut.test(`${name}.${field.name}`))]);
}

function table(structures) {
  const rows = structures.flatMap(([structure, fields]) =>
    [`    {"${structure}", "", "", 0, sizeof(${structure}), 1},`,
      ...fields.map(({ type, name, isArray }) => {
        const member = `((${structure} *)0)->${name}`;
        const element = isArray ? `${member}[0]` : member;
        return `    {"${structure}", "${name}", "${type}", offsetof(${structure}, ${name}),\n` +
          `     sizeof ${element}, ${isArray ? `sizeof ${member} / sizeof ${element}` : 0}},`;
      })]);
  return `/* Written by web/src/interface.mjs. */
#include <glnn/glnn.h>

#include <stddef.h>

/* A field of a structure: its name, its type in C, where it lies, the size of an element and the
 * number of elements of an array, 0: no array. A row with an empty name has the size of all. */
typedef struct row {
    const char *structure, *name, *type;
    size_t offset, size, count;
} row;

static const row rows[] = {
${rows.join('\n')}
    {0},
};

const row *glnn__web_fields(void);

const row *glnn__web_fields(void)
{
    return rows;
}
`;
}

const [map, out, ...headers] = process.argv.slice(2);
const texts = headers.map(declarationsOf);
const exported = new Set(readFileSync(map, 'utf8').match(/\bglnn_\w+(?=;)/g));
const functions = texts.flatMap(functionsOf)
  .filter(([name]) => exported.has(name) && !leftOut.test(name));
const structures = new Map(texts.flatMap(structuresOf));
const others = ['free', 'malloc', 'glnn__web_fields'];

// The structures that these functions take and return, and those in them.
function reach(type, found) {
  const name = type.replace(/^const |[ *]+$/g, '');
  if (structures.has(name) && !found.has(name)) {
    found.set(name, structures.get(name));
    structures.get(name).forEach(field => reach(field.type, found));
  }
  return found;
}

const reached = new Map();
functions.forEach(([, { result, parameters }]) =>
  [result, ...parameters.map(([, type]) => type)].forEach(type => reach(type, reached)));

writeFileSync(join(out, 'exports.json'),
  JSON.stringify([...others, ...functions.map(([name]) => name)].map(name => '_' + name)));
writeFileSync(join(out, 'fields.c'), table([...reached]));
writeFileSync(join(out, 'interface.js'),
  '// Written by interface.mjs: the functions of the library with the types of their results and\n' +
  '// parameters.\nexport const functions = {\n' + functions.map(([name, of]) =>
    `  ${name}: ${JSON.stringify([of.result, ...of.parameters])},\n`).join('') + '};\n');
