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

/** The number by which the library knows an object of WebGL. */
export function nameOfObject(GL, gl, object) {
  const table = GL[tables[object?.constructor.name]];
  if (!table)
    throw new Error('this is no object of WebGL');
  // Emscripten gives 0 to objects that the library has deleted and that are still bound.
  if (object.name === undefined) {
    object.name = GL.getNewId(table);
    table[object.name] = object;
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
  GL.contexts[number].users = 1;
  gl.getExtension('WEBGL_debug_renderer_info');
  gl.getParameter = function (name) {
    const value = Object.getPrototypeOf(this).getParameter.call(this, name);
    if (tables[value?.constructor.name])
      nameOfObject(GL, this, value);
    return value;
  };
  return number;
}

/** The opposite of adopt(). The objects of the page lose their numbers. */
export function forget(GL, number) {
  const context = GL.contexts[number];
  if (--context.users)
    return;
  delete context.GLctx.getParameter;
  if (GL.currentContext === context)
    GL.makeContextCurrent(0);
  GL.contexts[number] = null;
}
