// Calls of the C functions by their names, with structures, enumerations and arrays of JavaScript.
// Names of functions and types come from interface.js, the places of fields from the module itself.
import { functions } from './interface.js';

/** An error of the library. `status` is the name of its status code, such as "GLNN_E_SHAPE", and
 * `problem` that of the flaw of a table. */
export class GlnnError extends Error {
  constructor(status, message, problem) {
    super(message);
    Object.assign(this, { name: 'GlnnError', status, ...problem && { problem } });
  }
}

// Texts and lists of texts.
const isText = type => type === 'const char *' || type === 'char *';
const isNames = ({ type }) => type === 'const char **' || type === 'char **';

const camel = name => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const target = type => type.replace(/^const /, '').replace(/ \*$/, '');

// The name among `names` that is most like `name`: of which the fewest letters have to be changed.
function nearest(name, names) {
  const distance = other => {
    let row = [...Array(other.length + 1).keys()];
    for (let i = 1; i <= name.length; ++i) {
      const next = [i];
      for (let j = 1; j <= other.length; ++j)
        next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (name[i - 1] !== other[j - 1]));
      row = next;
    }
    return row[other.length];
  };
  return names.map(other => [distance(other.toLowerCase()), other]).sort((a, b) => a[0] - b[0])[0][1];
}

// The numbers of C: how a DataView reads and writes them.
const numbers = {
  int: 'Int32', unsigned: 'Uint32', size_t: 'Uint32', float: 'Float32', double: 'Float64',
  int64_t: 'BigInt64', uint64_t: 'BigUint64',
};
const limits = { int: [-(2 ** 31), 2 ** 31 - 1], unsigned: [0, 2 ** 32 - 1],
  size_t: [0, 2 ** 32 - 1], int64_t: [-(2 ** 53), 2 ** 53], uint64_t: [0, 2 ** 64] };
// A number of 64 bits is two parameters of wasm, of which the first has the low bits.
const halves = value => [Number(value & 0xffffffffn) | 0, Number(value >> 32n) | 0];

// Arrays by the types of their elements in C, and in files.
const arrays = { float: Float32Array, int: Int32Array, int64_t: BigInt64Array, uint8: Uint8Array, int8: Int8Array,
  int16: Int16Array, int32: Int32Array, float32: Float32Array, float64: Float64Array };

function allocateIn(module, bytes) {
  const block = module._malloc(bytes);
  if (!block)
    throw new GlnnError('GLNN_E_NOMEM', `no memory for ${bytes} bytes`);
  return block;
}

// Memory of the module that is freed together: a little of its stack, which has 64 KiB, and blocks.
class Scope {
  #module;
  #stack;
  #left = 4096; // bytes of the stack
  #blocks = [];

  constructor(module) {
    this.#module = module;
    this.#stack = module.stackSave();
  }

  allocate(bytes) {
    if (bytes <= this.#left) {
      this.#left -= bytes;
      return this.#module.stackAlloc(bytes);
    }
    this.#blocks.push(allocateIn(this.#module, bytes));
    return this.#blocks.at(-1);
  }

  free() {
    this.#blocks.forEach(block => this.#module._free(block));
    this.#module.stackRestore(this.#stack);
  }
}

/** Runs `use` with memory that is freed after it. */
export function withScope(native, use) {
  const scope = new Scope(native.module);
  try {
    return use(scope);
  } finally {
    scope.free();
  }
}

// From where a data set reads: a function of the page, and numbers in the memory of the module. The
// data set and its trainers share it, and the last one that leaves it frees it.
export class Source {
  #native;
  #users = 0;
  #blocks = [];

  constructor(native, features, read) {
    Object.assign(this, { features, read, number: ++native.sourceCount });
    this.#native = native;
    native.sources.set(this.number, this);
  }

  /** Copies numbers, to be the value of a field. */
  copy(element, values, count, where) {
    this.#blocks.push(new Block(this.#native.copy(element, values, count, where,
      bytes => allocateIn(this.#native.module, bytes))));
    return this.#blocks.at(-1);
  }

  enter() {
    ++this.#users;
  }

  leave() {
    if (--this.#users > 0)
      return;
    this.#native.sources.delete(this.number);
    this.#blocks.splice(0).forEach(({ pointer }) => this.#native.module._free(pointer));
  }
}

/** What is in the memory of the module already. */
export class Block {
  constructor(pointer) {
    this.pointer = pointer;
  }
}

export class Native {
  #structures = new Map();
  #names = new Map();
  #view;

  /** The classes of handles by their types in C: `wrap(pointer, owner)` and `pointerOf(object)`. */
  classes = new Map();

  /** The number of elements that an array in a structure has, by structure and field: a function of
   * the structure. Arrays of other fields can be neither set nor read. */
  lengths = new Map();

  /** What a function of the page threw during a call. */
  thrown = null;

  /** Of the data sets that read, by the number that is `user` of their descriptions. */
  sources = new Map();
  sourceCount = 0;
  #reader;

  constructor(module) {
    this.module = module;
    this.#readFields();
    this.#reader = module.addFunction((...args) => this.#readSamples(...args), 'iiiii');
  }

  // The function `read` of all data sets. It passes numbers in arrays of the page's own, because
  // those of the module end when its memory grows.
  #readSamples(number, samples, count, inputs) {
    const source = this.sources.get(number);
    try {
      const rows = new Float32Array(count * source.features);
      const result = source.read(this.numbers('int', samples, count), rows);
      if (result?.then)
        throw new GlnnError('GLNN_E_ARG', 'dataset: `read` returned a promise, but has to write ' +
          'the samples before it returns');
      new Float32Array(this.module.HEAPU8.buffer, inputs, rows.length).set(rows);
      return 0;
    } catch (error) {
      this.thrown = error;
      return this.names('glnn_status').indexOf('GLNN_E_IO');
    }
  }

  #readFields() {
    const word = at => this.view.getUint32(at, true);
    for (let row = this.module._glnn__web_fields(); word(row); row += 24) {
      const [structure, name, type] = [0, 4, 8].map(at => this.text(word(row + at)));
      const [offset, size, count] = [12, 16, 20].map(at => word(row + at));
      if (!name)
        this.#structures.set(structure, { size, fields: new Map() });
      else
        this.#structures.get(structure).fields.set(camel(name), { type, offset, size, count });
    }
  }

  get view() {
    const { buffer } = this.module.HEAPU8;
    if (this.#view?.buffer !== buffer)
      this.#view = new DataView(buffer);
    return this.#view;
  }

  text(pointer) {
    return pointer ? this.module.UTF8ToString(pointer) : null;
  }

  sizeOf(structure) {
    return this.#structures.get(structure).size;
  }

  field(structure, name) {
    return this.#structures.get(structure).fields.get(name);
  }

  structureNames() {
    return this.#structures.keys();
  }

  fieldNames(structure) {
    return [...this.#structures.get(structure).fields.keys()];
  }

  /** A pointer or an enumerator in a structure, as a number. */
  wordIn(structure, name, pointer) {
    return this.view.getUint32(pointer + this.field(structure, name).offset, true);
  }

  /** The places of structures that a field of a structure points to. */
  placesIn(structure, name, count, pointer) {
    const first = this.wordIn(structure, name, pointer), size = this.sizeOf(target(this.field(structure, name).type));
    return Array.from({ length: count }, (_, i) => first + i * size);
  }

  // ---- Enumerations

  #isEnumeration(type) {
    return `${type}_from_name` in functions;
  }

  #nameOf(type, value) {
    const name = this.text(this.module[`_${type}_name`](value));
    return name === 'unknown' ? null : name;
  }

  /** The names of an enumeration whose first value is 0, by value. */
  names(type) {
    if (!this.#names.has(type)) {
      const names = [];
      for (let name; (name = this.#nameOf(type, names.length)) !== null;)
        names.push(name);
      this.#names.set(type, names);
    }
    return this.#names.get(type);
  }

  #valueOf(type, name, where) {
    const value = this.names(type).indexOf(name);
    if (value < 0)
      throw new GlnnError('GLNN_E_ARG', `${where} is ${JSON.stringify(name)}, but can be ` +
        this.names(type).join(', '));
    return value;
  }

  // ---- Values

  #number(type, value, where) {
    const range = limits[type];
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    if (!isNumber || range && !(Number.isInteger(Number(value)) && value >= range[0] && value <= range[1]))
      throw new GlnnError('GLNN_E_ARG', `${where} is ${String(value)}, but has to be ` +
        (range ? 'a whole number in the range of its type' : 'a number'));
    return numbers[type].startsWith('Big') ? BigInt(value) : Number(value);
  }

  #pointerOf(type, value, where) {
    const pointer = this.classes.get(target(type)).pointerOf(value);
    if (pointer === undefined)
      throw new GlnnError('GLNN_E_ARG', `${where} is no ${camel(target(type).slice(5))} of the library`);
    return pointer;
  }

  string(value, scope) {
    const bytes = this.module.lengthBytesUTF8(value) + 1;
    const pointer = scope.allocate(bytes);
    this.module.stringToUTF8(value, pointer, bytes);
    return pointer;
  }

  strings(values, scope, count = values.length, where = '') {
    if (values.length !== count)
      throw new GlnnError('GLNN_E_SHAPE', `${where} has ${values.length} names, but needs ${count}`);
    const pointer = scope.allocate(4 * values.length + 4);
    values.forEach((value, i) =>
      this.#writeWord(pointer + 4 * i, value === null ? 0 : this.string(String(value), scope)));
    return pointer;
  }

  /** Refuses an array of less than `count` elements. */
  checkLength(value, count, where) {
    if (!(value?.length >= count))
      throw new GlnnError('GLNN_E_SHAPE', `${where} has ${value?.length ?? 'no'} numbers, but needs ${count}`);
  }

  /** Copies an array, of which the C function reads `count` elements. */
  array(element, value, count, scope, where) {
    return this.copy(element, value, count, where, bytes => scope.allocate(bytes));
  }

  /** The same in memory that `allocate` gives. */
  copy(element, value, count, where, allocate) {
    const Type = arrays[element];
    this.checkLength(value, count, where);
    const pointer = allocate(count * Type.BYTES_PER_ELEMENT + 8);
    new Type(this.module.HEAPU8.buffer, pointer, count)
      .set(value.length > count ? value.subarray?.(0, count) ?? Array.prototype.slice.call(value, 0, count) : value);
    return pointer;
  }

  room(element, count, scope) {
    return scope.allocate(count * arrays[element].BYTES_PER_ELEMENT + 8);
  }

  /** A copy of numbers that the library has written. */
  numbers(element, pointer, count) {
    return new arrays[element](this.module.HEAPU8.buffer, pointer, count).slice();
  }

  // ---- Structures

  /** Writes a description, with zeros where it has no value. Returns its place. */
  structure(name, value, scope, where) {
    const { size } = this.#structures.get(name);
    const pointer = scope.allocate(size);
    this.module.HEAPU8.fill(0, pointer, pointer + size);
    this.#write(name, pointer, value, scope, where);
    return pointer;
  }

  #write(name, pointer, value, scope, where) {
    const { fields } = this.#structures.get(name);
    if (typeof value !== 'object')
      throw new GlnnError('GLNN_E_ARG', `${where} has to be an object`);
    for (const [key, member] of Object.entries(value)) {
      const field = fields.get(key);
      if (!field)
        throw new GlnnError('GLNN_E_ARG', `${where} has no field ${JSON.stringify(key)}; ` +
          `a similar one is ${JSON.stringify(nearest(key.toLowerCase(), [...fields.keys()]))}`);
      if (member !== undefined && member !== null)
        this.#writeField(name, key, field, pointer, value, scope, `${where}.${key}`);
    }
  }

  #writeField(name, key, field, pointer, description, scope, where) {
    const value = description[key];
    const place = pointer + field.offset;
    const length = this.lengths.get(`${name}.${key}`);
    if (value instanceof Block)
      this.#writeWord(place, value.pointer);
    else if (length && this.#structures.has(target(field.type))) {
      this.#writeWord(place, this.#writeStructures(target(field.type), value, length(description), scope, where));
      this.#writeCount(name, key, pointer, value.length);
    } else if (length && isNames(field))
      this.#writeWord(place, this.strings(value, scope, length(description), where));
    else if (length)
      this.#writeWord(place, this.array(target(field.type), value, length(description), scope, where));
    else if (isNames(field)) {
      this.#writeWord(place, this.strings(value, scope));
      this.#writeCount(name, key, pointer, value.length);
    } else if (!field.count)
      this.#writeValue(field.type, place, value, scope, where);
    else {
      if (value.length > field.count)
        throw new GlnnError('GLNN_E_LIMIT', `${where} has ${value.length} elements, but can have ${field.count}`);
      value.forEach((element, i) =>
        this.#writeValue(field.type, place + i * field.size, element, scope, `${where}[${i}]`));
      this.#writeCount(name, key, pointer, value.length);
    }
  }

  #writeStructures(name, values, count, scope, where) {
    if (values.length !== count)
      throw new GlnnError('GLNN_E_SHAPE', `${where} has ${values.length} elements, but needs ${count}`);
    const { size } = this.#structures.get(name);
    const pointer = scope.allocate(count * size + 8);
    this.module.HEAPU8.fill(0, pointer, pointer + count * size);
    values.forEach((value, i) => this.#write(name, pointer + i * size, value, scope, `${where}[${i}]`));
    return pointer;
  }

  // Some arrays have a field beside them that counts their elements.
  #countOf(name, key) {
    return this.field(name, `${key.replace(/s$/, '')}Count`);
  }

  #writeCount(name, key, pointer, count) {
    const field = this.#countOf(name, key);
    if (field)
      this.view.setInt32(pointer + field.offset, count, true);
  }

  // Memory may grow for what a word points to, and has another view then.
  #writeWord(place, word) {
    this.view.setUint32(place, word, true);
  }

  #writeValue(type, place, value, scope, where) {
    if (this.#structures.has(type) && !this.classes.has(type))
      this.#write(type, place, value, scope, where);
    else if (type === 'bool')
      this.view.setUint8(place, value ? 1 : 0);
    else if (type in numbers)
      this.view[`set${numbers[type]}`](place, this.#number(type, value, where), true);
    else if (type === 'char')
      this.view.setUint8(place, value.charCodeAt(0));
    else
      this.#writeWord(place, this.#word(type, value, scope, where));
  }

  // A value that is an enumeration or a pointer.
  #word(type, value, scope, where) {
    if (value === null || value === undefined)
      return 0;
    if (value instanceof Block)
      return value.pointer;
    if (this.#isEnumeration(type))
      return this.#valueOf(type, value, where);
    if (isText(type))
      return this.string(String(value), scope);
    if (value instanceof Source)
      return type === 'glnn_dataset_reader' ? this.#reader : value.number;
    if (this.classes.has(target(type)))
      return this.#pointerOf(type, value, where);
    if (this.#structures.has(target(type)))
      return this.structure(target(type), value, scope, where);
    throw new GlnnError('GLNN_E_ARG', `${where} cannot be set from JavaScript`);
  }

  /** Reads a structure. `owner` has the handles that it contains. Arrays come last, because their
   * lengths are other fields. */
  read(name, pointer, owner) {
    const object = {}, fields = [...this.#structures.get(name).fields];
    for (const [key, field] of fields) {
      const isSize = key === 'size' && field.type === 'size_t' && field.offset === 0;
      if (!isSize && this.#isReadable(field))
        object[key] = this.#readField(name, key, field, pointer, owner);
    }
    for (const [key, field] of fields) {
      const length = this.lengths.get(`${name}.${key}`);
      if (length)
        object[key] = this.#readArray(field, this.view.getUint32(pointer + field.offset, true), length(object), object);
    }
    return object;
  }

  // The type of elements that C does not know is in another field.
  #readArray(field, pointer, count, { type }) {
    if (!pointer)
      return null;
    const element = target(field.type);
    if (this.#structures.has(element))
      return Array.from({ length: count }, (_, i) => this.read(element, pointer + i * this.sizeOf(element)));
    return isNames(field)
      ? Array.from({ length: count }, (_, i) => this.text(this.view.getUint32(pointer + 4 * i, true)))
      : this.numbers(element === 'void' ? type : element, pointer, count);
  }

  #isReadable({ type }) {
    return type in numbers || type === 'bool' || type === 'char' || isText(type) ||
      this.#isEnumeration(type) || this.#structures.has(type) || this.classes.has(target(type));
  }

  #readField(name, key, field, pointer, owner) {
    const place = pointer + field.offset;
    if (field.type === 'char')
      return this.text(place);
    if (!field.count)
      return this.value(field.type, place, owner);
    const count = this.#countOf(name, key);
    const length = count ? this.view.getInt32(pointer + count.offset, true) : field.count;
    return Array.from({ length }, (_, i) => this.value(field.type, place + i * field.size, owner));
  }

  /** Reads a value of a type at a place. */
  value(type, place, owner) {
    if (this.#structures.has(type))
      return this.read(type, place, owner);
    if (type === 'bool')
      return this.view.getUint8(place) !== 0;
    if (type in numbers)
      return this.#fromC(type, this.view[`get${numbers[type]}`](place, true), owner);
    return this.#fromC(type, this.view.getUint32(place, true), owner);
  }

  // What a number that C returns or stores stands for.
  #fromC(type, value, owner) {
    if (typeof value === 'bigint')
      return Number(value);
    if (type === 'bool')
      return value !== 0;
    if (type in numbers || type === 'void')
      return value;
    if (this.#isEnumeration(type))
      return this.#nameOf(type, value);
    if (isText(type))
      return this.text(value);
    if (this.classes.has(target(type)))
      return value ? this.classes.get(target(type)).wrap(value, owner, type.startsWith('const ')) : null;
    return value ? this.read(target(type), value, owner) : null;
  }

  // ---- Calls

  // Throws the latest error of the library if `status` is one.
  #check(status, outputs) {
    const { thrown } = this;
    this.thrown = null;
    if (thrown)
      throw thrown;
    if (!status)
      return;
    const message = this.text(this.module._glnn_last_error());
    const table = outputs.find(([, type]) => type === 'glnn_csv');
    throw new GlnnError(this.text(this.module._glnn_status_name(status)), message,
      table && this.value('glnn_csv_problem', table[2] + this.field('glnn_csv', 'problem').offset));
  }

  // Handles and structures without const are outputs unless the caller gives them, and so are these
  // numbers.
  #isOutput(name, type) {
    return type.endsWith('**') || type === 'double *' || type === 'bool *' || name === 'done' ||
      !type.startsWith('const ') && type.endsWith(' *') && this.#structures.has(target(type));
  }

  #output(type, scope) {
    const structure = this.#structures.get(target(type));
    const bytes = structure?.size ?? 8;
    const pointer = scope.allocate(bytes);
    this.module.HEAPU8.fill(0, pointer, pointer + bytes);
    if (structure?.fields.has('size'))
      this.view.setUint32(pointer, structure.size, true);
    return pointer;
  }

  #argument(type, value, scope, where) {
    if (type === 'bool')
      return value ? 1 : 0;
    if (type.endsWith('int64_t'))
      return halves(this.#number(type, value, where));
    if (type in numbers)
      return this.#number(type, value, where);
    if (arrays[target(type)])
      return value ?? 0; // the caller has copied it
    if (this.#structures.has(type))
      return this.structure(type, value ?? {}, scope, where);
    return this.#word(type, value, scope, where);
  }

  // Reads an output, and frees what the library has allocated for it.
  #take(type, pointer, owner) {
    try {
      return this.value(type, pointer, owner);
    } finally {
      this.module[`_${type}_free`]?.(pointer);
    }
  }

  // A result of 64 bits has its high bits in another place.
  #whole(type, low) {
    return type.endsWith('int64_t') ? (low >>> 0) + this.module.getTempRet0() * 2 ** 32 : low;
  }

  /** Calls a C function. Returns its outputs: one of them, or an object with several. Arrays of
   * numbers are places in memory. `owner` has the handles that the function returns. */
  call(name, args, owner) {
    const [result, ...parameters] = functions[name];
    const scope = new Scope(this.module);
    try {
      const outputs = [];
      const returnsStructure = this.#structures.has(result);
      if (returnsStructure)
        outputs.push(['result', result, this.#output(`${result} *`, scope)]);
      let next = 0;
      const values = parameters.flatMap(([of, type]) => {
        if (!this.#isOutput(of, type) || args[next] instanceof Block)
          return this.#argument(type, args[next++], scope, `${name}: ${camel(of)}`);
        const pointer = this.#output(type, scope);
        outputs.push([camel(of), type.replace(/ ?\*$/, ''), pointer]);
        return pointer;
      });
      const places = returnsStructure ? [outputs[0][2]] : [];
      const returned = this.module[`_${name}`](...places, ...values);
      if (result === 'glnn_status')
        this.#check(returned, outputs);
      else if (!returnsStructure)
        return this.#fromC(result, this.#whole(result, returned), owner);
      const read = outputs.map(([of, type, pointer]) => [of, this.#take(type, pointer, owner)]);
      return read.length > 1 ? Object.fromEntries(read) : read[0]?.[1];
    } finally {
      scope.free();
    }
  }
}
