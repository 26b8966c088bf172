// Contexts of the library that the browser may take away.

/** Creates a context. `lost` is called when the browser takes it away, and `restored` when there can
 * be a new one. The function that is returned with it destroys it. */
export function openContext(library, { lost, restored }) {
  // Measuring the device would take seconds of each visit, because nothing is stored.
  const context = library.context({ tuning: 'off' }), watching = new AbortController();
  const { canvas } = context.gl, { signal } = watching;
  canvas.addEventListener('webglcontextlost', event => {
    event.preventDefault(); // without this the browser gives no context back
    lost();
  }, { signal });
  canvas.addEventListener('webglcontextrestored', restored, { signal });
  const close = () => {
    watching.abort();
    try {
      context.destroy();
    } catch (error) {
      console.debug(error.message); // objects of a lost context cannot be used again
    }
  };
  return { context, close };
}
