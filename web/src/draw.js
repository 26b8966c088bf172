// Pictures of matrices, straight from their textures: nothing is read back.

// The colours of the least number, of the middle of the range, and of the greatest.
const palettes = {
  signed: [[0.13, 0.4, 0.67], [1, 1, 1], [0.7, 0.09, 0.17]],
  grey: [[0, 0, 0], [0.5, 0.5, 0.5], [1, 1, 1]],
};

const vertexSource = `#version 300 es
void main()
{
    gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1);
}`;

const fragmentSource = (layout, glsl) => {
  const sampler = /\((sampler\w+) /.exec(glsl)[1];
  return `#version 300 es
precision highp float;
precision highp int;
precision highp ${sampler};
uniform ${sampler} matrix;
uniform highp sampler2D least, greatest;
uniform vec4 place; // of the pictures in pixels: left, bottom, width, height
uniform ivec2 size, pictures;
uniform int wrap, gap, first, count;
uniform bool automatic, symmetric, isGrid, transposed;
uniform vec2 range;
uniform vec3 colours[3];
out vec4 colour;

${glsl}
void main()
{
    vec2 total = vec2(pictures * (size + gap) - gap);
    vec2 at = (gl_FragCoord.xy - place.xy) / place.zw;
    ivec2 point = min(ivec2(vec2(at.x, 1. - at.y) * total), ivec2(total) - 1);
    ivec2 cell = point / (size + gap), pixel = point - cell * (size + gap);
    int number = cell.y * pictures.x + cell.x;
    colour = vec4(0);
    if (any(greaterThanEqual(pixel, size)) || number >= count)
        return;
    ivec2 element = isGrid ? ivec2(first + number, pixel.y * size.x + pixel.x) : pixel.yx;
    if (transposed)
        element = element.yx;
    float value = glnn_${layout}_element(matrix, wrap, element.x, element.y);
    vec2 ends = automatic ? vec2(texelFetch(least, ivec2(0), 0).x, texelFetch(greatest, ivec2(0), 0).x) : range;
    if (automatic && symmetric)
        ends = max(-ends.x, ends.y) * vec2(-1, 1);
    float share = ends.y > ends.x ? clamp((value - ends.x) / (ends.y - ends.x), 0., 1.) * 2. : 1.;
    colour = vec4(mix(colours[share < 1. ? 0 : 1], colours[share < 1. ? 1 : 2],
                      share < 1. ? share : share - 1.), 1);
}`;
};

// The state that drawing changes, so that it can be as it was.
function saved(gl) {
  const capabilities = [gl.BLEND, gl.CULL_FACE, gl.DEPTH_TEST, gl.SCISSOR_TEST, gl.STENCIL_TEST,
    gl.RASTERIZER_DISCARD].map(capability => [capability, gl.isEnabled(capability)]);
  const [unit, program, array, framebuffer, viewport, mask] =
    [gl.ACTIVE_TEXTURE, gl.CURRENT_PROGRAM, gl.VERTEX_ARRAY_BINDING, gl.DRAW_FRAMEBUFFER_BINDING,
      gl.VIEWPORT, gl.COLOR_WRITEMASK].map(name => gl.getParameter(name));
  const units = [0, 1, 2].map(i => {
    gl.activeTexture(gl.TEXTURE0 + i);
    return [gl.TEXTURE_BINDING_2D, gl.TEXTURE_BINDING_2D_ARRAY, gl.SAMPLER_BINDING]
      .map(name => gl.getParameter(name));
  });
  return () => {
    units.forEach(([flat, layered, sampler], i) => {
      gl.activeTexture(gl.TEXTURE0 + i);
      gl.bindTexture(gl.TEXTURE_2D, flat);
      gl.bindTexture(gl.TEXTURE_2D_ARRAY, layered);
      gl.bindSampler(i, sampler);
    });
    gl.activeTexture(unit);
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, framebuffer);
    gl.viewport(...viewport);
    gl.colorMask(...mask);
    capabilities.forEach(([capability, isOn]) => isOn ? gl.enable(capability) : gl.disable(capability));
  };
}

/** Draws matrices with the context of the library. */
export class Painter {
  #context;
  #programs = new Map();
  #array;
  #ends;

  constructor(context) {
    this.#context = context;
    this.#array = context.gl.createVertexArray();
    const end = () => context.matrix({ rows: 1, columns: 1, layout: 'unpacked', name: 'range' });
    this.#ends = [end(), end()];
  }

  #program(layout) {
    if (this.#programs.has(layout))
      return this.#programs.get(layout);
    const { gl, handle } = this.#context;
    const program = gl.createProgram();
    const glsl = handle.native.call('glnn_layout_glsl', [layout]);
    for (const [type, source] of [[gl.VERTEX_SHADER, vertexSource],
      [gl.FRAGMENT_SHADER, fragmentSource(layout, glsl)]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(`pictures: ${gl.getAttachedShaders(program).map(of => gl.getShaderInfoLog(of)).join('')}`);
    this.#programs.set(layout, program);
    return program;
  }

  // Where the pictures stand: all rows (or columns) as pictures in a grid, or the matrix as one.
  #arrange(matrix, { width, height, across, gap = 1, first = 0, count, transposed = false }) {
    const [rows, columns] = transposed ? [matrix.columns, matrix.rows] : [matrix.rows, matrix.columns];
    if (!width)
      return { size: [columns, rows], pictures: [1, 1], gap: 0, first: 0, count: 1, isGrid: false, transposed };
    const tall = height ?? Math.floor(columns / width);
    if (width * tall > columns)
      throw new RangeError(`pictures of ${width} x ${tall} numbers need more than the ${columns} of the matrix`);
    const number = Math.min(count ?? rows, rows - first);
    const wide = across ?? Math.ceil(Math.sqrt(number));
    return { size: [width, tall], pictures: [wide, Math.ceil(number / wide)], gap, first,
      count: number, isGrid: true, transposed };
  }

  /** Draws into a rectangle of the framebuffer that is bound. */
  draw(matrix, [x, y, width, height], options = {}, framebuffer) {
    const { gl } = this.#context;
    const { low, high, colours = 'signed' } = options;
    const automatic = low === undefined || high === undefined;
    const of = this.#arrange(matrix, options);
    if (automatic)
      ['min', 'max'].forEach((reduction, i) =>
        this.#context.reduce(reduction, 'all', matrix, this.#ends[i]));
    const info = matrix.getTexture();
    const ends = this.#ends.map(end => end.getTexture().texture);
    const restore = saved(gl);
    try {
      const program = this.#program(info.layout);
      const at = name => gl.getUniformLocation(program, name);
      gl.useProgram(program);
      [[info.target, info.texture], ...ends.map(end => [gl.TEXTURE_2D, end])].forEach(([target, texture], i) => {
        gl.activeTexture(gl.TEXTURE0 + i);
        gl.bindTexture(target, texture);
        gl.bindSampler(i, null);
      });
      ['matrix', 'least', 'greatest'].forEach((name, i) => gl.uniform1i(at(name), i));
      gl.uniform4f(at('place'), x, y, width, height);
      gl.uniform2iv(at('size'), of.size);
      gl.uniform2iv(at('pictures'), of.pictures);
      for (const [name, value] of Object.entries({ wrap: info.wrap, gap: of.gap, first: of.first,
        count: of.count, automatic, symmetric: colours === 'signed', isGrid: of.isGrid,
        transposed: of.transposed }))
        gl.uniform1i(at(name), Number(value));
      gl.uniform2f(at('range'), low ?? 0, high ?? 1);
      gl.uniform3fv(at('colours'), (palettes[colours] ?? colours).flat());
      [gl.BLEND, gl.CULL_FACE, gl.DEPTH_TEST, gl.SCISSOR_TEST, gl.STENCIL_TEST, gl.RASTERIZER_DISCARD]
        .forEach(capability => gl.disable(capability));
      gl.colorMask(true, true, true, true);
      if (framebuffer !== undefined)
        gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, framebuffer);
      gl.bindVertexArray(this.#array);
      gl.viewport(x, y, width, height);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    } finally {
      restore();
    }
  }

  /** Draws to a canvas that has no context, or one of two dimensions, by way of the canvas of the
   * context, which must not be in the page. */
  drawToCanvas(matrix, canvas, options) {
    const { gl } = this.#context;
    const { width, height } = canvas;
    if (gl.canvas.width < width)
      gl.canvas.width = width;
    if (gl.canvas.height < height)
      gl.canvas.height = height;
    this.draw(matrix, [0, 0, width, height], options, null);
    const flat = canvas.getContext('2d');
    flat.clearRect(0, 0, width, height);
    flat.drawImage(gl.canvas, 0, gl.canvas.height - height, width, height, 0, 0, width, height);
  }

  destroy() {
    this.#programs.forEach(program => this.#context.gl.deleteProgram(program));
    this.#context.gl.deleteVertexArray(this.#array);
    this.#ends.forEach(end => end.destroy());
  }
}
