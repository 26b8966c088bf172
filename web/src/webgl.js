// Contexts of WebGL for the library. Emscripten numbers the objects of WebGL that it creates. Those
// of a page get a number as well, when the library sees them first, so that it can bind them again.

const attributes = { antialias: false, depth: false, stencil: false, powerPreference: 'high-performance' };

// The table of Emscripten with the objects of a class.
const tables = { WebGLBuffer: 'buffers', WebGLProgram: 'programs', WebGLTexture: 'textures',
  WebGLFramebuffer: 'framebuffers', WebGLRenderbuffer: 'renderbuffers', WebGLQuery: 'queries',
  WebGLVertexArrayObject: 'vaos', WebGLSampler: 'samplers',
  WebGLTransformFeedback: 'transformFeedbacks' };

function canvasOf(canvas) {
  if (typeof canvas === 'string') {
    const found = document.querySelector(canvas);
    if (!found)
      throw new Error(`"${canvas}" selects no canvas of the page`);
    return found;
  }
  return canvas ?? (typeof OffscreenCanvas === 'undefined' ? document.createElement('canvas')
    : new OffscreenCanvas(1, 1));
}

/** Creates a context on a canvas, the one that a selector finds, or one that no page shows. */
export function createGl(canvas) {
  const gl = canvasOf(canvas).getContext('webgl2', attributes);
  if (!gl)
    throw new Error('the browser has no WebGL 2 for a canvas');
  return gl;
}

// Objects that the page has deleted lose their numbers.
function prune(GL, context) {
  if (context.named.length < context.prunedAt)
    return;
  const [kept, deleted] = [[], []];
  for (const object of context.named) {
    const type = object.constructor.name.slice('WebGL'.length).replace('Object', '');
    (context.GLctx[`is${type}`](object) ? kept : deleted).push(object);
  }
  deleted.forEach(object => removeName(GL, object));
  context.named = kept;
  context.prunedAt = 2 * kept.length + 64;
}

function removeName(GL, object) {
  GL[tables[object.constructor.name]][object.name] = null;
  delete object.name;
}

/** The number by which the library knows an object of a context. */
export function nameOfObject(GL, number, object) {
  const table = GL[tables[object?.constructor.name]];
  if (!table)
    throw new TypeError('the texture is no object of WebGL');
  // Emscripten gives 0 to objects that the library has deleted and that are still bound.
  if (object.name === undefined) {
    const context = GL.contexts[number];
    prune(GL, context);
    object.name = GL.getNewId(table);
    table[object.name] = object;
    context.named.push(object);
  }
  return object.name;
}

/** Makes a context known to Emscripten. Returns its number. */
export function adopt(GL, gl) {
  const known = Object.keys(GL.contexts).find(i => GL.contexts[i]?.GLctx === gl);
  if (known) {
    ++GL.contexts[known].users;
    return Number(known);
  }
  const number = GL.registerContext(gl, { majorVersion: 2, minorVersion: 0 });
  Object.assign(GL.contexts[number], { users: 1, named: [], prunedAt: 64 });
  gl.getExtension('WEBGL_debug_renderer_info');
  // The library asks for what is bound, to bind it again.
  gl.getParameter = function (name) {
    const value = Object.getPrototypeOf(this).getParameter.call(this, name);
    if (tables[value?.constructor.name])
      nameOfObject(GL, number, value);
    return value;
  };
  return number;
}

/** The opposite of adopt(). The objects of the page lose their numbers. */
export function forget(GL, number) {
  const context = GL.contexts[number];
  if (--context.users)
    return;
  context.named.forEach(object => removeName(GL, object));
  delete context.GLctx.getParameter;
  if (GL.currentContext === context)
    GL.makeContextCurrent(0);
  GL.contexts[number] = null;
}
